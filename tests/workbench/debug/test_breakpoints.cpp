// SPDX-License-Identifier: GPL-3.0-or-later
// Breakpoints follow the texts that they are in, and are kept.
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

#include "workbench/debug/breakpoints.h"

using namespace waferpair;
using workbench::Breakpoint;
using workbench::Breakpoints;

class TestBreakpoints : public QObject {
  Q_OBJECT
 private:
  static QVector<int> lines(const Breakpoints& all, const QString& path) {
    QVector<int> lines;
    for (const Breakpoint& one : all.inFile(path)) lines.append(one.line);
    return lines;
  }
  // Edits a text that is open.
  void edit(qint64 start, qint64 end, const QByteArray& text) { edit({{start, end, text}}); }
  void edit(const QVector<editor::TextEdit>& edits) {
    for (const editor::TextEdit& one : edits) text_ = text_.replaced(one.start, one.end, one.text);
    QVERIFY(sync_.change("/p/a.c", ++version_, edits, text_));
  }
  void open(Breakpoints* all) {
    sync_.subscribe(all);
    text_ = editor::Snapshot("zero\n  one\n  two\nthree\n");
    version_ = 1;
    sync_.open({"/p/a.c", "C", version_, text_});
  }

  editor::DocumentSync sync_;
  editor::Snapshot text_;
  qint64 version_ = 0;

 private Q_SLOTS:
  void cleanup() { sync_.close("/p/a.c"); }

