// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that are watched: by one, by several, by other paths to them, and no longer.
#include "editor/text/folder_watch.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace waferpair::editor;

namespace {

void writeFile(const QString& path) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("x");
}

// The paths of files that it told of, each once, by their names.
class Told {
 public:
  explicit Told(FolderWatch* watch) {
    QObject::connect(watch, &FolderWatch::fileChanged, watch,
                     [this](const QString& path, FolderWatch::Event) {
                       if (!paths.contains(path)) paths.append(path);
                     });
  }
  QStringList paths;
};

}  // namespace

class TestFolderWatch : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachIsToldOfItsFoldersOnly() {
    const QTemporaryDir folder;
    const QString a = folder.filePath("a"), b = folder.filePath("b");
    for (const QString& each : {a, b}) QVERIFY(QDir().mkdir(each));
    FolderWatch one, both;
    Told ofOne(&one), ofBoth(&both);
    QVERIFY(one.setFolders({a}));
    QVERIFY(both.setFolders({a, b}));
    QVERIFY(!both.setFolders({a, b}));
    writeFile(b + "/two");
    writeFile(a + "/one");
    QTRY_COMPARE(ofBoth.paths, (QStringList{b + "/two", a + "/one"}));
    QTRY_COMPARE(ofOne.paths, QStringList{a + "/one"});
  }

  // Whoever goes leaves the others theirs.
  void whatOneGivesUpTheOtherKeeps() {
    const QTemporaryDir folder;
    FolderWatch kept;
    Told told(&kept);
    {
      FolderWatch gone;
      gone.setFolders({folder.path()});
      kept.setFolders({folder.path()});
    }
    writeFile(folder.filePath("one"));
    QTRY_COMPARE(told.paths, QStringList{folder.filePath("one")});
    FolderWatch other;
    QSignalSpy changed(&other, &FolderWatch::changed);
    other.setFolders({folder.path()});
    kept.setFolders({});
    writeFile(folder.filePath("two"));
    QVERIFY(changed.wait());
    QCOMPARE(told.paths, QStringList{folder.filePath("one")});
  }

  // One folder, by its path and by that of a link: the system has one watch for both.
  void eachIsToldByThePathThatItKnows() {
    const QTemporaryDir folder;
    const QString real = folder.filePath("real"), link = folder.filePath("link");
    QVERIFY(QDir().mkdir(real));
    QVERIFY(QFile::link(real, link));
    FolderWatch byPath, byLink;
    Told ofPath(&byPath), ofLink(&byLink);
    byPath.setFolders({real});
    byLink.setFolders({link});
    writeFile(real + "/one");
    QTRY_COMPARE(ofPath.paths, QStringList{real + "/one"});
    QTRY_COMPARE(ofLink.paths, QStringList{link + "/one"});
    byLink.setFolders({});
    writeFile(real + "/two");
    QTRY_COMPARE(ofPath.paths, (QStringList{real + "/one", real + "/two"}));
    QCOMPARE(ofLink.paths, QStringList{link + "/one"});
  }

  void foldersThatAreMadeInThemAreWatchedToo() {
    const QTemporaryDir folder;
    FolderWatch one, other;
    Told ofOne(&one), ofOther(&other);
    one.setFolders({folder.path()});
    other.setFolders({folder.path()});
    QSignalSpy changed(&one, &FolderWatch::changed);
    QVERIFY(QDir(folder.path()).mkdir("new"));
    QVERIFY(changed.wait());
    writeFile(folder.filePath("new/file"));
    QTRY_COMPARE(ofOne.paths, QStringList{folder.filePath("new/file")});
    QTRY_COMPARE(ofOther.paths, QStringList{folder.filePath("new/file")});
    // So is one that went and came back.
    QVERIFY(QDir(folder.filePath("new")).removeRecursively());
    QVERIFY(changed.wait());
    QVERIFY(QDir(folder.path()).mkdir("new"));
    QVERIFY(changed.wait());
    writeFile(folder.filePath("new/again"));
    QTRY_VERIFY(ofOne.paths.contains(folder.filePath("new/again")));
  }

  void lockFilesAreNotToldOf() {
    const QTemporaryDir folder;
    FolderWatch watch;
    Told told(&watch);
    watch.setFolders({folder.path()});
    writeFile(folder.filePath("index.lock"));
    writeFile(folder.filePath("index"));
    QTRY_COMPARE(told.paths, QStringList{folder.filePath("index")});
  }
};

QTEST_GUILESS_MAIN(TestFolderWatch)
#include "test_folder_watch.moc"
