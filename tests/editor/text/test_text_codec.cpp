// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/text/decoded_line.h"
#include "editor/text/text_codec.h"

using namespace waferpair::editor;

namespace {

struct Decoded {
  bool binary;
  Encoding encoding;
  QByteArray utf8;
};

// Feeds `bytes` in chunks of `chunk`, as a file arrives.
Decoded decodeInChunks(const QByteArray& bytes, qsizetype chunk) {
  EncodingDetector detector;
  for (qsizetype at = 0; at < bytes.size(); at += chunk) detector.feed(bytes.mid(at, chunk));
  detector.finish();
  TextDecoder decoder(detector.encoding());
  QByteArray utf8;
  for (qsizetype at = 0; at < bytes.size(); at += chunk) utf8 += decoder.feed(bytes.mid(at, chunk));
  return {detector.isBinary(), detector.encoding(), utf8};
}

QByteArray randomBytes(std::mt19937* random, int length, bool withNul) {
  QByteArray bytes;
  for (int i = 0; i < length; ++i)
    bytes.append(static_cast<char>((*random)() % (withNul ? 256 : 255) + (withNul ? 0 : 1)));
  return bytes;
}

// Text of all planes, surrogate pairs included.
QString randomText(std::mt19937* random, int length) {
  static const QString pool = QStringLiteral("ab \t\n{}é€ßДअ漢") + QString::fromUcs4(U"😀𝄞");
  const QList<uint> characters = pool.toUcs4();
  QString text;
  for (int i = 0; i < length; ++i) {
    const auto c = static_cast<char32_t>(
        characters[static_cast<qsizetype>((*random)() % static_cast<size_t>(characters.size()))]);
    text += QString::fromUcs4(&c, 1);
  }
  return text;
}

}  // namespace

