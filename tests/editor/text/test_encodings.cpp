// SPDX-License-Identifier: GPL-3.0-or-later
// Encodings that a user chooses, by ICU; those that are told apart by a file's bytes are in
// test_text_codec.cpp.
#include <QtTest>
#include <random>

#include "editor/text/text_file.h"

using namespace waferpair::editor;

namespace {

QByteArray decodeInChunks(const QByteArray& bytes, Encoding encoding, qsizetype chunk) {
  TextDecoder decoder(encoding);
  QByteArray utf8;
  for (qsizetype at = 0; at < bytes.size(); at += chunk) utf8 += decoder.feed(bytes.mid(at, chunk));
  return utf8;
}

bool isLossless(const QByteArray& bytes, Encoding encoding, qsizetype chunk) {
  RoundTrip trip(encoding);
  for (qsizetype at = 0; at < bytes.size(); at += chunk) trip.feed(bytes.mid(at, chunk));
  trip.finish();
  return trip.isLossless();
}

QString written(const QTemporaryDir& folder, const QByteArray& bytes) {
  QFile file(folder.filePath(QStringLiteral("text.txt")));
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
  return file.fileName();
}

QByteArray onDisk(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

}  // namespace

class TestEncodings : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachHasANameOfItsOwnAndAConverter() {
    QSet<QString> names;
    for (const Encoding encoding : allEncodings()) {
      names.insert(encodingName(encoding));
      if (icuName(encoding) != nullptr)
        QVERIFY2(IcuConverter(icuName(encoding)).isOpen(), icuName(encoding));
    }
    QCOMPARE(names.size(), allEncodings().size());
  }