  void theyFollowTheirText() {
    Breakpoints all;
    open(&all);
    QVERIFY(all.toggle("/p/a.c", 2));
    QVERIFY(all.toggle("/p/a.c", 1));
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({1, 2}));
    QSignalSpy moved(&all, &Breakpoints::moved);
    QSignalSpy changed(&all, &Breakpoints::fileChanged);
    edit(0, 0, "new\nnewer\n");
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({3, 4}));
    QCOMPARE(moved.size(), 1);
    QVERIFY(changed.isEmpty());
    // A line that is broken before its code takes the breakpoint along, one broken behind it does
    // not.
    const qint64 one = text_.lineStart(3);
    edit(one + 2, one + 2, "\n  ");
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({4, 5}));
    const qint64 end = text_.lineEnd(4);
    edit(end, end, "\n");
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({4, 6}));
    // Letters in a line move nothing.
    moved.clear();
    edit(text_.lineStart(4), text_.lineStart(4), "  ");
    QVERIFY(moved.isEmpty());
  }

  void linesThatAreJoinedHaveOne() {
    Breakpoints all;
    open(&all);
    all.toggle("/p/a.c", 1);
    all.toggle("/p/a.c", 2);
    QSignalSpy changed(&all, &Breakpoints::fileChanged);
    edit(text_.lineStart(1), text_.lineStart(3), "");
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({1}));
    QCOMPARE(changed.size(), 1);
  }

  // Deleted lines take theirs along; an undo, or pasting them elsewhere, brings them back.
  void whatIsDeletedAndComesBackHasItsOwn() {
    Breakpoints all;
    open(&all);  // zero, one, two, three
    for (const int line : {1, 2, 3}) all.toggle("/p/a.c", line);
    const qint64 two = all.at("/p/a.c", 2)->id;
    const qint64 three = all.at("/p/a.c", 3)->id;
    const QByteArray gone = text_.slice(text_.lineStart(1), text_.lineStart(3));
    edit(text_.lineStart(1), text_.lineStart(3), "");
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({1}));
    QCOMPARE(all.at("/p/a.c", 1)->id, three);
    edit(text_.lineStart(1), text_.lineStart(1), gone);
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({1, 2, 3}));
    QCOMPARE(all.withId(two)->line, 2);
    QCOMPARE(all.withId(three)->line, 3);
    // Of a line whose neighbor has none, and elsewhere.
    all.remove(three);
    edit(text_.lineStart(1), text_.lineStart(3), "");
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({1}));
    edit(0, 0, gone);
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({0, 1}));
  }

  void aLineThatIsMovedTakesItsOwnAlong() {
    Breakpoints all;
    open(&all);  // zero, one, two, three
    all.toggle("/p/a.c", 1);
    all.toggle("/p/a.c", 2);
    const qint64 one = all.at("/p/a.c", 1)->id;
    const qint64 two = all.at("/p/a.c", 2)->id;
    // "two" is taken out and put in above "one".
    edit({{text_.lineEnd(1), text_.lineEnd(2), ""}, {5, 5, "  two\n"}});
    QCOMPARE(text_.toByteArray(), QByteArray("zero\n  two\n  one\nthree\n"));
    QCOMPARE(all.withId(one)->line, 2);
    QCOMPARE(all.withId(two)->line, 1);
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({1, 2}));
  }

  void aTextThatIsWrittenAnewKeepsThem_data() {
    QTest::addColumn<QByteArray>("now");
    QTest::addColumn<QVector<int>>("lines");
    const QByteArray text("zero\n  one\n  two\nthree\n");
    QTest::newRow("the same") << text << QVector<int>({1, 3});
    QTest::newRow("formatted") << QByteArray("zero\n    one\n    two\nthree\n")
                               << QVector<int>({1, 3});
    QTest::newRow("lines above") << "new\nnewer\n" + text << QVector<int>({3, 5});
    QTest::newRow("lines in another order")
        << QByteArray("three\nzero\n  one\n  two\n") << QVector<int>({0, 2});
  }
  void aTextThatIsWrittenAnewKeepsThem() {
    QFETCH(QByteArray, now);
    QFETCH(QVector<int>, lines);
    Breakpoints all;
    open(&all);
    all.toggle("/p/a.c", 1);
    all.toggle("/p/a.c", 3);
    edit({{0, text_.size(), ""}, {0, 0, now}});
    QCOMPARE(this->lines(all, "/p/a.c"), lines);
    // By another program, while it is read anew.
    sync_.close("/p/a.c");
    const editor::Snapshot anew("newest\n" + now);
    sync_.open({"/p/a.c", "C", ++version_, anew});
    for (int& line : lines) ++line;
    QCOMPARE(this->lines(all, "/p/a.c"), lines);
  }

  // Of a text of megabytes lines are looked for where they were, and not compared all with all.
  void aLongTextThatIsWrittenAnewKeepsThem() {
    Breakpoints all;
    QByteArray text;
    for (int line = 0; line < 150'000; ++line) text += "line " + QByteArray::number(line) + '\n';
    sync_.subscribe(&all);
    text_ = editor::Snapshot(text);
    version_ = 1;
    sync_.open({"/p/a.c", "C", version_, text_});
    for (const int line : {0, 100'000, 149'999}) all.toggle("/p/a.c", line);
    const QByteArray above = QByteArray("new\n").repeated(500);
    edit({{0, text_.size(), ""}, {0, 0, above + text}});
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({500, 100'500, 150'499}));
    // What is between two edits was touched, too.
    const qint64 end = text_.size();
    edit({{end, end, "last\n"}, {0, text_.lineStart(500), ""}});
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({0, 100'000, 149'999}));
  }

  void whatIsBeyondTheTextComesToItsEnd() {
    Breakpoints all;
    Breakpoint far;
    far.path = "/p/a.c";
    far.line = 99;
    all.put(far);
    open(&all);
    QCOMPARE(lines(all, "/p/a.c"), QVector<int>({4}));
  }

  void theyAreKept() {
    Breakpoints all;
    Breakpoint full;
    full.path = "/p/b.py";
    full.line = 7;
    full.isOn = false;
    full.condition = "x > 3";
    full.hits = "5";
    full.log = "x is {x}";
    all.put(full);
    all.toggle("/p/a.c", 1);
    Breakpoints other;
    other.toggle("/q/gone.c", 3);
    QSignalSpy changed(&other, &Breakpoints::fileChanged);
    other.load(all.toJson());
    QStringList told;
    for (const auto& each : changed) told.append(each[0].toString());
    told.sort();
    QCOMPARE(told, QStringList({"/p/a.c", "/p/b.py", "/q/gone.c"}));
    QCOMPARE(other.all().size(), 2);
    Breakpoint read = other.inFile("/p/b.py").constFirst();
    read.id = all.inFile("/p/b.py").constFirst().id;
    full.id = read.id;
    QCOMPARE(read, full);
    QVERIFY(other.at("/p/a.c", 1)->isPlain());
    QVERIFY(!other.at("/q/gone.c", 3));
  }

  void damagedOnesAreLeftOut() {
    Breakpoints all;
    all.load({QJsonObject{{"path", "/p/a.c"}, {"line", -4}}, QJsonObject{{"line", 3}}, 17, "x",
              QJsonObject{{"path", "/p/a.c"}, {"line", 2}, {"condition", 5}}});
    QCOMPARE(all.all().size(), 1);
    QCOMPARE(all.all().constFirst().line, 2);
    QVERIFY(all.all().constFirst().condition.isEmpty());
  }

  void theyGoWithTheirFile() {
    Breakpoints all;
    all.toggle("/p/dir/a.c", 1);
    all.toggle("/p/direct.c", 2);
    all.pathRenamed("/p/dir", "/p/folder");
    QCOMPARE(lines(all, "/p/folder/a.c"), QVector<int>({1}));
    QVERIFY(lines(all, "/p/dir/a.c").isEmpty());
    QCOMPARE(lines(all, "/p/direct.c"), QVector<int>({2}));
  }
};

QTEST_GUILESS_MAIN(TestBreakpoints)
#include "test_breakpoints.moc"
