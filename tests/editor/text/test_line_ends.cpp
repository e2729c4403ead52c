// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/text/line_ends.h"

using namespace waferpair::editor;

class TestLineEnds : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aTextSaysWhichItHas() {
    QCOMPARE(lineEndsOf(Snapshot("a\r\nb\r\nc\n")), LineEnds::kCrLf);
    QCOMPARE(lineEndsOf(Snapshot("a\rb")), LineEnds::kCr);
    QCOMPARE(lineEndsOf(Snapshot("a\nb")), LineEnds::kLf);
    QCOMPARE(lineEndsOf(Snapshot("a")), LineEnds::kLf);
    QCOMPARE(lineEndsOf(Snapshot("a"), LineEnds::kCrLf), LineEnds::kCrLf);
    QCOMPARE(lineEndsOf(Snapshot("a\n"), LineEnds::kCrLf), LineEnds::kLf);
    // A leaf of the text may end between CR and LF.
    for (const qsizetype size : {4094, 4095, 4096})
      QCOMPARE(lineEndsOf(Snapshot(QByteArray(size, 'x') + "\r\ny")), LineEnds::kCrLf);
  }

  void whatComesFromOutsideGetsThem() {
    QCOMPARE(withLineEnds("a\nb\r\nc\rd", LineEnds::kLf), QByteArray("a\nb\nc\nd"));
    QCOMPARE(withLineEnds("a\nb\r\nc\rd", LineEnds::kCrLf), QByteArray("a\r\nb\r\nc\r\nd"));
    QCOMPARE(withLineEnds("a\nb\r\nc\rd", LineEnds::kCr), QByteArray("a\rb\rc\rd"));
    QCOMPARE(withLineEnds("a", LineEnds::kCrLf), QByteArray("a"));
  }

  void linesThatStayKeepTheirs_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("outside");
    QTest::addColumn<QByteArray>("right");
    const auto row = [](const char* name, const char* before, const char* outside,
                        const char* right) {
      QTest::newRow(name) << QByteArray(before) << QByteArray(outside) << QByteArray(right);
    };
    row("CRLF, LF from outside", "a\r\nb\r\n", "a\nc\nd\n", "a\r\nc\r\nd\r\n");
    row("LF, CRLF from outside", "a\nb\n", "a\r\nc\r\nd\r\n", "a\nc\nd\n");
    row("nothing else changes", "a\r\nb\nc\rd", "a\nb\nc\nd", "a\r\nb\nc\rd");
    row("a line of a mixed text", "a\r\nb\nc\r\nd\r\n", "a\nB\nc\nd\n", "a\r\nB\nc\r\nd\r\n");
    row("a line more", "a\r\nb\nc\r\n", "a\nb\nx\nc\n", "a\r\nb\nx\r\nc\r\n");
    row("a line less", "a\r\nb\nc\r\n", "a\nc\n", "a\r\nc\r\n");
    row("the last line gets an end", "a\r\nb\nc\r\nd", "a\nb\nc\nd\n", "a\r\nb\nc\r\nd\r\n");
    row("the last line loses its end", "a\nb\r\nc\n", "a\nb\nc", "a\nb\r\nc");
    row("all is new", "a\r\nb\nc\r\n", "x\ny\nz\nu", "x\r\ny\r\nz\r\nu");
    row("from nothing", "", "x\r\ny\n", "x\ny\n");
    row("to nothing", "a\r\nb\n", "", "");
  }
  void linesThatStayKeepTheirs() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, outside);
    QFETCH(QByteArray, right);
    QCOMPARE(withLineEndsOf(Snapshot(before), Snapshot(outside)).toByteArray(), right);
  }

  void aPieceIsOfItsText() {
    // It has none of its own, so the text's are what comes in.
    QCOMPARE(withLineEndsOf(QByteArray("x"), QByteArray("y\nz"), LineEnds::kCrLf),
             QByteArray("y\r\nz"));
    // A piece with other ends than its text keeps them where its lines stay.
    QCOMPARE(withLineEndsOf(QByteArray("a\nb\n"), QByteArray("a\nnew\nb\n"), LineEnds::kCrLf),
             QByteArray("a\nnew\r\nb\n"));
  }

  void anyTextsKeepTheirLines() {
    std::mt19937 random(7);
    const auto pick = [&](int below) { return static_cast<int>(random() % unsigned(below)); };
    const QByteArrayList pieces = {"a", "b", "c", "\n", "\r\n", "\r", "", "long line"};
    const auto text = [&](int most) {
      QByteArray made;
      for (int i = pick(most); i > 0; --i) made += pieces[pick(static_cast<int>(pieces.size()))];
      return made;
    };
    for (int round = 0; round < 3000; ++round) {
      const QByteArray before = text(30), outside = text(30);
      const QByteArray came = withLineEndsOf(Snapshot(before), Snapshot(outside)).toByteArray();
      // Adjacent CR and LF of different pieces are one line end, in both alike.
      QCOMPARE(withLf(came), withLf(outside));
      QCOMPARE(withLineEndsOf(Snapshot(before), Snapshot(withLf(before))).toByteArray(), before);
      LineEndCounter counter;
      counter.feed(before);
      counter.finish();
      if (counter.isMixed()) continue;
      QCOMPARE(came, withLineEnds(outside, lineEndsOf(Snapshot(before))));
    }
  }
};

QTEST_GUILESS_MAIN(TestLineEnds)
#include "test_line_ends.moc"
