// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>
#include <thread>

#include "editor/text/positions.h"
#include "editor/text/snapshot.h"

using namespace waferpair::editor;

namespace {

// Lines as Scintilla counts them, the plain way.
QVector<qint64> lineStarts(const QByteArray& text) {
  QVector<qint64> starts{0};
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (text[i] == '\r' || text[i] == '\n') starts.append(i + 1);
  }
  return starts;
}

qint64 plainLineEnd(const QByteArray& text, const QVector<qint64>& starts, qint64 line) {
  if (line + 1 >= starts.size()) return text.size();
  qint64 end = starts[line + 1] - 1;
  if (text[end] == '\n' && end > starts[line] && text[end - 1] == '\r') --end;
  return end;
}

void compareLines(const Snapshot& snapshot, const QByteArray& plain) {
  const QVector<qint64> starts = lineStarts(plain);
  QCOMPARE(snapshot.lineCount(), starts.size());
  for (qint64 line = 0; line < starts.size(); ++line) {
    QCOMPARE(snapshot.lineStart(line), starts[line]);
    QCOMPARE(snapshot.lineEnd(line), plainLineEnd(plain, starts, line));
  }
  qint64 line = 0;
  for (qint64 at = 0; at <= plain.size(); ++at) {
    while (line + 1 < starts.size() && starts[line + 1] <= at) ++line;
    QCOMPARE(snapshot.lineAt(at), line);
  }
}

}  // namespace

