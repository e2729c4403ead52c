// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "editor/text/cased_text.h"
#include "editor/widget/find_replace.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

constexpr int kIndicator = 8;

int markedBytes(const CodeEditor& editor) {
  int marked = 0;
  for (qint64 i = 0; i < editor.length(); ++i) {
    if (editor.sci(Sci::SCI_INDICATORVALUEAT, kIndicator, static_cast<long>(i)) != 0) ++marked;
  }
  return marked;
}

}  // namespace

class TestFindReplace : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void countsMatches_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("needle");
    QTest::addColumn<bool>("caseSensitive");
    QTest::addColumn<bool>("wholeWord");
    QTest::addColumn<bool>("regex");
    QTest::addColumn<int>("count");
    const QByteArray text = "Foo foo food\nfOO é É foo.\n";
    QTest::newRow("plain") << text << u"foo"_s << false << false << false << 5;
    QTest::newRow("case") << text << u"foo"_s << true << false << false << 3;
    QTest::newRow("word") << text << u"foo"_s << false << true << false << 4;
    QTest::newRow("both") << text << u"foo"_s << true << true << false << 2;
    QTest::newRow("accent") << text << u"é"_s << false << false << false << 2;
    QTest::newRow("dot is a dot") << text << u"foo."_s << false << false << false << 1;
    QTest::newRow("regex") << text << u"fo+."_s << false << false << true << 5;
    QTest::newRow("regex word") << text << u"fo+d?"_s << true << true << true << 3;
    QTest::newRow("line anchors") << text << u"^f|\\.$"_s << false << false << true << 3;
    QTest::newRow("line starts") << text << u"^"_s << false << false << true << 2;
    QTest::newRow("line ends") << text << u"$"_s << false << false << true << 3;
    QTest::newRow("empty matches") << QByteArray("xab") << u"x*"_s << false << false << true << 4;
    QTest::newRow("over line ends")
        << QByteArray("ab\r\n\r\ncd e\r\n") << u"\\w\\s+\\w"_s << false << false << true << 2;
    QTest::newRow("CRLF is a line end")
        << QByteArray("a\r\na\r\nb") << u"a\n"_s << false << false << true << 2;
    QTest::newRow("start of the text")
        << QByteArray("a\na\n") << u"\\Aa"_s << false << false << true << 1;
    QTest::newRow("look at the next line")
        << QByteArray("a\nb\na\nc\n") << u"a(?=\\nc)"_s << false << false << true << 1;
    QTest::newRow("look at the line before")
        << QByteArray("b\na\nc\na\n") << u"(?<=c\\n)a"_s << false << false << true << 1;
    QTest::newRow("accents of two lines")
        << QByteArray("é\nÉ\né\n") << u"É\né"_s << false << false << false << 1;
    QTest::newRow("none") << text << u"nothing"_s << false << false << false << 0;
    QTest::newRow("no overlap") << QByteArray("aaaa") << u"aa"_s << false << false << false << 2;
    QTest::newRow("empty match before a surrogate pair")
        << QByteArray("😀 12\n") << u"\\d*"_s << false << false << true << 5;
    QTest::newRow("mark in a line's front") << QByteArray(
                                                   "a\n\xEF\xBB\xBF"
                                                   "foo foo\n")
                                            << u"foo"_s << false << false << true << 2;
    QTest::newRow("behind an odd byte")
        << QByteArray("\xFF\xE6\xBC foo é foo\n") << u"foo"_s << false << false << true << 2;
    QTest::newRow("lines") << QByteArray("a\nb\na\nb\n") << u"a\nb"_s << false << false << false
                           << 2;
  }
  void countsMatches() {
    QFETCH(QByteArray, text);
    QFETCH(QString, needle);
    QFETCH(bool, caseSensitive);
    QFETCH(bool, wholeWord);
    QFETCH(bool, regex);
    QFETCH(int, count);
    auto editor = makeEditor(text);
    FindReplace find(editor.get());
    QVERIFY(find.setQuery({needle, caseSensitive, wholeWord, regex}).has_value());
    QTRY_VERIFY(!find.isCounting());
    QCOMPARE(find.matchCount(), count);
    // Walking them one by one finds as many, and comes round.
    editor->setSelection(0, 0);
    QSignalSpy wrapped(&find, &FindReplace::wrapped);
    for (int i = 0; i < count; ++i) QVERIFY(find.findNext());
    QCOMPARE(wrapped.size(), 0);
    QCOMPARE(find.findNext(), count > 0);
    QCOMPARE(wrapped.size(), count > 0 ? 1 : 0);
    for (int i = 0; i < count; ++i) QVERIFY(find.findPrevious());
    QCOMPARE(find.findPrevious(), count > 0);
  }

  void findSelectsAndNumbersTheMatch() {
    auto editor = makeEditor("é one two one\n");
    FindReplace find(editor.get());
    QSignalSpy counted(&find, &FindReplace::countChanged);
    QVERIFY(find.setQuery({u"one"_s}).has_value());
    QTRY_VERIFY(!find.isCounting());
    QVERIFY(find.findFrom(0));
    QCOMPARE(editor->selectedText(), QByteArray("one"));
    QCOMPARE(editor->sci(Sci::SCI_GETSELECTIONSTART), 3);
    QCOMPARE(counted.last()[0].toInt(), 2);
    QCOMPARE(counted.last()[2].toInt(), 1);
    find.findNext();
    QCOMPARE(counted.last()[2].toInt(), 2);
    find.findPrevious();
    QCOMPARE(counted.last()[2].toInt(), 1);
  }

  void matchesInViewAreMarkedAndUnmarked() {
    auto editor = makeEditor(QByteArray("foo bar\n").repeated(1000));
    FindReplace find(editor.get());
    QVERIFY(find.setQuery({u"foo"_s}).has_value());
    QTRY_VERIFY(markedBytes(*editor) > 0);
    // Only matches in view are marked, whatever the size of the text.
    const int marked = markedBytes(*editor);
    QVERIFY(marked <= 3 * (editor->sci(Sci::SCI_LINESONSCREEN) + 3));
    QTRY_COMPARE(find.matchCount(), 1000);
    editor->goToLine(900);
    QTRY_VERIFY(editor->sci(Sci::SCI_INDICATORVALUEAT, kIndicator,
                            static_cast<long>(editor->lineStart(900))) != 0);
    QVERIFY(editor->sci(Sci::SCI_INDICATORVALUEAT, kIndicator, 0) == 0);
    find.clear();
    QCOMPARE(markedBytes(*editor), 0);
    QCOMPARE(find.matchCount(), 0);
  }

  void editsCountAgain() {
    auto editor = makeEditor("foo\n");
    FindReplace find(editor.get());
    QVERIFY(find.setQuery({u"foo"_s}).has_value());
    QTRY_COMPARE(find.matchCount(), 1);
    QTest::keyClicks(editor.get(), u"foo "_s);
    QTRY_COMPARE(find.matchCount(), 2);
  }

  void replaceAllIsOneUndoStep_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("needle");
    QTest::addColumn<bool>("regex");
    QTest::addColumn<QString>("replacement");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<int>("count");
    QTest::newRow("plain") << QByteArray("a b a\n") << u"a"_s << false << u"xx"_s
                           << QByteArray("xx b xx\n") << 2;
    QTest::newRow("contains itself")
        << QByteArray("a a\n") << u"a"_s << false << u"aa"_s << QByteArray("aa aa\n") << 2;
    QTest::newRow("remove") << QByteArray("a b a\n") << u"a"_s << false << u""_s
                            << QByteArray(" b \n") << 2;
    QTest::newRow("no escapes when plain")
        << QByteArray("a\n") << u"a"_s << false << u"\\n$1"_s << QByteArray("\\n$1\n") << 1;
    QTest::newRow("groups") << QByteArray("f(1, 2) f(3, 4)\n") << u"f\\((\\d), (\\d)\\)"_s << true
                            << u"g($2, \\1)"_s << QByteArray("g(2, 1) g(4, 3)\n") << 2;
    QTest::newRow("escapes") << QByteArray("a,b\n") << u","_s << true << u"\\n\\t\\\\$$"_s
                             << QByteArray("a\n\t\\$b\n") << 1;
    QTest::newRow("multi-byte") << QByteArray("é漢é\n") << u"é"_s << true << u"ß"_s
                                << QByteArray("ß漢ß\n") << 2;
    QTest::newRow("lookbehind") << QByteArray("xa ya\n") << u"(?<=x)a"_s << true << u"b"_s
                                << QByteArray("xb ya\n") << 1;
    QTest::newRow("line start only once")
        << QByteArray("aaa\naaa\n") << u"^a"_s << true << u""_s << QByteArray("aa\naa\n") << 2;
    QTest::newRow("before each line") << QByteArray("one\ntwo\n") << u"^"_s << true << u"del "_s
                                      << QByteArray("del one\ndel two\n") << 2;
    QTest::newRow("behind each line")
        << QByteArray("a\r\nb\r\n") << u"$"_s << true << u";"_s << QByteArray("a;\r\nb;\r\n;") << 3;
    QTest::newRow("empty lines") << QByteArray("a\n\n\nb\n") << u"^\\n"_s << true << u""_s
                                 << QByteArray("a\nb\n") << 2;
    QTest::newRow("lines are joined") << QByteArray("a\r\nb\r\n") << u"\\n(?=b)"_s << true << u"+"_s
                                      << QByteArray("a+b\r\n") << 1;
    QTest::newRow("over a line end") << QByteArray("ABCD\nEFGH\nIJKL\n") << u"\\w+\\s\\w+"_s << true
                                     << u"X"_s << QByteArray("X\nIJKL\n") << 1;
    QTest::newRow("only at the start of the text")
        << QByteArray("a\nb\n") << u"\\A\\w"_s << true << u"X"_s << QByteArray("X\nb\n") << 1;
    QTest::newRow("keep what stands before")
        << QByteArray("ab ab\n") << u"a\\Kb"_s << true << u"c"_s << QByteArray("ac ac\n") << 2;
    QTest::newRow("mark in a line's front") << QByteArray(
                                                   "a\n\xEF\xBB\xBF"
                                                   "foo bar\n")
                                            << u"foo"_s << true << u"X"_s
                                            << QByteArray(
                                                   "a\n\xEF\xBB\xBF"
                                                   "X bar\n")
                                            << 1;
  }
  void replaceAllIsOneUndoStep() {
    QFETCH(QByteArray, text);
    QFETCH(QString, needle);
    QFETCH(bool, regex);
    QFETCH(QString, replacement);
    QFETCH(QByteArray, after);
    QFETCH(int, count);
    auto editor = makeEditor(text);
    FindReplace find(editor.get());
    QVERIFY(find.setQuery({needle, true, false, regex}).has_value());
    QCOMPARE(find.replaceAll(replacement), count);
    QCOMPARE(editor->text(), after);
    editor->undo();
    QCOMPARE(editor->text(), text);
    QVERIFY(!editor->isModified());
  }

  void replacementsSpeakOneLanguage_data() {
    QTest::addColumn<QString>("needle");
    QTest::addColumn<QString>("replacement");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char* name, const QString& needle, const QString& replacement,
                        const char* text, const char* after) {
      QTest::newRow(name) << needle << replacement << QByteArray(text) << QByteArray(after);
    };
    row("a group in braces", u"(\\w)(\\d)"_s, u"${1}0"_s, "a1", "a0");
    row("the tenth group", u"(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)"_s, u"$10"_s, "abcdefghij", "j");
    row("the first group and a zero", u"(a)b"_s, u"$10"_s, "ab", "a0");
    row("all of it", u"\\w+"_s, u"<$&>"_s, "ab cd", "<ab> <cd>");
    row("all of it, by number", u"\\w+"_s, u"<$0>"_s, "ab", "<ab>");
    row("a name", u"(?<year>\\d+)-(\\d+)"_s, u"$2/${year}"_s, "2024-05", "05/2024");
    row("no such group", u"a"_s, u"$2${x}${3}$"_s, "a", "$2${x}${3}$");
    row("a dollar", u"a"_s, u"$$1"_s, "a", "$1");
    row("upper case", u"(\\w+) (\\w+)"_s, u"\\U$1\\E $2"_s, "ab cd", "AB cd");
    row("lower case", u"\\w+"_s, u"\\L$&"_s, "AB", "ab");
    row("one upper letter", u"(\\w)(\\w*)"_s, u"\\u$1$2"_s, "éa bc", "Éa Bc");
    row("one lower letter", u"\\w+"_s, u"\\l$&"_s, "ABC", "aBC");
    row("title", u"\\w+"_s, u"\\u\\L$&"_s, "ABC", "Abc");
    row("backslashes", u"(a)"_s, u"\\1\\t\\\\"_s, "a", "a\t\\");
  }
  void replacementsSpeakOneLanguage() {
    QFETCH(QString, needle);
    QFETCH(QString, replacement);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, after);
    auto editor = makeEditor(text);
    FindReplace find(editor.get());
    QVERIFY(find.setQuery({needle, true, false, true}).has_value());
    QVERIFY(find.replaceAll(replacement) > 0);
    QCOMPARE(editor->text(), after);
  }

  void theCaseOfWhatIsReplacedIsKept_data() {
    QTest::addColumn<QString>("replacement");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("word") << u"bar"_s << QByteArray("foo Foo FOO fOo\n")
                          << QByteArray("bar Bar BAR bar\n");
    QTest::newRow("humps") << u"barBaz"_s << QByteArray("foo Foo FOO\n")
                           << QByteArray("barbaz BarBaz BARBAZ\n");
  }
  void theCaseOfWhatIsReplacedIsKept() {
    QFETCH(QString, replacement);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, after);
    auto editor = makeEditor(text);
    FindReplace find(editor.get());
    find.setKeepsCase(true);
    QVERIFY(find.setQuery({u"foo"_s}).has_value());
    QVERIFY(find.replaceAll(replacement) > 0);
    QCOMPARE(editor->text(), after);
  }
  void partsHaveACaseEach() {
    QCOMPARE(inCaseOf(u"Foo-BAR"_s, u"one-two"_s), u"One-TWO"_s);
    QCOMPARE(inCaseOf(u"foo_Bar"_s, u"ONE_two"_s), u"one_Two"_s);
    QCOMPARE(inCaseOf(u"12"_s, u"oNe"_s), u"oNe"_s);
  }

  void emptyMatchesAreReplacedOneByOne() {
    auto editor = makeEditor("a\nb\n");
    FindReplace find(editor.get());
    QVERIFY(find.setQuery({u"$"_s, false, false, true}).has_value());
    QVERIFY(!find.replaceNext(u";"_s));  // selects the first
    QCOMPARE(editor->caret(), 1);
    QVERIFY(find.replaceNext(u";"_s));
    QVERIFY(find.replaceNext(u";"_s));
    QCOMPARE(editor->text(), QByteArray("a;\nb;\n"));
    QVERIFY(find.replaceNext(u";"_s));
    QCOMPARE(editor->text(), QByteArray("a;\nb;\n;"));
  }

  // What is looked at is a part of the text at a time.
  void matchesOfALargeText() {
    const QByteArray line(63, 'x');
    CodeEditor editor;
    editor.setText((line + "\r\n").repeated(20'000) + "start" + (line + "\r\n").repeated(20'000) +
                   "end\r\n");
    FindReplace find(&editor);
    QVERIFY(find.setQuery({u"x\n"_s, false, false, true}).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(find.matchCount(), 40'000, 60'000);
    editor.setSelection(editor.length(), editor.length());
    QVERIFY(find.findPrevious());
    QCOMPARE(editor.sci(Sci::SCI_GETSELECTIONEND), editor.lineStart(40'000));
    QVERIFY(find.setQuery({u"(?s)start.*"_s, false, false, true}).has_value());
    editor.setSelection(0, 0);
    QVERIFY(find.findNext());
    QCOMPARE(editor.sci(Sci::SCI_GETSELECTIONSTART), editor.lineStart(20'000));
    QCOMPARE(editor.sci(Sci::SCI_GETSELECTIONEND), editor.length());
  }

  void replaceNextReplacesTheSelectedMatchAndGoesOn() {
    auto editor = makeEditor("one two one\n");
    FindReplace find(editor.get());
    QVERIFY(find.setQuery({u"one"_s}).has_value());
    QVERIFY(!find.replaceNext(u"1"_s));  // selects the first
    QCOMPARE(editor->text(), QByteArray("one two one\n"));
    QVERIFY(find.replaceNext(u"1"_s));
    QCOMPARE(editor->text(), QByteArray("1 two one\n"));
    QCOMPARE(editor->selectedText(), QByteArray("one"));
    QVERIFY(find.replaceNext(u"1"_s));
    QCOMPARE(editor->text(), QByteArray("1 two 1\n"));
    QVERIFY(!find.replaceNext(u"1"_s));
  }

  void badExpressionsSayWhatIsWrong() {
    auto editor = makeEditor("a\n");
    FindReplace find(editor.get());
    const auto result = find.setQuery({u"a(b"_s, false, true, true});
    QVERIFY(!result.has_value());
    QVERIFY(result.error().what.contains(u"a(b"_s));
    QVERIFY(!result.error().remedy.isEmpty());
    QVERIFY(!find.findNext());
    QCOMPARE(find.replaceAll(u"x"_s), 0);
    QCOMPARE(editor->text(), QByteArray("a\n"));
    QVERIFY(find.setQuery({u"a(b"_s}).has_value());  // as plain text it is fine
  }

  // Work that grew with the square of the line's length would take hours here.
  void aLongLineIsSearchedInOneWalk() {
    constexpr int matches = 200'000;
    CodeEditor editor;
    editor.setText(QByteArray("é12;").repeated(matches));
    FindReplace find(&editor);
    QVERIFY(find.setQuery({u"(1)(2)"_s, false, false, true}).has_value());
    QTRY_COMPARE_WITH_TIMEOUT(find.matchCount(), matches, 60'000);
    editor.setSelection(editor.length(), editor.length());
    QVERIFY(find.findPrevious());
    QCOMPARE(editor.sci(Sci::SCI_GETSELECTIONSTART), editor.length() - 3);
    QCOMPARE(find.replaceAll(u"$2"_s), matches);
    QCOMPARE(editor.text(), QByteArray("é2;").repeated(matches));
  }

  void expressionsThatBacktrackForeverEnd() {
    auto editor = makeEditor(QByteArray(5000, 'a') + "b\n");
    FindReplace find(editor.get());
    QVERIFY(find.setQuery({u"(a+)+c"_s, false, false, true}).has_value());
    QVERIFY(!find.findNext());
  }
};

QTEST_MAIN(TestFindReplace)
#include "test_find_replace.moc"
