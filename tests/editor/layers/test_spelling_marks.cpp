// SPDX-License-Identifier: GPL-3.0-or-later
// Which words of a text are marked, and how the marks follow what is typed.
#include <QtTest>

#include "editor/layers/spelling_marks.h"
#include "editor/spell/spell_checker.h"
#include "tests/editor/editor_test.h"
#include "tests/support/rest.h"
#include "tests/support/test_dictionary.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using waferpair::TestDictionary;

namespace {

struct Checked {
  explicit Checked(const QByteArray& text, const QString& language = u"C++"_s)
      : editor(makeEditor(text, language)) {
    checker.setDictionaries({u"test_TEST"_s});
    marks = new SpellingMarks(editor.get(), &checker);
    marks->setOn(true);
  }

  QByteArrayList wrong() const {
    QByteArrayList words;
    for (auto at = marks->next(-1, 1); at; at = marks->next(at->start, 1))
      words.append(editor->textRange(at->start, at->end));
    return words;
  }
  void settle() const { QTRY_VERIFY(marks->isFinished()); }

  TestDictionary dictionary;
  SpellChecker checker;
  std::unique_ptr<CodeEditor> editor;
  SpellingMarks* marks;
};

}  // namespace

class TestSpellingMarks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void commentsAndStringsAreChecked() {
    const Checked c(
        "// the helo line\nint wrng = 1;\nauto s = \"wrld word\";\n/* lnog\n   blnk */\n");
    c.settle();
    QCOMPARE(c.wrong(), (QByteArrayList{"helo", "wrld", "lnog", "blnk"}));
  }

  void namesOfTheCodeAreRight() {
    const Checked c(
        "// the blob and Blob's argc, before the code that has it\nvoid f(int blob);\n"
        "// argc\n");
    c.settle();
    QCOMPARE(c.wrong(),
             (QByteArrayList{"and", "argc", "before", "code", "that", "has", "it", "argc"}));
  }

  void markupIsCheckedButNotItsCode() {
    const Checked c("# The helo\n\nSome *wrld* of `blnk`.\n\n```cpp\nint lnog;  // wrod\n```\n",
                    u"Markdown"_s);
    c.settle();
    QCOMPARE(c.wrong(), (QByteArrayList{"helo", "Some", "wrld", "of", "wrod"}));
  }

  void aWordIsMarkedOnceItIsLeft() {
    Checked c("// \n");
    c.editor->setSelection(3, 3);
    QTest::keyClicks(c.editor.get(), u"the helo"_s);
    c.settle();
    QCOMPARE(c.wrong(), QByteArrayList());
    QTest::keyClick(c.editor.get(), Qt::Key_Space);
    c.settle();
    QCOMPARE(c.wrong(), QByteArrayList{"helo"});
    // Mended, and broken again in the line above, which a new line pushes down.
    QTest::keyClick(c.editor.get(), Qt::Key_Left);
    QTest::keyClick(c.editor.get(), Qt::Key_Left);
    QTest::keyClicks(c.editor.get(), u"l"_s);
    c.settle();
    QCOMPARE(c.wrong(), QByteArrayList());
    c.editor->setSelection(0, 0);
    QTest::keyClicks(c.editor.get(), u"// wrld"_s);
    QTest::keyClick(c.editor.get(), Qt::Key_Return);
    c.settle();
    QCOMPARE(c.wrong(), QByteArrayList{"wrld"});
    for (int step = 0; step < 3; ++step) c.editor->undo();  // the sign, the word and the line end
    c.settle();
    QVERIFY(c.editor->text().startsWith("// the hello"));
    QCOMPARE(c.wrong(), QByteArrayList());
  }

  void aCommentThatIsNoneAnyMoreLosesItsMarks() {
    Checked c("/*\nwrld\nhelo\n*/\n");
    c.settle();
    QCOMPARE(c.wrong(), (QByteArrayList{"wrld", "helo"}));
    c.editor->setSelection(0, 2);
    QTest::keyClick(c.editor.get(), Qt::Key_Delete);
    c.settle();
    QCOMPARE(c.wrong(), QByteArrayList());
  }

  void stepsGoBothWays() {
    const Checked c("// helo word wrld\n");
    c.settle();
    const auto first = c.marks->next(-1, 1);
    QCOMPARE(first, (ByteRange{3, 7}));
    QCOMPARE(c.marks->next(3, 1), (ByteRange{13, 17}));
    QVERIFY(!c.marks->next(13, 1));
    QCOMPARE(c.marks->next(13, -1), first);
    QVERIFY(!c.marks->next(3, -1));
    QCOMPARE(c.marks->next(c.editor->length() + 1, -1), (ByteRange{13, 17}));
    QCOMPARE(c.marks->wrongAt(7), first);
    QCOMPARE(c.marks->wrongAt(3), first);
    QVERIFY(!c.marks->wrongAt(9));
  }

  void offTakesTheMarksAway() {
    const Checked c("// helo\n");
    c.settle();
    QCOMPARE(c.wrong().size(), 1);
    c.marks->setOn(false);
    QCOMPARE(c.wrong(), QByteArrayList());
    c.editor->setLanguage(u"Python"_s);
    c.editor->setLanguage(u"C++"_s);
    waferpair::test::rest({c.marks});
    QCOMPARE(c.wrong(), QByteArrayList());
    c.marks->setOn(true);
    c.settle();
    QCOMPARE(c.wrong().size(), 1);
  }

  void otherBytesThanUtf8AreLeftAlone() {
    const Checked c("// helo \xff wrld\n// größer helo\n");
    c.settle();
    QCOMPARE(c.wrong(), (QByteArrayList{"größer", "helo"}));
  }

  void aTextLoadedAnewIsCheckedAnew() {
    const Checked c("// helo\n");
    c.settle();
    c.editor->setText("// the word\n// wrld\n");
    c.settle();
    QCOMPARE(c.wrong(), QByteArrayList{"wrld"});
  }

  void manyEditsGiveWhatOnePassGives() {
    // The marks after random edits are those of the text as it is then.
    quint32 seed = 7;
    const auto random = [&seed](int below) {
      seed = seed * 1664525 + 1013904223;
      return static_cast<int>((seed >> 8) % static_cast<quint32>(below));
    };
    // Without code there are no names, which are remembered.
    const QByteArrayList pieces{"# helo\n", "word ", "> ", "\n", "wrld ", "line\n\n", "=="};
    Checked c("The word.\n\nA helo.\n", u"Markdown"_s);
    for (int i = 0; i < 200; ++i) {
      const int length = static_cast<int>(c.editor->length());
      const int at = random(length + 1);
      if (random(3) == 0 && length > 0) {
        const int end = std::min(length, at + random(8));
        c.editor->replaceRange(at, end, {});
      } else {
        c.editor->replaceRange(at, at, pieces[random(static_cast<int>(pieces.size()))]);
      }
      if (random(10) == 0) waferpair::test::dealWithEvents();
    }
    c.settle();
    const Checked fresh(c.editor->text(), u"Markdown"_s);
    fresh.settle();
    QVERIFY(fresh.wrong().size() > 10);
    QCOMPARE(c.wrong(), fresh.wrong());
  }
};

QTEST_MAIN(TestSpellingMarks)
#include "test_spelling_marks.moc"
