// SPDX-License-Identifier: GPL-3.0-or-later
// Tests which of a project's files are chosen for the model, and in what order.
#include <QTemporaryDir>
#include <QtTest>

#include "gui/project/project_choice.h"

using namespace waferpair::gui;

class TestProjectChoice : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    project_ = std::make_unique<QTemporaryDir>();
    request_ = {};
    request_.root = QFileInfo(project_->path()).canonicalFilePath();
    age_ = 0;
  }

  void theLanguageCountsFirstThenTheFolderThenTheTime() {
    add("lib/deep/far.cpp");
    add("app/near.py");
    add("app/old.cpp");
    add("app/new.cpp");
    add("app/ui/below.cpp");
    add("main.cpp");
    request_.activePath = path("app/open.cpp");
    request_.activeLanguage = "C++";
    QStringList found = chosen();
    // Up and down are as near; the later change decides.
    QCOMPARE(found, (QStringList{"app/new.cpp", "app/old.cpp", "main.cpp", "app/ui/below.cpp",
                                 "lib/deep/far.cpp", "app/near.py"}));
    request_.activePath = path("lib/deep/open.py");
    request_.activeLanguage = "Python";
    found = chosen();
    QCOMPARE(found.first(), "app/near.py");
    QCOMPARE(found.value(1), "lib/deep/far.cpp");
  }

  // The nearest of both folders come first, and each folder's own rules hold.
  void filesOfAnotherFolderAreChosenToo() {
    add("deep/down/a.cpp");
    const QTemporaryDir other;
    const auto put = [&other](const QString& name, const QByteArray& bytes) {
      QFile file(other.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(bytes);
    };
    put("b.cpp", QByteArray(80, 'x'));
    put("kept.cpp", QByteArray(80, 'x'));
    put(".waferpairignore", "kept.cpp\n");
    request_.others = {{other.path(), {"b.cpp", "kept.cpp"}}};
    request_.activePath = other.filePath("open.cpp");
    request_.activeLanguage = "C++";
    const ProjectChoice choice = choose();
    QCOMPARE(choice.files.size(), 2);
    QCOMPARE(choice.files[0].path, other.filePath("b.cpp"));
    QCOMPARE(choice.files[1].path, path("deep/down/a.cpp"));
  }

  void everyFileComesWithItsTextLanguageAndStamp() {
    const QByteArray text = "# gr\xc3\xbc\xc3\x9f\n" + QByteArray(80, 'x') + '\n';
    add("a.py", text);
    const ProjectChoice choice = choose();
    QCOMPARE(choice.files.size(), 1);
    QCOMPARE(choice.files[0].path, path("a.py"));
    QCOMPARE(choice.files[0].language, QString("Python"));
    QCOMPARE(choice.files[0].utf8, text);
    QCOMPARE(choice.files[0].stamp.bytes, text.size());
    QVERIFY(choice.complete);
  }

  void whatIsKnownIsNotReadAgainUnlessItChanged() {
    add("a.cpp");
    add("b.cpp");
    for (const ChosenFile& file : choose().files) request_.known[file.path] = file.stamp;
    for (const ChosenFile& file : choose().files) QVERIFY(file.utf8.isEmpty());
    const QByteArray changed(99, 'y');
    add("b.cpp", changed);
    int read = 0;
    for (const ChosenFile& file : choose().files) {
      if (file.utf8.isEmpty()) continue;
      ++read;
      QCOMPARE(file.path, path("b.cpp"));
      QCOMPARE(file.utf8, changed);
    }
    QCOMPARE(read, 1);
  }

  void aKnownFileThatIsGoneIsTold() {
    add("a.cpp");
    add("b.cpp");
    QVERIFY(QFile::remove(path("b.cpp")));
    QVERIFY(!choose().gone);  // it was never known
    request_.known[path("b.cpp")] = {};
    QVERIFY(choose().gone);
    QCOMPARE(chosen(), QStringList{"a.cpp"});
  }

  void whatNobodyWroteAsTextIsLeftOut_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    const QByteArray line = QByteArray(70, 'x') + '\n';
    QTest::newRow("too short") << "a.cpp" << QByteArray(63, 'x');
    QTest::newRow("too long") << "a.cpp" << line.repeated(4000);
    QTest::newRow("a long line") << "a.js" << line + QByteArray(1001, 'x') + '\n' + line;
    QTest::newRow("a long last line") << "a.js" << line + QByteArray(1001, 'x');
    QTest::newRow("not UTF-8") << "a.cpp" << line + "caf\xe9\n";
    QTest::newRow("binary") << "a.cpp" << line + QByteArray(1, '\0');
    QTest::newRow("unknown kind") << "a.nobodyknows" << line;
    QTest::newRow("no kind") << "LICENSE" << line;
    QTest::newRow("secret") << "id_rsa.py" << line;
    QTest::newRow("hidden") << ".settings.py" << line;
    QTest::newRow("in a hidden folder") << "a/.tool/settings.py" << line;
    QTest::newRow("excluded") << "private.cpp" << line;
    QTest::newRow("in an excluded folder") << "hidden/a.cpp" << line;
  }
  void whatNobodyWroteAsTextIsLeftOut() {
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    write(".waferpairignore", "private.*\nhidden/\n");
    add(name, text);
    add("fits.cpp", QByteArray(64, 'x'));
    add("fits.js", QByteArray(1000, 'x') + '\n');
    QCOMPARE(chosen().size(), 2);
    QVERIFY(!chosen().contains(name));
  }

  void CMakeListsAreNotTakenForPlainText() {
    add("notes.txt");
    add("CMakeLists.txt");
    QCOMPARE(chosen(), QStringList{"CMakeLists.txt"});
  }

  void linksAreLeftOut() {
    QTemporaryDir elsewhere;
    QFile outside(elsewhere.filePath("outside.cpp"));
    QVERIFY(outside.open(QFile::WriteOnly));
    outside.write(QByteArray(100, 'x'));
    outside.close();
    add("inside.cpp");
    QVERIFY(QFile::link(outside.fileName(), path("link.cpp")));
    QVERIFY(QFile::link(path("inside.cpp"), path("other.cpp")));
    request_.files += {"link.cpp", "other.cpp", "gone.cpp"};
    QCOMPARE(chosen(), QStringList{"inside.cpp"});
  }

  void whatAnEditorHasIsLeftOutByAnyName() {
    add("a.cpp");
    add("b.cpp");
    add("c.cpp");
    QTemporaryDir elsewhere;
    QVERIFY(QFile::link(path("b.cpp"), elsewhere.filePath("b.cpp")));
    request_.inEditors = {path("a.cpp"), elsewhere.filePath("b.cpp"), "untitled:Untitled 1"};
    QCOMPARE(chosen(), QStringList{"c.cpp"});
  }

  void theLimitsHold() {
    for (int i = 0; i < 10; ++i) add(QStringLiteral("%1.cpp").arg(i), QByteArray(100, 'x'));
    request_.limits.files = 4;
    QVERIFY(!choose().complete);
    QCOMPARE(chosen(), (QStringList{"9.cpp", "8.cpp", "7.cpp", "6.cpp"}));
    request_.limits = {};
    request_.limits.bytes = 250;
    QVERIFY(!choose().complete);
    QCOMPARE(chosen(), (QStringList{"9.cpp", "8.cpp"}));
    request_.limits.bytes = 1000;
    QVERIFY(choose().complete);
    QCOMPARE(chosen().size(), 10);
  }

  void cancelledItEndsEarly() {
    add("a.cpp");
    QVERIFY(chooseProjectFiles(request_, std::atomic<bool>(true)).files.isEmpty());
  }

 private:
  QString path(const QString& relative) const { return request_.root + u'/' + relative; }
  void write(const QString& relative, const QByteArray& text) {
    QDir().mkpath(QFileInfo(path(relative)).absolutePath());
    QFile file(path(relative));
    QVERIFY(file.open(QFile::WriteOnly));
    file.write(text);
    QVERIFY(file.flush());
    // Each is a second younger than the one before.
    const QDateTime start = QDateTime::fromSecsSinceEpoch(1'700'000'000);
    QVERIFY(file.setFileTime(start.addSecs(++age_), QFile::FileModificationTime));
  }
  void add(const QString& relative, const QByteArray& text = QByteArray(100, 'x')) {
    write(relative, text);
    if (!request_.files.contains(relative)) request_.files.append(relative);
  }
  ProjectChoice choose() { return chooseProjectFiles(request_, std::atomic<bool>(false)); }
  QStringList chosen() {
    QStringList names;
    for (const ChosenFile& file : choose().files)
      names.append(file.path.mid(request_.root.size() + 1));
    return names;
  }

  std::unique_ptr<QTemporaryDir> project_;
  ChoiceRequest request_;
  int age_ = 0;
};

QTEST_GUILESS_MAIN(TestProjectChoice)
#include "test_project_choice.moc"