class TestTextCodec : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void detectsByMarkAndValidity_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Encoding>("encoding");
    QTest::addColumn<QByteArray>("utf8");
    QTest::newRow("empty") << QByteArray() << Encoding::kUtf8 << QByteArray();
    QTest::newRow("ascii") << QByteArray("int a;\n") << Encoding::kUtf8 << QByteArray("int a;\n");
    QTest::newRow("utf8") << QByteArray("\xC3\xA9") << Encoding::kUtf8 << QByteArray("\xC3\xA9");
    QTest::newRow("only mark") << QByteArray("\xEF\xBB\xBF") << Encoding::kUtf8Bom << QByteArray();
    QTest::newRow("mark") << QByteArray("\xEF\xBB\xBFx") << Encoding::kUtf8Bom << QByteArray("x");
    QTest::newRow("utf16le") << QByteArray("\xFF\xFEx\0\xE9\0", 6) << Encoding::kUtf16Le
                             << QByteArray("x\xC3\xA9");
    QTest::newRow("utf16be") << QByteArray("\xFE\xFF\0x\0\xE9", 6) << Encoding::kUtf16Be
                             << QByteArray("x\xC3\xA9");
    QTest::newRow("latin") << QByteArray("caf\xE9 \x80") << Encoding::kWindows1252
                           << QByteArray("caf\xC3\xA9 \xE2\x82\xAC");
    QTest::newRow("cut character")
        << QByteArray("caf\xC3") << Encoding::kWindows1252 << QByteArray("caf\xC3\x83");
    // What is UTF-8 but for a few bytes keeps those.
    QTest::newRow("mark, then no utf8")
        << QByteArray("\xEF\xBB\xBF\xFF") << Encoding::kUtf8Bom << QByteArray("\xFF");
    QTest::newRow("utf8 and a bad byte")
        << QByteArray("na\xC3\xAFve \xFF") << Encoding::kUtf8 << QByteArray("na\xC3\xAFve \xFF");
    QTest::newRow("utf8 that is cut off") << QByteArray("\xE6\x97\xA5 \xE6\x97") << Encoding::kUtf8
                                          << QByteArray("\xE6\x97\xA5 \xE6\x97");
    QTest::newRow("a byte of no letter")
        << QByteArray("int a;\xFF\n") << Encoding::kUtf8 << QByteArray("int a;\xFF\n");
    QTest::newRow("U+FFFD and a bad byte")
        << QByteArray("\xEF\xBF\xBD\xFF") << Encoding::kUtf8 << QByteArray("\xEF\xBF\xBD\xFF");
  }
  void detectsByMarkAndValidity() {
    QFETCH(QByteArray, bytes);
    QFETCH(Encoding, encoding);
    QFETCH(QByteArray, utf8);
    for (const qsizetype chunk : {1, 2, 3, 100}) {
      const Decoded decoded = decodeInChunks(bytes, chunk);
      QVERIFY(!decoded.binary);
      QCOMPARE(decoded.encoding, encoding);
      QCOMPARE(decoded.utf8, utf8);
    }
  }

  void binaryBytesAreNotText_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("nul") << QByteArray("ELF\0\1", 5);
    QTest::newRow("utf16 odd byte") << QByteArray("\xFF\xFEx\0y", 5);
    QTest::newRow("utf16 lone low") << QByteArray("\xFF\xFE\x00\xDCx\0", 6);
    QTest::newRow("utf16 lone high") << QByteArray("\xFF\xFE\x00\xD8x\0", 6);
    QTest::newRow("utf16 ends in high") << QByteArray("\xFF\xFEx\0\x00\xD8", 6);
    QTest::newRow("utf32 mark, utf16 text") << QByteArray("\xFF\xFE\0\0x\0", 6);
  }
  void binaryBytesAreNotText() {
    QFETCH(QByteArray, bytes);
    for (const qsizetype chunk : {1, 2, 3, 100}) QVERIFY(decodeInChunks(bytes, chunk).binary);
  }

  // Whatever is called text must come back byte for byte.
  void anyBytesCalledTextComeBack() {
    std::mt19937 random(20261121);
    int texts = 0;
    for (int round = 0; round < 3000; ++round) {
      QByteArray bytes = randomBytes(&random, static_cast<int>(random() % 40), round % 4 == 0);
      // The last three: a character that looks like a mark, behind the mark.
      const QByteArray marks[] = {"",
                                  "\xEF\xBB\xBF",
                                  "\xFF\xFE",
                                  "\xFE\xFF",
                                  "\xEF\xBB\xBF\xEF\xBB\xBF",
                                  "\xFF\xFE\xFF\xFE",
                                  "\xFE\xFF\xFE\xFF"};
      bytes.prepend(marks[random() % std::size(marks)]);
      const Decoded decoded = decodeInChunks(bytes, static_cast<qsizetype>(1 + random() % 7));
      if (decoded.binary) continue;
      ++texts;
      const Result<QByteArray> encoded = encodeText(decoded.utf8, decoded.encoding);
      QVERIFY2(encoded.has_value(), bytes.toHex());
      QCOMPARE(encoded->toHex(), bytes.toHex());
    }
    QVERIFY(texts > 500);
  }

  void offsetsOfADecodedLineLeadBothWays() {
    std::mt19937 random(3);
    for (int round = 0; round < 500; ++round) {
      // Every byte counts, those that are part of no character too.
      const QByteArray odd = randomBytes(&random, static_cast<int>(random() % 12), true);
      DecodedLine mixed("\xEF\xBB\xBF" + odd);
      QCOMPARE(mixed.text().front(), QChar(0xFEFF));
      QCOMPARE(mixed.byteAt(mixed.text().size()), 3 + odd.size());
      QCOMPARE(mixed.unitAt(3 + odd.size()), mixed.text().size());

      const QString text = u'\uFEFF' + randomText(&random, static_cast<int>(random() % 30));
      DecodedLine line(text.toUtf8());
      QCOMPARE(line.text(), text);
      for (int look = 0; look < 20; ++look) {
        auto unit = static_cast<qsizetype>(random() % static_cast<size_t>(text.size() + 1));
        if (unit < text.size() && text[unit].isLowSurrogate()) ++unit;
        const qsizetype byte = QStringView(text).first(unit).toUtf8().size();
        QCOMPARE(line.byteAt(unit), byte);
        QCOMPARE(line.unitAt(byte), unit);
      }
    }
  }

  void anyTextComesBackInEveryUnicodeEncoding() {
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
      const QByteArray utf8 = randomText(&random, 1 + static_cast<int>(random() % 60)).toUtf8();
      for (const Encoding encoding :
           {Encoding::kUtf8, Encoding::kUtf8Bom, Encoding::kUtf16Le, Encoding::kUtf16Be}) {
        const Result<QByteArray> bytes = encodeText(utf8, encoding);
        QVERIFY(bytes.has_value());
        const Decoded decoded = decodeInChunks(*bytes, static_cast<qsizetype>(1 + random() % 5));
        QVERIFY(!decoded.binary);
        QCOMPARE(decoded.encoding, encoding);
        QCOMPARE(decoded.utf8, utf8);
      }
    }
  }

  void characterTheEncodingLacksIsNamedWithItsLine() {
    const Result<QByteArray> bytes = encodeText("a\nb \xE2\x86\x92\n", Encoding::kWindows1252);
    QVERIFY(!bytes.has_value());
    QVERIFY2(bytes.error().what.contains(QStringLiteral("Line 2")), qPrintable(bytes.error().what));
    QVERIFY(bytes.error().what.contains(QStringLiteral("U+2192")));
    QVERIFY(bytes.error().remedy.contains(QStringLiteral("UTF-8")));
  }

  void invalidUtf8IsNotSilentlyReplaced() {
    QCOMPARE(*encodeText("a\xFF", Encoding::kUtf8), QByteArray("a\xFF"));
    QVERIFY(!encodeText("a\xFF", Encoding::kUtf16Le).has_value());
  }

  void strayBytesAreCountedAcrossChunks_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<qint64>("characters");
    QTest::addColumn<qint64>("stray");
    QTest::addColumn<qint64>("first");
    const auto row = [](const char* name, const QByteArray& bytes, qint64 characters, qint64 stray,
                        qint64 first) {
      QTest::newRow(name) << bytes << characters << stray << first;
    };
    row("none", "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 3, 0, -1);
    row("one",
        "a\xC3\xA9\xFF"
        "b\xC3\xA9",
        2, 1, 3);
    row("cut off at the end",
        "\xC3\xA9"
        "ab\xE2\x82",
        1, 2, 4);
    row("cut off by a letter",
        "\xE2\x82"
        "a\xF0\x9F\x98"
        "b",
        0, 5, 0);
    row("surrogate", "\xED\xA0\x80", 0, 3, 0);
    row("too long", "a\xC0\x80\xE0\x80\x80", 0, 5, 1);
    row("too high", "\xF4\x90\x80\x80", 0, 4, 0);
    row("continuations", "\x80\xBF", 0, 2, 0);
  }
  void strayBytesAreCountedAcrossChunks() {
    QFETCH(QByteArray, bytes);
    for (const qsizetype chunk : {1, 2, 3, 100}) {
      Utf8Counter counter;
      for (qsizetype at = 0; at < bytes.size(); at += chunk) counter.feed(bytes.mid(at, chunk));
      counter.finish();
      QTEST(counter.characters(), "characters");
      QTEST(counter.strayBytes(), "stray");
      QTEST(counter.firstStray(), "first");
    }
  }

  void lineEndsAreCountedAcrossChunks() {
    const QByteArray text = "a\r\nb\nc\rd\r\n\r";
    for (const qsizetype chunk : {1, 2, 3, 20}) {
      LineEndCounter counter;
      for (qsizetype at = 0; at < text.size(); at += chunk) counter.feed(text.mid(at, chunk));
      counter.finish();
      QCOMPARE(counter.count(LineEnds::kLf), 1);
      QCOMPARE(counter.count(LineEnds::kCr), 2);
      QCOMPARE(counter.count(LineEnds::kCrLf), 2);
      QVERIFY(counter.isMixed());
    }
    LineEndCounter none;
    none.finish();
    QVERIFY(!none.isMixed());
    QCOMPARE(none.dominant(), LineEnds::kLf);
  }
};

QTEST_GUILESS_MAIN(TestTextCodec)
#include "test_text_codec.moc"
