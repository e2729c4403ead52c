// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of a project's files, for quick open and the tree, without what git ignores; and that
// nothing a clone may hold stops them.
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "gui/project/file_index.h"
#include "gui/project/folder_model.h"

namespace waferpair::gui {

class TestFileIndex : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void listsAProjectWithoutItsNoise();
  void listsWhatLiesInALinkedFolderAsGitDoes();
  void rulesFromAboveTheFolderCount();
  void rulesThatAreNoFileAreLeftOut();
  void manyRulesCostLittle();
  void listingStopsAtItsLimit();
  void theTreeShowsTheSame();
  void manyFilesComeAtOnce();
  void theTreeFollowsTheDisk();

 private:
  QString path(const QString& relative) const { return project_->filePath(relative); }
  void put(const QString& relative, const QByteArray& text = "x") const {
    QDir().mkpath(QFileInfo(path(relative)).absolutePath());
    QFile file(path(relative));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  QStringList list(const QString& folder = {}) const {
    const std::atomic<bool> never = false;
    return listProjectFiles(path(folder), 1000, never);
  }

  std::unique_ptr<QTemporaryDir> project_;
};

void TestFileIndex::init() { project_ = std::make_unique<QTemporaryDir>(); }

void TestFileIndex::listsAProjectWithoutItsNoise() {
  put(".gitignore", "build/\n*.tmp\nx**/b\n[[:upper:]]*.log\n");
  put("main.cpp");
  put("build/main.o");
  put("src/a.cpp");
  put("src/a.tmp");
  put("src/.gitignore", "!a.tmp\nb.cpp\n");
  put("src/b.cpp");
  put("b.cpp");
  put("x1/y/b");
  put("x1/y/c");
  put("Run.log");
  put("run.log");
  put(".git/config");
  QVERIFY(QFile::link(project_->path(), path("loop")));
  QCOMPARE(list(), QStringList({".gitignore", "b.cpp", "main.cpp", "run.log", "src/.gitignore",
                                "src/a.cpp", "src/a.tmp", "x1/y/c"}));
}

void TestFileIndex::listsWhatLiesInALinkedFolderAsGitDoes() {
  put("real/a.cpp");
  put(".gitignore", "linked/\n");
  QVERIFY(QFile::link("real", path("linked")));
  QCOMPARE(list(), QStringList({".gitignore", "real/a.cpp"}));
}

void TestFileIndex::rulesFromAboveTheFolderCount() {
  put(".git/info/exclude", "*.mine\n");
  put(".gitignore", "*.o\n");
  put("src/a.o");
  put("src/a.cpp");
  put("src/a.mine");
  QCOMPARE(list("src"), QStringList({"a.cpp"}));
}

// A link to a device, a FIFO, a folder in the place of each file of rules.
void TestFileIndex::rulesThatAreNoFileAreLeftOut() {
  put("a/a.cpp");
  put("b/b.cpp");
  put("c/c.cpp");
  put("d/d.cpp");
  QVERIFY(QFile::link("/dev/zero", path("a/.gitignore")));
  QCOMPARE(::mkfifo(path("b/.gitignore").toUtf8(), 0600), 0);
  QVERIFY(QDir(project_->path()).mkpath("c/.gitignore"));
  put("d/.gitignore", "d.cpp\n");
  QVERIFY(QFile::resize(path("d/.gitignore"), qint64(1) << 34));
  QVERIFY(QDir(project_->path()).mkpath(".git/info"));
  QVERIFY(QFile::link("/dev/zero", path(".git/info/exclude")));
  QStringList found = list();
  found.removeIf([](const QString& file) { return file.endsWith(".gitignore"); });
  QCOMPARE(found, QStringList({"a/a.cpp", "b/b.cpp", "c/c.cpp", "d/d.cpp"}));
}

void TestFileIndex::manyRulesCostLittle() {
  QByteArray rules;
  for (int i = 0; i < 90'000; ++i) rules += "gen/n" + QByteArray::number(i) + "*.c\n";
  put(".gitignore", rules);
  put("gen/n4711x.c");
  put("gen/other.c");
  for (int i = 0; i < 300; ++i) put(QStringLiteral("src/%1.c").arg(i));
  const QStringList found = list();
  QCOMPARE(found.size(), 302);
  QVERIFY(!found.contains("gen/n4711x.c"));
}

void TestFileIndex::listingStopsAtItsLimit() {
  for (int i = 0; i < 20; ++i) put(QString::number(i));
  const std::atomic<bool> never = false;
  QCOMPARE(listProjectFiles(project_->path(), 7, never).size(), 7);
  const std::atomic<bool> cancelled = true;
  QVERIFY(listProjectFiles(project_->path(), 1000, cancelled).isEmpty());
}

// Its rules come by a thread: what is ignored shows at no time.
void TestFileIndex::theTreeShowsTheSame() {
  put(".gitignore", "*.o\n");
  put("a.cpp");
  put("a.o");
  put("src/.gitignore", "b.cpp\n!b.o\n");
  put("src/b.cpp");
  put("src/b.o");
  put("src/c.cpp");
  QCOMPARE(::mkfifo(path("fifo").toUtf8(), 0600), 0);
  FolderModel model;
  QStringList shown;
  connect(&model, &FolderModel::rowsInserted, this,
          [&](const QModelIndex& parent, int first, int last) {
            for (int row = first; row <= last; ++row)
              shown += model.index(row, 0, parent).data().toString();
          });
  model.setFolders({project_->path()});
  const QModelIndex root = model.index(0, 0);
  const auto names = [&](const QModelIndex& folder) {
    if (model.canFetchMore(folder)) model.fetchMore(folder);
    QStringList found;
    for (int row = 0; row < model.rowCount(folder); ++row)
      found += model.index(row, 0, folder).data().toString();
    return found;
  };
  QVERIFY(root.isValid());
  const auto folder = [&] { return model.indexOf(path("src")); };
  QTRY_COMPARE(names(model.indexOf(path("src")).parent()), QStringList({"src", "a.cpp", "fifo"}));
  QTRY_COMPARE(names(folder()), QStringList({"b.o", "c.cpp"}));
  QVERIFY(!shown.contains("a.o") && !shown.contains("b.cpp"));
  put(".gitignore", "a.*\n");
  model.reloadRules();
  QTRY_COMPARE(names(folder().parent()), QStringList({"src", "fifo"}));
}

// However many they are, they come to the view in few steps, in their order.
void TestFileIndex::manyFilesComeAtOnce() {
  constexpr int kMany = 5000;
  for (int i = 0; i < kMany; ++i) put(QStringLiteral("f%1").arg((i * 7919) % kMany));
  FolderModel model;
  model.setFolders({project_->path()});
  QSignalSpy inserted(&model, &FolderModel::rowsInserted);
  QSignalSpy laidOut(&model, &FolderModel::layoutChanged);
  const QPersistentModelIndex root = model.index(0, 0);
  QTRY_COMPARE(model.rowCount(root), kMany);
  QCOMPARE(inserted.size(), 1);
  QCOMPARE(laidOut.size(), 0);
  for (int i = 0; i < kMany; ++i)
    QCOMPARE(model.index(i, 0, root).data().toString(), QStringLiteral("f%1").arg(i));
}

void TestFileIndex::theTreeFollowsTheDisk() {
  put("b");
  put("d/inner");
  FolderModel model;
  model.setFolders({project_->path()});
  const QPersistentModelIndex root = model.index(0, 0);
  const auto names = [&](const QModelIndex& folder) {
    QStringList found;
    for (int row = 0; row < model.rowCount(folder); ++row)
      found += model.index(row, 0, folder).data().toString();
    return found;
  };
  QTRY_COMPARE(names(root), QStringList({"d", "b"}));
  model.fetchMore(model.index(0, 0, root));
  QTRY_COMPARE(names(model.index(0, 0, root)), QStringList({"inner"}));
  const QPersistentModelIndex folder = model.index(0, 0, root);
  const QPersistentModelIndex b = model.index(1, 0, root);
  put("a");
  put("c/more");
  put("d/other");
  QTRY_COMPARE(names(root), QStringList({"c", "d", "a", "b"}));
  // What stays is the same row, wherever it is now.
  QCOMPARE(folder.row(), 1);
  QCOMPARE(b.row(), 3);
  QTRY_COMPARE(names(folder), QStringList({"inner", "other"}));
  QVERIFY(QDir(path("d")).removeRecursively());
  QTRY_COMPARE(names(root), QStringList({"c", "a", "b"}));
  QVERIFY(!folder.isValid());
  QCOMPARE(model.path(b), path("b"));
  // Many changes of one folder.
  for (int i = 0; i < 400; ++i) put(i % 2 ? QStringLiteral("a%1").arg(i) : QStringLiteral("m"));
  QTRY_COMPARE(names(root).size(), 204);
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestFileIndex)
#include "test_file_index.moc"
