// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and the mouse over letters that are several characters: none is ever halved.
#include <QtTest>

#include "editor/text/clusters.h"
#include "editor/view/selections.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

// Each is one letter to people.
struct Letter {
  const char* name;
  QByteArray utf8;
};
const QVector<Letter>& letters() {
  static const QVector<Letter> kLetters = {
      {"a family", "👨‍👩‍👧‍👦"},
      {"a flag", "🇺🇸"},
      {"a flag of tags",
       "🏴\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xB3\xF3\xA0\x81\xA3\xF3\xA0\x81\xB4\xF3"
       "\xA0\x81\xBF"},
      {"a skin tone", "👍🏽"},
      {"an accent of its own", "e\xCC\x81"},
      {"two accents", "o\xCC\x82\xCC\xA3"},
      {"Hangul in parts", "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"},
      {"Devanagari with a vowel sign", "\xE0\xA4\xA8\xE0\xA4\xBF"},
      {"a heart in color", "❤\xEF\xB8\x8F"},
      {"a key cap", "1\xEF\xB8\x8F\xE2\x83\xA3"},
      {"one character", "é"},
  };
  return kLetters;
}

}  // namespace

class TestClusterKeys : public QObject {
  Q_OBJECT

  static void addLetters() {
    QTest::addColumn<QByteArray>("letter");
    for (const Letter& letter : letters()) QTest::newRow(letter.name) << letter.utf8;
  }

 private Q_SLOTS:
  void edges_data() { addLetters(); }
  void edges() {
    QFETCH(QByteArray, letter);
    const QByteArray text = "a" + letter + "b";
    const qsizetype end = 1 + letter.size();
    QVERIFY(isClusterEdge(text, 1));
    QVERIFY(isClusterEdge(text, end));
    QCOMPARE(clusterEdgeBehind(text, 1), end);
    QCOMPARE(clusterEdgeBefore(text, end), qsizetype(1));
    QVERIFY(isClusterEdge(text, 0));
    QVERIFY(isClusterEdge(text, text.size()));
  }

  void deletedWhole_data() { addLetters(); }
  void deletedWhole() {
    QFETCH(QByteArray, letter);
    auto editor = makeEditor("a" + letter + "b\n");
    const qint64 behind = 1 + letter.size();
    editor->setSelection(behind, behind);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(withCaret(*editor), QByteArray("a|b\n"));
    editor->undo();
    editor->setSelection(1, 1);
    QTest::keyClick(editor.get(), Qt::Key_Delete);
    QCOMPARE(withCaret(*editor), QByteArray("a|b\n"));
  }

  void passedWhole_data() { addLetters(); }
  void passedWhole() {
    QFETCH(QByteArray, letter);
    auto editor = makeEditor(letter + "b\n" + letter + "\n");
    QTest::keyClick(editor.get(), Qt::Key_Right);
    QCOMPARE(editor->caret(), letter.size());
    QTest::keyClick(editor.get(), Qt::Key_X);
    QCOMPARE(editor->text(), letter + "xb\n" + letter + "\n");
    QTest::keyClick(editor.get(), Qt::Key_Left);
    QTest::keyClick(editor.get(), Qt::Key_Left);
    QCOMPARE(editor->caret(), 0);
    QTest::keyClick(editor.get(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(editor->selectedText(), letter);
    QTest::keyClick(editor.get(), Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(!editor->hasSelection());
  }

  // A column of the line above may be amid a letter.
  void noKeyOrClickLeadsInto_data() { addLetters(); }
  void noKeyOrClickLeadsInto() {
    QFETCH(QByteArray, letter);
    auto editor = makeEditor("iiiiiiii\n" + letter + letter + "\niiiiiiii\n");
    const auto isAtEdge = [&] {
      const int line = editor->caretLine();
      return isClusterEdge(editor->lineText(line), editor->caret() - editor->lineStart(line));
    };
    for (int column = 0; column <= 8; ++column) {
      for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Up}) {
        const qint64 from = editor->lineStart(key == Qt::Key_Down ? 0 : 2) + column;
        editor->setSelection(from, from);
        QTest::keyClick(editor.get(), key);
        QCOMPARE(editor->caretLine(), 1);
        QVERIFY(isAtEdge());
      }
    }
    const auto start = static_cast<long>(editor->lineStart(1));
    const int y = static_cast<int>(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, start)) + 4;
    const int left = static_cast<int>(editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, start));
    for (int x = left; x < left + 60; x += 3) {
      editor->setSelection(0, 0);
      QTest::mouseClick(editor->viewport(), Qt::LeftButton, {}, QPoint(x, y));
      QCOMPARE(editor->caretLine(), 1);
      QVERIFY(isAtEdge());
    }
  }

  void eachCaretDeletesItsOwn() {
    const QByteArray flag = "🇺🇸";
    auto editor = makeEditor("a" + flag + "\nb\n");
    const qint64 first = 1 + flag.size();
    setSelections(editor.get(), {{first, first}, {first + 2, first + 2}}, 0);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(editor->text(), QByteArray("a\n\n"));
    editor->undo();
    QCOMPARE(editor->text(), "a" + flag + "\nb\n");
    editor->setSelection(first, first);
    QVERIFY(editor->perform("transpose"));
    QCOMPARE(editor->text(), flag + "a\nb\n");
  }
};

QTEST_MAIN(TestClusterKeys)
#include "test_cluster_keys.moc"