class TestSnapshot : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void anEmptyTextHasOneLine() {
    const Snapshot empty;
    QCOMPARE(empty.size(), 0);
    QCOMPARE(empty.lineCount(), 1);
    QCOMPARE(empty.lineStart(0), 0);
    QCOMPARE(empty.lineEnd(0), 0);
    QCOMPARE(empty.lineAt(5), 0);
    QCOMPARE(empty.toByteArray(), QByteArray());
    QVERIFY(empty == Snapshot(QByteArrayView("")));
    QVERIFY(empty.holds(0, 0));
    QVERIFY(!empty.holds(0, 1));
  }

  void rangesAreChecked() {
    const Snapshot text("abc");
    QVERIFY(text.holds(0, 3));
    QVERIFY(text.holds(3, 3));
    QVERIFY(!text.holds(-1, 2));
    QVERIFY(!text.holds(2, 1));
    QVERIFY(!text.holds(2, 4));
    QCOMPARE(text.slice(-5, 2), QByteArray("ab"));
    QCOMPARE(text.slice(1, 99), QByteArray("bc"));
    QCOMPARE(text.slice(2, 1), QByteArray());
    QCOMPARE(text.lineStart(-3), 0);
    QCOMPARE(text.lineStart(7), 3);
    QCOMPARE(text.lineAt(-2), 0);
  }

  void linesAreScintillas_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("LF") << QByteArray("a\nb\n");
    QTest::newRow("CRLF") << QByteArray("a\r\nb\r\n");
    QTest::newRow("CR") << QByteArray("a\rb\r");
    QTest::newRow("mixed") << QByteArray("\r\r\n\n\r\n\r\r\n");
    // A CRLF over the border of two leaves.
    QTest::newRow("cut") << QByteArray(Snapshot::kLeafBytes - 1, 'x') + "\r\n" +
                                QByteArray(Snapshot::kLeafBytes - 1, 'y');
    QTest::newRow("only CR") << QByteArray(3 * Snapshot::kLeafBytes, '\r');
    QTest::newRow("only LF") << QByteArray(3 * Snapshot::kLeafBytes, '\n');
    QTest::newRow("only CRLF, odd") << 'x' + QByteArray("\r\n").repeated(Snapshot::kLeafBytes);
  }
  void linesAreScintillas() {
    QFETCH(QByteArray, text);
    const Snapshot snapshot(text);
    QVERIFY(snapshot.isSound());
    QCOMPARE(snapshot.toByteArray(), text);
    compareLines(snapshot, text);
  }

  void randomEditsGiveWhatAPlainStringGives_data() {
    QTest::addColumn<int>("seed");
    QTest::addColumn<int>("longest");
    QTest::newRow("keys") << 1 << 3;
    QTest::newRow("words") << 2 << 40;
    QTest::newRow("pages") << 3 << 9000;
  }
  void randomEditsGiveWhatAPlainStringGives() {
    QFETCH(int, seed);
    QFETCH(int, longest);
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto below = [&](qint64 bound) {
      return std::uniform_int_distribution<qint64>(0, bound)(random);
    };
    // Line ends of all kinds, which edits split and join, and pieces of characters.
    const QByteArray pool("ab \r\n\r\n\r\n\xC3\xA9");
    QByteArray plain(8'000, ' ');
    for (char& c : plain) c = pool[below(pool.size() - 1)];
    Snapshot snapshot(plain);
    for (int i = 0; i < 3000; ++i) {
      const qint64 start = below(plain.size());
      const qint64 end = std::min<qint64>(plain.size(), start + below(longest));
      QByteArray added(below(plain.size() > 20'000 ? longest / 4 : longest), ' ');
      for (char& c : added) c = pool[below(pool.size() - 1)];
      const Snapshot before = snapshot;
      snapshot = snapshot.replaced(start, end, added);
      QCOMPARE(before.size(), plain.size());
      plain.replace(start, end - start, added);
      QCOMPARE(snapshot.size(), plain.size());
      QCOMPARE(
          snapshot.slice(start - 50, start + 50),
          plain.mid(std::max<qint64>(0, start - 50),
                    std::min<qint64>(start + 50, plain.size()) - std::max<qint64>(0, start - 50)));
      if (i % 100 != 0) continue;
      QVERIFY(snapshot.isSound());
      QCOMPARE(snapshot.toByteArray(), plain);
      QVERIFY(snapshot == Snapshot(plain));
      QVERIFY(!(snapshot == before) || before.toByteArray() == plain);
      if (i % 500 == 0) compareLines(snapshot, plain);
    }
    // All of it away, by pieces.
    while (!plain.isEmpty()) {
      const qint64 start = below(plain.size());
      const qint64 end = std::min<qint64>(plain.size(), start + 700);
      plain.remove(start, end - start);
      snapshot = snapshot.replaced(start, end, {});
      QVERIFY(snapshot.isSound());
      QCOMPARE(snapshot.size(), plain.size());
    }
    QVERIFY(snapshot.isEmpty());
  }

  void aKeyInALargeTextSharesTheRest() {
    const QByteArray plain = QByteArray("int x = 0;\r\n").repeated(100'000);
    const Snapshot before(plain);
    Snapshot after = before;
    for (int i = 0; i < 5000; ++i) after = after.replaced(600'000 + i, 600'000 + i, "k");
    QCOMPARE(before.toByteArray(), plain);
    QByteArray expected = plain;
    expected.insert(600'000, QByteArray(5000, 'k'));
    QCOMPARE(after.toByteArray(), expected);
    QVERIFY(after.isSound());
    // Far from the edit both are read from the same memory.
    const char* one = nullptr;
    const char* other = nullptr;
    before.read(100, 101, [&](QByteArrayView piece) { one = piece.data(); });
    after.read(100, 101, [&](QByteArrayView piece) { other = piece.data(); });
    QVERIFY(one == other && one != nullptr);
  }

  void aTextComesInPieces() {
    QByteArray plain;
    Snapshot snapshot;
    for (int i = 0; i < 300; ++i) {
      const QByteArray piece(i * 7 % 5000, static_cast<char>('a' + i % 26));
      plain += piece;
      snapshot = snapshot.appended(piece);
    }
    QVERIFY(snapshot.isSound());
    QCOMPARE(snapshot.toByteArray(), plain);
  }

  void anotherThreadReadsWhileThisOneEdits() {
    const QByteArray plain = QByteArray("one line\n").repeated(20'000);
    Snapshot snapshot(plain);
    const Snapshot taken = snapshot;
    bool same = true;
    std::thread reader([taken, &plain, &same] {
      for (int i = 0; i < 50; ++i) same = same && taken.toByteArray() == plain;
    });
    for (int i = 0; i < 2000; ++i) snapshot = snapshot.replaced(i * 50, i * 50 + 9, "other\n");
    reader.join();
    QVERIFY(same);
    QVERIFY(!(snapshot == taken));
  }

  void editsAreTakenBack() {
    const Snapshot before("one\ntwo\nthree\n");
    const QVector<TextEdit> edits{{0, 3, "1"}, {2, 5, ""}, {2, 2, "zwei"}, {0, 0, "\r\n"}};
    Snapshot after = before;
    for (const TextEdit& edit : edits) after = after.edited(edit);
    QCOMPARE(after.toByteArray(), QByteArray("\r\n1\nzwei\nthree\n"));
    for (const TextEdit& edit : inverseOf(edits, before)) after = after.edited(edit);
    QVERIFY(after == before);
  }

  // -- Positions

  void placesCountUnitsAndCharacters_data() {
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<qint64>("line");
    QTest::addColumn<qint64>("utf16");
    QTest::addColumn<qint64>("codePoints");
    // "é😀x\r\n\xFFy漢": bytes 2, 4, 1, CR LF, 1, 1, 3.
    const auto row = [](const char* name, qint64 offset, qint64 line, qint64 units, qint64 points) {
      QTest::newRow(name) << offset << line << units << points;
    };
    row("start", 0, 0, 0, 0);
    row("behind é", 2, 0, 1, 1);
    row("behind the pair", 6, 0, 3, 2);
    row("line end", 7, 0, 4, 3);
    row("second line", 9, 1, 0, 0);
    row("behind the broken byte", 10, 1, 1, 1);
    row("behind y", 11, 1, 2, 2);
    row("end", 14, 1, 3, 3);
  }
  void placesCountUnitsAndCharacters() {
    QFETCH(qint64, offset);
    QFETCH(qint64, line);
    QFETCH(qint64, utf16);
    QFETCH(qint64, codePoints);
    const Snapshot text("é😀x\r\n\xFFy漢");
    QCOMPARE(utf16Place(text, offset).line, line);
    QCOMPARE(utf16Place(text, offset).column, utf16);
    QCOMPARE(codePointPlace(text, offset).line, line);
    QCOMPARE(codePointPlace(text, offset).column, codePoints);
    QCOMPARE(offsetOfUtf16(text, {line, utf16}), offset);
    QCOMPARE(offsetOfCodePoint(text, {line, codePoints}), offset);
  }

  void placesOutsideAreClamped() {
    const Snapshot text("é😀\r\nb");
    QCOMPARE(offsetOfUtf16(text, {0, 99}), 6);
    QCOMPARE(offsetOfCodePoint(text, {0, 99}), 6);
    QCOMPARE(offsetOfUtf16(text, {0, -1}), 0);
    QCOMPARE(offsetOfUtf16(text, {-1, 3}), 0);
    QCOMPARE(offsetOfUtf16(text, {2, 0}), 9);
    QCOMPARE(offsetOfCodePoint(text, {5, 0}), 9);
    QCOMPARE(offsetOfUtf16(text, {0, 2}), 6);  // between the halves of the pair
    QCOMPARE(utf16Place(text, 4).column, 3);   // inside it
    QCOMPARE(utf16Place(text, 7).column, 3);   // inside the CRLF
    QCOMPARE(utf16Place(text, 7).line, 0);
    QCOMPARE(utf16Place(text, 99).line, 1);
    QCOMPARE(utf16Place(text, 99).column, 1);
  }
};

QTEST_GUILESS_MAIN(TestSnapshot)
#include "test_snapshot.moc"
