// SPDX-License-Identifier: GPL-3.0-or-later
// Searching the files of a project, on disk and open.
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/rest.h"
#include "workbench/search/project_files.h"
#include "workbench/search/project_finder.h"

using namespace waferpair;
using workbench::FindSummary;
using workbench::FoundFile;
using workbench::FoundLine;
using workbench::ProjectFinder;
using workbench::ProjectQuery;
using workbench::TextSearch;

class TestProjectFinder : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    query_ = {};
    query_.root = folder_->path();
    found_.clear();
  }

  void linesAreToldWithTheirPlaces() {
    write("src/a.cpp", "int one;\n\tint two = one;\n");
    write("b.txt", "none here\n");
    const FindSummary summary = run("one", true);
    QCOMPARE(summary.matches, 3);
    QCOMPARE(summary.searched, 2);
    QVERIFY(summary.isAll);
    QCOMPARE(found_.size(), 2);
    const QVector<FoundLine>& lines = found_["src/a.cpp"].lines;
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[0], (FoundLine{0, 4, 3, "int one;", 4}));
    QCOMPARE(lines[1], (FoundLine{1, 11, 3, "int two = one;", 10}));
    QCOMPARE(found_["b.txt"].lines[0].text, "none here");
  }

  void anOpenTextIsSearchedAsItIs() {
    write("a.cpp", "old\n");
    query_.open.insert("a.cpp", editor::Snapshot("new\n"));
    QCOMPARE(run("old").matches, 0);
    QCOMPARE(run("new").matches, 1);
  }

  void patternsChooseFiles() {
    for (const char* file : {"a.cpp", "src/b.cpp", "src/b.h", "lib/c.cpp"}) write(file, "x\n");
    QCOMPARE(workbench::patternsOf(" *.cpp, src/ ,,"), (QStringList{"*.cpp", "src"}));
    query_.include = {"*.cpp"};
    run("x");
    QCOMPARE(found_.keys(), (QStringList{"a.cpp", "lib/c.cpp", "src/b.cpp"}));
    query_.exclude = {"lib"};
    run("x");
    QCOMPARE(found_.keys(), (QStringList{"a.cpp", "src/b.cpp"}));
    query_.include = {"src"};
    run("x");
    QCOMPARE(found_.keys(), (QStringList{"src/b.cpp", "src/b.h"}));
  }

  void otherEncodingsAndNoTexts() {
    write("latin.txt", "caf\xE9 one\n");
    write("utf16.txt", QByteArray("\xFF\xFE"
                                  "o\0n\0e\0\n\0",
                                  10));
    write("mark.txt", "\xEF\xBB\xBFone\n");
    write("binary", QByteArray("one\0\x01\x02\x03\x80\xFF", 9));
    query_.files.append("gone.txt");
    const FindSummary summary = run("one");
    QCOMPARE(found_.keys(), (QStringList{"latin.txt", "mark.txt", "utf16.txt"}));
    QCOMPARE(found_["latin.txt"].lines[0], (FoundLine{0, 6, 3, "café one", 6}));
    QCOMPARE(found_["mark.txt"].lines[0].column, 0);
    QCOMPARE(summary.skipped, 2);
  }

  void aLongLineIsToldInPart() {
    write("a.js", QByteArray(5'000, 'x') + "needle" + QByteArray(5'000, 'y'));
    run("needle");
    const FoundLine line = found_["a.js"].lines[0];
    QCOMPARE(line.column, 5'000);
    QVERIFY(line.text.size() <= workbench::kMostOfFoundLine);
    QCOMPARE(line.text.mid(line.at, line.length), "needle");
  }

  void whereThereAreTooManyItIsSaid() {
    write("many.txt", QByteArray("x\n").repeated(ProjectFinder::kMostOfFile + 5));
    const FindSummary summary = run("x");
    QCOMPARE(summary.matches, ProjectFinder::kMostOfFile);
    QVERIFY(!summary.isAll);
  }

  // A large project: each file comes once, and the threads leave none out.
  void manyFiles() {
    for (int i = 0; i < 1'000; ++i) write(QStringLiteral("d%1/f%2.c").arg(i % 7).arg(i), "hit\n");
    const FindSummary summary = run("hit");
    QCOMPARE(summary.files, 1'000);
    QCOMPARE(found_.size(), 1'000);
    QCOMPARE(told_, 1'000);
  }

  // However soon the threads are done with it.
  void aSmallSearchEndsAlways() {
    write("a.txt", "x\n");
    for (int i = 0; i < 300; ++i) QCOMPARE(run("x").matches, 1);
  }

  // Nothing of a search comes once another one has begun.
  void aNewSearchEndsTheOldOne() {
    for (int i = 0; i < 300; ++i) write(QStringLiteral("f%1").arg(i), "old new\n");
    ProjectFinder finder;
    QStringList texts;
    connect(&finder, &ProjectFinder::found, this, [&](const QVector<FoundFile>& files) {
      for (const FoundFile& file : files)
        texts.append(
            QString::fromUtf8(file.lines[0].text.mid(file.lines[0].at, file.lines[0].length)));
    });
    QSignalSpy finished(&finder, &ProjectFinder::finished);
    finder.start(query_, *TextSearch::make({"old"}));
    finder.start(query_, *TextSearch::make({"new"}));
    QVERIFY(finder.isRunning());
    QVERIFY(finished.wait());
    QCOMPARE(texts.size(), 300);
    QCOMPARE(texts.count("new"), 300);
    finder.start(query_, *TextSearch::make({"old"}));
    finder.cancel();
    QVERIFY(!finder.isRunning());
    test::rest({&finder});
    QCOMPARE(finished.size(), 1);
    QCOMPARE(texts.size(), 300);
  }

 private:
  void write(const QString& path, const QByteArray& bytes) {
    QVERIFY(QDir(folder_->path()).mkpath(QFileInfo(path).path()));
    QFile file(folder_->filePath(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    query_.files.append(path);
  }
  FindSummary run(const QString& text, bool caseSensitive = false) {
    found_.clear();
    told_ = 0;
    ProjectFinder finder;
    connect(&finder, &ProjectFinder::found, this, [this](const QVector<FoundFile>& files) {
      told_ += files.size();
      for (const FoundFile& file : files) found_.insert(file.path, file);
    });
    FindSummary summary;
    QSignalSpy finished(&finder, &ProjectFinder::finished);
    connect(&finder, &ProjectFinder::finished, this,
            [&summary](const FindSummary& told) { summary = told; });
    finder.start(query_, *TextSearch::make({text, caseSensitive}));
    if (!finished.wait()) QTest::qFail("it does not end", __FILE__, __LINE__);
    return summary;
  }

  std::unique_ptr<QTemporaryDir> folder_;
  ProjectQuery query_;
  QMap<QString, FoundFile> found_;
  qsizetype told_ = 0;
};

QTEST_GUILESS_MAIN(TestProjectFinder)
#include "test_project_finder.moc"
