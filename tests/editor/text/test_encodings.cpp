// SPDX-License-Identifier: GPL-3.0-or-later
// Encodings that a user chooses, by ICU; those that are told apart by a file's bytes are in
// test_text_codec.cpp.
#include <QtTest>
#include <random>

#include "editor/text/kept_bytes.h"
#include "editor/text/positions.h"
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
      const bool keepsAll = encoding == Encoding::kUtf8 || encoding == Encoding::kUtf8Bom;
      QVERIFY(keepsAll || utf8.isValidUtf8());
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

  // -- Guesses

  void anEncodingIsGuessedByItsWords_data() {
    QTest::addColumn<Encoding>("encoding");
    QTest::addColumn<QByteArray>("utf8");
    const auto row = [](Encoding encoding, const char* name, const char* utf8) {
      QTest::addRow("%s %s", qPrintable(encodingName(encoding)), name)
          << encoding << QByteArray(utf8);
    };
    row(Encoding::kWindows1251, "text", "Привет, мир. Это простой текст\n");
    row(Encoding::kWindows1251, "comment", "int x;  // счётчик строк\n");
    row(Encoding::kWindows1251, "Ukrainian", "Це простий український текст, їжак є.\n");
    row(Encoding::kWindows1251, "one word", "MsgBox \"Ошибка\"\r\n");
    row(Encoding::kKoi8R, "text", "Привет, мир. Это простой текст\n");
    row(Encoding::kIbm866, "text", "Привет, мир. Это простой текст\n");
    row(Encoding::kShiftJis, "text", "日本語のテキストです。これは長い文章の例です。\n");
    row(Encoding::kShiftJis, "comment", "return 0;  // 日本語\n");
    row(Encoding::kShiftJis, "string", "printf(\"こんにちは\");\n");
    row(Encoding::kEucJp, "comment", "/* 文字列を比較する */\n");
    row(Encoding::kIso2022Jp, "text", "a\n日本語\n");
    row(Encoding::kGb18030, "text", "这是一个用于测试的中文文本文件。\n");
    row(Encoding::kGb18030, "comment", "int main() { return 0; } // 返回值\n/* 初始化系统 */\n");
    row(Encoding::kBig5, "text", "這是一個用來測試的繁體中文文字檔案。\n");
    row(Encoding::kEucKr, "comment", "x = 1  # 한국어 주석\n");
    row(Encoding::kWindows1252, "German", "// Größe der Tabelle, für übergroße Schlüssel\n");
    row(Encoding::kWindows1252, "French", "Le café est très bon, à côté de l'hôtel.\n");
    row(Encoding::kWindows1252, "names", "Björn Müller, François Lefèvre, Åsa, José García\n");
    row(Encoding::kWindows1252, "signs", "// Copyright © 2004: 45° ± 2 µm, “quoted” – fine\n");
    row(Encoding::kWindows1250, "Czech", "// načtení souboru se nezdařilo, žádný výsledek\n");
    row(Encoding::kIso8859_7, "Greek", "Αυτό είναι ένα απλό ελληνικό κείμενο για δοκιμή.\n");
    row(Encoding::kIso8859_8, "Hebrew", "זהו טקסט בעברית לבדיקה של הקידוד\n");
    row(Encoding::kWindows1256, "Arabic", "هذا نص عربي بسيط للاختبار\n");
    row(Encoding::kUtf16LeNoMark, "text", "Hello, world. Привет, 世界 😀.\r\n");
    row(Encoding::kUtf16BeNoMark, "text", "Hello, world. Привет, 世界 😀.\r\n");
  }
  void anEncodingIsGuessedByItsWords() {
    QFETCH(Encoding, encoding);
    QFETCH(QByteArray, utf8);
    for (const int times : {1, 50}) {
      const QByteArray text = utf8.repeated(times);
      const QByteArray bytes = *encodeText(text, encoding);
      QTemporaryDir folder;
      const QString path = written(folder, bytes);
      auto file = TextFile::open(path);
      QVERIFY(file);
      QCOMPARE(encodingName(file->encoding()), encodingName(encoding));
      QVERIFY(file->isGuessed());
      QCOMPARE(file->safeMode(), SafeMode::kOff);
      QCOMPARE(file->readText()->toByteArray(), text);
      // What is typed is in the same encoding, and stays a guess when it is read again.
      QVERIFY(file->save("x" + text));
      QCOMPARE(onDisk(path), *encodeText("x" + text, encoding));
      const auto again = file->openAgain();
      QCOMPARE(again->encoding(), encoding);
      QCOMPARE(again->readText()->toByteArray(), "x" + text);
    }
  }

  void nothingIsGuessedWhereTheBytesTellIt_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Encoding>("encoding");
    QTest::newRow("ASCII") << QByteArray("int a;\n") << Encoding::kUtf8;
    QTest::newRow("UTF-8") << QByteArray("Привет\n") << Encoding::kUtf8;
    QTest::newRow("UTF-8 and a bad byte") << QByteArray("Привет\xFF\n") << Encoding::kUtf8;
    QTest::newRow("UTF-16 with a mark") << QByteArray("\xFF\xFEx\0\xE9\0", 6) << Encoding::kUtf16Le;
    QTest::newRow("colors of a log") << QByteArray("\x1B[31mred\x1B[0m\n") << Encoding::kUtf8;
    QTest::newRow("bytes of nothing") << QByteArray("a \x81\xFF\x8D b\n") << Encoding::kUtf8;
  }
  void nothingIsGuessedWhereTheBytesTellIt() {
    QFETCH(QByteArray, bytes);
    QFETCH(Encoding, encoding);
    QTemporaryDir folder;
    const auto file = TextFile::open(written(folder, bytes));
    QCOMPARE(file->encoding(), encoding);
    QVERIFY(!file->isGuessed());
  }

  // A program has NUL bytes at every other place, too, but not only there, nor characters alone.
  void whatIsNotWrittenIsNoUtf16_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("numbers") << QByteArray("\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0\x07\0\x08\0", 16);
    QTest::newRow("NUL of two bytes") << QByteArray("a\0b\0\0\0c\0d\0e\0f\0g\0", 16);
    QTest::newRow("half a pair") << QByteArray(
        "a\0b\0\x01\xD8"
        "c\0d\0e\0f\0g\0",
        16);
    QTest::newRow("odd length") << QByteArray("a\0b\0c\0d\0e\0f\0g\0h\0i", 17);
    QTest::newRow("not assigned") << QByteArray(
        "a\0b\0\xFF\xFF"
        "c\0d\0e\0f\0g\0",
        16);
    QTest::newRow("ASCII and a NUL") << QByteArray("line one\r\nnul \0 here  \nline thre", 32);
    QTest::newRow("short") << QByteArray("a\0b\0", 4);
  }
  void whatIsNotWrittenIsNoUtf16() {
    QFETCH(QByteArray, bytes);
    QTemporaryDir folder;
    QCOMPARE(TextFile::open(written(folder, bytes))->safeMode(), SafeMode::kBinary);
  }

  void aChoiceIsNoGuess() {
    QTemporaryDir folder;
    const QByteArray bytes = *encodeText("Привет, мир\n", Encoding::kWindows1251);
    const QString path = written(folder, bytes);
    for (const Encoding chosen :
         {Encoding::kWindows1252, Encoding::kUtf8, Encoding::kWindows1251}) {
      auto file = TextFile::open(path, chosen);
      QCOMPARE(file->encoding(), chosen);
      QVERIFY(!file->isGuessed());
      QCOMPARE(file->openAgain()->encoding(), chosen);
      QVERIFY(file->save(file->readText()->toByteArray()));
      QCOMPARE(onDisk(path), bytes);
      QCOMPARE(file->openAgain()->encoding(), chosen);
      QVERIFY(!file->openAgain()->isGuessed());
    }
  }

  void aGuessGivesWayToUtf8() {
    QTemporaryDir folder;
    const QString path = written(folder, *encodeText("Привет, мир\n", Encoding::kWindows1251));
    const auto file = TextFile::open(path);
    QCOMPARE(file->encoding(), Encoding::kWindows1251);
    written(folder, "Привет, мир\n");
    QCOMPARE(file->openAgain()->encoding(), Encoding::kUtf8);
    QVERIFY(!file->openAgain()->isGuessed());
  }

  // -- Bytes that are no characters

  // Any bytes in, the same bytes out: as they are found, opened anyway, and after an edit
  // elsewhere.
  void anyBytesComeBackAfterAnEdit() {
    std::mt19937 random(20261128);
    QTemporaryDir folder;
    const QByteArrayList pieces = {"naïve ",
                                   "日本語",
                                   "\xFF",
                                   "\xC3",
                                   "\xE6\x97",
                                   "\xF0\x9F\x98",
                                   "\xED\xA0\x80",
                                   "\xEF\xBF\xBD",
                                   "\xED\xB3\xBF",
                                   "\xEE\x80\x80",
                                   "\r\n",
                                   "\n",
                                   "\r",
                                   "a",
                                   "\xE9",
                                   "Привет",
                                   QByteArray(1, '\0'),
                                   "\xEF\xBB\xBF",
                                   "\x80"};
    int raw = 0;
    for (int round = 0; round < 400; ++round) {
      QByteArray bytes;
      for (int i = static_cast<int>(random() % 12); i > 0; --i)
        bytes += random() % 4 == 0 ? QByteArray(1, static_cast<char>(random() % 256))
                                   : pieces[static_cast<qsizetype>(random()) % pieces.size()];
      const QString path = written(folder, bytes);
      auto file = TextFile::open(path);
      QVERIFY(file);
      if (file->safeMode() == SafeMode::kBinary) {
        QVERIFY(!file->save("x"));
        file = TextFile::openRaw(path);
        QCOMPARE(file->safeMode(), SafeMode::kRaw);
        QCOMPARE(file->openAgain()->safeMode(), SafeMode::kRaw);
        ++raw;
      }
      const QByteArray utf8 = file->readText()->toByteArray();
      QVERIFY(file->save(utf8));
      QCOMPARE(onDisk(path).toHex(), bytes.toHex());
      const qsizetype mark = byteOrderMark(file->encoding()).size();
      const Result<QByteArray> typed = encodeText("typed ", file->encoding());
      QVERIFY(file->save("typed " + utf8));
      QCOMPARE(onDisk(path).toHex(), (*typed + bytes.mid(mark)).toHex());
    }
    QVERIFY(raw > 20);
  }

  void strayBytesAreKnown() {
    QTemporaryDir folder;
    const auto file = TextFile::open(written(folder, "\xEF\xBB\xBFnaïve\n\xFF\xFE é\n"));
    QCOMPARE(file->encoding(), Encoding::kUtf8Bom);
    QCOMPARE(file->strayBytes(), 2);
    QCOMPARE(file->firstStrayByte(), 7);
    QCOMPARE(TextFile::open(written(folder, "é\n"))->strayBytes(), 0);
    QCOMPARE(TextFile::open(written(folder, "caf\xE9\n"))->strayBytes(), 0);
  }

  void whatWasShownAsCharactersGetsItsBytesBack_data() {
    QTest::addColumn<QByteArray>("replaced");
    QTest::addColumn<QByteArray>("outside");
    QTest::addColumn<QByteArray>("right");  // null: nobody knows
    const auto row = [](const char* name, const QByteArray& replaced, const QByteArray& outside,
                        const QByteArray& right) {
      QTest::newRow(name) << replaced << outside << right;
    };
    row("none", "é", "è", "è");
    row("a true U+FFFD", "�", "x�", "x�");
    row("one",
        "a\xFF"
        "b",
        "A�B",
        "A\xFF"
        "B");
    row("several", "\xFF-\xE6\x97-\x80", "�+�� � ", "\xFF+\xE6\x97 \x80 ");
    row("with a true one", "\xFF�\xFE", "� � �", "\xFF � \xFE");
    row("taken away",
        "a\xFF"
        "b",
        "ab", "ab");
    row("one too many",
        "a\xFF"
        "b",
        "��", QByteArray());
    row("one of two", "\xFF\xFE", "�", QByteArray());
  }
  void whatWasShownAsCharactersGetsItsBytesBack() {
    QFETCH(QByteArray, replaced);
    QFETCH(QByteArray, outside);
    QFETCH(QByteArray, right);
    const auto kept = withBytesOf(replaced, outside);
    QCOMPARE(kept.has_value(), !right.isNull());
    if (kept) QCOMPARE(*kept, right);
  }

  void aWholeTextGetsItsBytesBackLineByLine() {
    const Snapshot before("a\xFF\nb\nc\xFE\n");
    const auto shown = withBytesOf(before, Snapshot("a�\nB\nc�\nd\n"));
    QVERIFY(shown);
    QCOMPARE(shown->toByteArray(), QByteArray("a\xFF\nB\nc\xFE\nd\n"));
    const auto untouched = withBytesOf(before, Snapshot("x�\na\xFF\nb\n"));
    QVERIFY(untouched);
    QCOMPARE(untouched->toByteArray(), QByteArray("x�\na\xFF\nb\n"));
    QVERIFY(!withBytesOf(before, Snapshot("a�\nb\nc��\n")));
  }

  void placesOfOthersCountWhatTheyWereShown() {
    const Snapshot text("x\nna\xC3\xAFve \xFF b\xFE!\n");
    const QByteArray shown = exactUtf8(text.toByteArray()).toUtf8();
    const Snapshot theirs(shown);
    for (const qint64 offset : {0, 1, 2, 4, 6, 9, 10, 12, 13, 14, 15}) {
      const LinePlace place = utf8Place(text, offset);
      QCOMPARE(offsetOfUtf8(text, place), offset);
      // The same character on their side.
      const qint64 there = theirs.lineStart(place.line) + place.column;
      QCOMPARE(exactUtf8(shown.first(there)).size(),
               exactUtf8(text.toByteArray().first(offset)).size());
    }
    QCOMPARE(utf8Place(text, 10), (LinePlace{1, 10}));
    QCOMPARE(offsetOfUtf8(text, {1, 100}), 14);
    QCOMPARE(offsetOfUtf8(text, {9, 0}), text.size());
  }

  void aFileThatWouldNotComeBackOpensAsIfNothingWereChosen_data() {
    QTest::addColumn<Encoding>("encoding");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Encoding>("opened");
    QTest::newRow("UTF-8 keeps all") << Encoding::kUtf8 << QByteArray("caf\xE9") << Encoding::kUtf8;
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
