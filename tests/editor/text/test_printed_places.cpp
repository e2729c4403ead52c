// SPDX-License-Identifier: GPL-3.0-or-later
// Places in lines that programs print, on a disk that has some files.
#include <QtTest>

#include "editor/text/printed_places.h"

using namespace waferpair::editor;

namespace {

const QStringList kFiles = {"dir with space/f.py",
                            "[id].tsx",
                            "src/x.py",
                            "src/a.cpp",
                            "é.c",
                            "app/(x)/p.ts",
                            "Makefile",
                            "/p/b.mjs",
                            "my file.txt",
                            "日本/語.c",
                            "a, b.c",
                            "main.tf",
                            "x=1.c",
                            "a.php",
                            "Program.cs",
                            "it's.c"};

QString shown(const QVector<PrintedPlace>& places, bool onlyFiles) {
  QStringList all;
  for (const PrintedPlace& each : places)
    if (each.isFile || !onlyFiles)
      all.append(QStringLiteral("%1|%2|%3").arg(each.path).arg(each.line).arg(each.column));
  return all.join(u';');
}

}  // namespace

class TestPrintedPlaces : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void filesAreFound_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("places");
    const auto row = [](const char* line, const char* places) {
      QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(places);
    };
    row("dir with space/f.py:2", "dir with space/f.py|2|0");
    row("error in dir with space/f.py:2:7, it says", "dir with space/f.py|2|7");
    row("\"dir with space/f.py\", line 2", "dir with space/f.py|2|0");
    row("  File \"dir with space/f.py\", line 7, in <module>", "dir with space/f.py|7|0");
    row("dir\\ with\\ space/f.py:3", "dir with space/f.py|3|0");
    row("'dir with space/f.py':4", "dir with space/f.py|4|0");
    row("modified:   dir with space/f.py", "dir with space/f.py|0|0");
    row("my file.txt", "my file.txt|0|0");
    row("[id].tsx:2:1", "[id].tsx|2|1");
    row("([id].tsx)", "[id].tsx|0|0");
    row("app/(x)/p.ts(3,7): error", "app/(x)/p.ts|3|7");
    row("see app/(x)/p.ts.", "app/(x)/p.ts|0|0");
    row("é.c:3:1: error: no", "é.c|3|1");
    row("日本/語.c:3", "日本/語.c|3|0");
    row("a, b.c:5", "a, b.c|5|0");
    row("it's.c:6", "it's.c|6|0");
    row("--file=src/a.cpp", "src/a.cpp|0|0");
    row("x=1.c:2", "x=1.c|2|0");
    row("a/src/x.py b/src/x.py", "src/x.py|0|0;src/x.py|0|0");
    row("--- a/dir with space/f.py", "dir with space/f.py|0|0");
    row("+++ b/\303\251.c", "é.c|0|0");
    row("\"\\303\\251.c\"", "é.c|0|0");
    row("src/a.cpp(12)", "src/a.cpp|12|0");
    row("src/a.cpp (12, 5)", "src/a.cpp|12|5");
    row("src/a.cpp:[12,5] no", "src/a.cpp|12|5");
    row("src/a.cpp#L12", "src/a.cpp|12|0");
    row("src/a.cpp:12.5-13.6: no", "src/a.cpp|12|5");
    row("src/a.cpp:12:5-9", "src/a.cpp|12|5");
    row("  on main.tf line 3, in resource", "main.tf|3|0");
    row("syntax error in a.php on line 3", "a.php|3|0");
    row("src/a.cpp: line 2, col 3, no", "src/a.cpp|2|3");
    row("   at N.T() in Program.cs:line 3", "Program.cs|3|0");
    row("ERROR in src/x.py 3:7-10", "src/x.py|3|7");
    row("    at file:///p/b.mjs:3:5", "/p/b.mjs|3|5");
    row("Makefile:8: *** missing separator", "Makefile|8|0");
    row("src/a.cpp:1: and src/x.py:2", "src/a.cpp|1|0;src/x.py|2|0");
    row("src/a.cpp src/x.py", "src/a.cpp|0|0;src/x.py|0|0");
    row("https://example.org/src/a.cpp:3", "");
    row("gone.c:3 call(3) 12:30", "");
    row("", "");
  }
  void filesAreFound() {
    QFETCH(QString, line);
    QFETCH(QString, places);
    const auto isFile = [](const QString& path) { return kFiles.contains(path); };
    QCOMPARE(shown(printedPlaces(line, isFile, PrintedKind::kAll), true), places);
  }

  // Of what a place covers a link is made, and what is behind it is its message.
  void placesCoverTheirNumbers() {
    const auto isFile = [](const QString& path) { return kFiles.contains(path); };
    const QString line = QStringLiteral("in dir with space/f.py:2:7: no");
    const auto places = printedPlaces(line, isFile, PrintedKind::kNumbered);
    QCOMPARE(places.size(), 1);
    QCOMPARE(line.mid(places[0].start, places[0].end - places[0].start),
             QStringLiteral("dir with space/f.py:2:7"));
    QCOMPARE(line.mid(places[0].end), QStringLiteral(": no"));
  }

  void withoutADiskAPathIsAWord_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("places");
    const auto row = [](const char* line, const char* places) {
      QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(places);
    };
    row("in x/y.c:3:4: no", "x/y.c|3|4");
    row("File \"a b/c.py\", line 7", "a b/c.py|7|0");
    row("(see é/ü.c:3)", "é/ü.c|3|0");
    row("it took 12:30 h, on line 3", "");
    row("http://example.com:8080/x", "");
  }
  void withoutADiskAPathIsAWord() {
    QFETCH(QString, line);
    QFETCH(QString, places);
    QCOMPARE(shown(printedPlaces(line, {}, PrintedKind::kNumbered), false), places);
  }

  void linksNameFiles_data() {
    QTest::addColumn<QString>("link");
    QTest::addColumn<QString>("place");
    const auto row = [](const char* link, const char* place) {
      QTest::newRow(link) << QString::fromUtf8(link) << QString::fromUtf8(place);
    };
    row("src/a.cpp", "src/a.cpp|0|0");
    row("src/a.cpp:12", "src/a.cpp|12|0");
    row("src/a.cpp:12:5", "src/a.cpp|12|5");
    row("src/a.cpp#L12", "src/a.cpp|12|0");
    row("src/a.cpp#L12-L20", "src/a.cpp|12|0");
    row("src/x.py#usage", "src/x.py|0|0");
    row("dir%20with%20space/f.py#L2", "dir with space/f.py|2|0");
    row("file:///p/b.mjs:3", "/p/b.mjs|3|0");
    row("%C3%A9.c", "é.c|0|0");
    row("https://example.org/src/a.cpp", "");
    row("gone.c:3", "");
  }
  void linksNameFiles() {
    QFETCH(QString, link);
    QFETCH(QString, place);
    const auto found = linkedPlace(link, [](const QString& path) { return kFiles.contains(path); });
    QCOMPARE(found ? shown({*found}, true) : QString(), place);
  }

  // A line of nothing but beginnings costs no more than a few questions for each place.
  void theDiskIsAskedWithinABound() {
    int asked = 0;
    const auto isFile = [&asked](const QString&) {
      ++asked;
      return false;
    };
    printedPlaces(QStringLiteral("a ").repeated(2000) + QStringLiteral("b.c:3"), isFile,
                  PrintedKind::kNumbered);
    QVERIFY2(asked > 0 && asked <= 100, qPrintable(QString::number(asked)));
  }
};

QTEST_GUILESS_MAIN(TestPrintedPlaces)
#include "test_printed_places.moc"