  // The bytes are those of the standards, not those that our code gives.
  void knownTextsHaveKnownBytes_data() {
    QTest::addColumn<Encoding>("encoding");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("utf8");
    const auto row = [](Encoding encoding, const QByteArray& bytes, const char* utf8) {
      QTest::newRow(qPrintable(encodingName(encoding))) << encoding << bytes << QByteArray(utf8);
    };
    row(Encoding::kUtf16LeNoMark, QByteArray("a\0\xAC\x20\x3D\xD8\x00\xDE\r\0\n\0", 12), "a€😀\r\n");
    row(Encoding::kUtf16BeNoMark, QByteArray("\0a\x20\xAC\xD8\x3D\xDE\x00", 8), "a€😀");
    row(Encoding::kUtf32Le, QByteArray("\xFF\xFE\0\0a\0\0\0\x00\xF6\x01\0", 12), "a😀");
    row(Encoding::kUtf32Be, QByteArray("\0\0\xFE\xFF\0\0\0a\0\x01\xF6\x00", 12), "a😀");
    row(Encoding::kIso8859_1, "caf\xE9\r\n", "café\r\n");
    row(Encoding::kIso8859_2, "\xA3\xF3\x64\xBC\n", "Łódź\n");
    row(Encoding::kIso8859_5, "\xBF\xE0\xD8\xD2\xD5\xE2", "Привет");
    row(Encoding::kIso8859_7, "\xE1\xE2\xE3", "αβγ");
    row(Encoding::kIso8859_8, "\xE9\xE5\xED", "יום");
    row(Encoding::kIso8859_9, "\xFD\xFE", "ış");
    row(Encoding::kIso8859_15, "\xA4\xBD", "€œ");
    row(Encoding::kWindows1250, "\x8A\x9E", "Šž");
    row(Encoding::kWindows1251, "\xCF\xF0\xE8\xE2\xE5\xF2\r", "Привет\r");
    row(Encoding::kWindows1253, "\xE1\x80", "α€");
    row(Encoding::kKoi8R, "\xF0\xD2\xC9\xD7\xC5\xD4", "Привет");
    row(Encoding::kKoi8U, "\xA4", "є");
    row(Encoding::kIbm437, "\x81\x9C", "ü£");
    row(Encoding::kIbm866, "\x8F\xE0", "Пр");
    row(Encoding::kMacRoman, "\x8E\xDB", "é€");
    row(Encoding::kShiftJis, "\x93\xFA\x96\x7B\xB1", "日本ｱ");
    row(Encoding::kEucJp, "\xC6\xFC\xCB\xDC", "日本");
    row(Encoding::kIso2022Jp, "a\x1B$B\x46\x7C\x4B\x5C\x1B(B\n", "a日本\n");
    row(Encoding::kGb18030, "\xD6\xD0\x94\x39\xFC\x36", "中😀");
    row(Encoding::kGbk, "\xD6\xD0\xCE\xC4", "中文");
    row(Encoding::kBig5, "\xA4\xA4\xA4\xE5", "中文");
    row(Encoding::kEucKr, "\xC7\xD1", "한");
  }
  void knownTextsHaveKnownBytes() {
    QFETCH(Encoding, encoding);
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, utf8);
    for (const qsizetype chunk : {qsizetype(1), qsizetype(3), bytes.size()}) {
      QCOMPARE(decodeInChunks(bytes, encoding, chunk), utf8);
      QVERIFY(isLossless(bytes, encoding, chunk));
    }
    const Result<QByteArray> encoded = encodeText(utf8, encoding);
    QVERIFY(encoded);
    QCOMPARE(encoded->toHex(), bytes.toHex());
  }

  // Whatever RoundTrip calls lossless comes back to the byte.
  void randomBytesComeBackOrAreRefused_data() {
    QTest::addColumn<Encoding>("encoding");
    for (const Encoding encoding : allEncodings())
      QTest::newRow(qPrintable(encodingName(encoding))) << encoding;
  }
  void randomBytesComeBackOrAreRefused() {
    QFETCH(Encoding, encoding);
    std::mt19937 random(static_cast<unsigned>(encoding) + 1);
    int lossless = 0;
    for (int round = 0; round < 400; ++round) {
      QByteArray bytes = byteOrderMark(encoding);
      const int length = static_cast<int>(random() % 12);
      for (int i = 0; i < length; ++i)
        bytes.append(static_cast<char>(round % 2 == 0 ? 32 + random() % 95 : random() % 256));
      const qsizetype chunk = 1 + static_cast<qsizetype>(random() % 5);
      if (!isLossless(bytes, encoding, chunk)) continue;
      ++lossless;
      const QByteArray utf8 = decodeInChunks(bytes, encoding, chunk);
      QVERIFY(utf8.isValidUtf8());
      const Result<QByteArray> encoded = encodeText(utf8, encoding);
      QVERIFY(encoded);
      QCOMPARE(encoded->toHex(), bytes.toHex());
    }
    QVERIFY(lossless > 10);
  }

  // Longer than the converters' pieces, with pairs wherever a piece may end.
  void longTextsComeBack_data() { randomBytesComeBackOrAreRefused_data(); }
  void longTextsComeBack() {
    QFETCH(Encoding, encoding);
    const bool unicode =
        encodingName(encoding).startsWith(u"UTF") || encoding == Encoding::kGb18030;
    for (const int shift : {0, 1, 2, 3}) {
      const QByteArray utf8 =
          QByteArray(shift, 'x') + QByteArray(unicode ? "a😀é\r\n" : "plain\r\n").repeated(9000);
      const Result<QByteArray> bytes = encodeText(utf8, encoding);
      QVERIFY(bytes);
      QVERIFY(isLossless(*bytes, encoding, 10'007));
      QVERIFY(decodeInChunks(*bytes, encoding, 10'007) == utf8);
    }
  }

  void aMissingCharacterIsNamedWithItsLine() {
    const Result<QByteArray> bytes = encodeText("eins\nzwei €\n", Encoding::kIso8859_1);
    QVERIFY(!bytes);
    QCOMPARE(bytes.error().what,
             QStringLiteral("Line 2: ISO-8859-1 has no character “€” (U+20AC)."));
    const Result<QByteArray> pair = encodeText("a\n\n😀", Encoding::kKoi8R);
    QVERIFY(!pair);
    QCOMPARE(pair.error().what, QStringLiteral("Line 3: KOI8-R has no character “😀” (U+1F600)."));
  }

  void utf32IsKnownByItsMark_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("binary");
    QTest::addColumn<Encoding>("encoding");
    QTest::newRow("little") << QByteArray("\xFF\xFE\0\0a\0\0\0", 8) << false << Encoding::kUtf32Le;
    QTest::newRow("big") << QByteArray("\0\0\xFE\xFF\0\0\0a", 8) << false << Encoding::kUtf32Be;
    QTest::newRow("cut off") << QByteArray("\xFF\xFE\0\0a\0\0", 7) << true << Encoding::kUtf32Le;
    QTest::newRow("too high") << QByteArray("\xFF\xFE\0\0\0\0\x11\0", 8) << true
                              << Encoding::kUtf32Le;
    QTest::newRow("NUL") << QByteArray("\xFF\xFE\0\0\0\0\0\0", 8) << true << Encoding::kUtf32Le;
    QTest::newRow("a mark of UTF-16") << QByteArray(
                                             "\xFF\xFE"
                                             "a\0",
                                             4)
                                      << false << Encoding::kUtf16Le;
  }
  void utf32IsKnownByItsMark() {
    QFETCH(QByteArray, bytes);
    QFETCH(bool, binary);
    QFETCH(Encoding, encoding);
    for (const qsizetype chunk : {qsizetype(1), bytes.size()}) {
      EncodingDetector detector;
      for (qsizetype at = 0; at < bytes.size(); at += chunk) detector.feed(bytes.mid(at, chunk));
      detector.finish();
      QCOMPARE(detector.isBinary(), binary);
      QCOMPARE(detector.encoding(), encoding);
    }
  }

  // -- Files

  void aFileIsReadAsChosenAndSavedAsItWas() {
    QTemporaryDir folder;
    const QByteArray bytes("\xCF\xF0\xE8\xE2\xE5\xF2\r\nint x;\r\n");
    const QString path = written(folder, bytes);
    auto file = TextFile::open(path, Encoding::kWindows1251);
    QVERIFY(file);
    QCOMPARE(file->encoding(), Encoding::kWindows1251);
    QCOMPARE(file->lineEnds(), LineEnds::kCrLf);
    const Result<Snapshot> text = file->readText();
    QVERIFY(text);
    QCOMPARE(text->toByteArray(), QByteArray("Привет\r\nint x;\r\n"));
    QVERIFY(file->save(text->toByteArray() + "й\r\n"));
    QCOMPARE(onDisk(path), bytes + "\xE9\r\n");
  }

  void textWithNulBytesIsTextIfTheChosenEncodingSaysSo() {
    QTemporaryDir folder;
    const QString path = written(folder, QByteArray("a\0\n\0", 4));
    QCOMPARE(TextFile::open(path)->safeMode(), SafeMode::kBinary);
    const auto file = TextFile::open(path, Encoding::kUtf16LeNoMark);
    QVERIFY(file);
    QCOMPARE(file->safeMode(), SafeMode::kOff);
    QCOMPARE(file->readText()->toByteArray(), QByteArray("a\n"));
  }

  void aFileThatWouldNotComeBackOpensAsIfNothingWereChosen_data() {
    QTest::addColumn<Encoding>("encoding");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Encoding>("opened");
    QTest::newRow("not UTF-8") << Encoding::kUtf8 << QByteArray("caf\xE9")
                               << Encoding::kWindows1252;
    QTest::newRow("no mark") << Encoding::kUtf8Bom << QByteArray("abc") << Encoding::kUtf8;
    QTest::newRow("shorter than the mark")
        << Encoding::kUtf32Le << QByteArray("ab") << Encoding::kUtf8;
    QTest::newRow("half a character")
        << Encoding::kShiftJis << QByteArray("a\x93") << Encoding::kWindows1252;
    QTest::newRow("odd length") << Encoding::kUtf16LeNoMark << QByteArray("abc") << Encoding::kUtf8;
    QTest::newRow("an escape too many")
        << Encoding::kIso2022Jp << QByteArray("a\x1B(B\x1B(Bb") << Encoding::kUtf8;
  }
  void aFileThatWouldNotComeBackOpensAsIfNothingWereChosen() {
    QFETCH(Encoding, encoding);
    QFETCH(QByteArray, bytes);
    QFETCH(Encoding, opened);
    QTemporaryDir folder;
    const QString path = written(folder, bytes);
    auto file = TextFile::open(path, encoding);
    QVERIFY(file);
    QCOMPARE(file->encoding(), opened);
    const Result<Snapshot> text = file->readText();
    QVERIFY(text);
    QVERIFY(file->save(text->toByteArray()));
    QCOMPARE(onDisk(path).toHex(), bytes.toHex());
  }
};

QTEST_GUILESS_MAIN(TestEncodings)
#include "test_encodings.moc"
