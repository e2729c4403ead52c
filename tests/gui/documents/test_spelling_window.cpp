// SPDX-License-Identifier: GPL-3.0-or-later
// Spelling in the window: marked words are corrected by key and from the context menu, added to
// dictionaries, and checked by language.
#include <QContextMenuEvent>
#include <QMenu>
#include <QTest>

#include "editor/layers/spelling_marks.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/test_dictionary.h"

namespace waferpair::gui {
namespace {

using editor::SpellingMarks;

constexpr char kSettings[] =
    R"({"editor/languageServers": false, "spelling/dictionaries": ["test_TEST"]})";

QByteArrayList wrong(WindowFixture& f) {
  QByteArrayList words;
  const auto* marks = f.editor()->findChild<SpellingMarks*>();
  if (!marks || !marks->isOn()) return words;
  for (auto at = marks->next(-1, 1); at; at = marks->next(at->start, 1))
    words.append(f.editor()->textRange(at->start, at->end));
  return words;
}

void chord(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
  WindowFixture::key(key, modifiers);
}

QMenu* menuAtCaret(WindowFixture& f) {
  QWidget* viewport = f.editor()->viewport();
  QContextMenuEvent byKey(QContextMenuEvent::Keyboard, {}, viewport->mapToGlobal(QPoint()));
  QApplication::sendEvent(viewport, &byKey);
  return qobject_cast<QMenu*>(QApplication::activePopupWidget());
}

// A window with a file in front whose words have been judged.
struct Spelled {
  explicit Spelled(const QByteArray& text, const QString& name = QStringLiteral("a.cpp"),
                   const QByteArray& settings = kSettings) {
    f.useSettings(settings);
    f.openProjectWith(name, text);
    f.document()->setFocus();
  }
  TestDictionary dictionary;
  WindowFixture f;
};

}  // namespace

class TestSpellingWindow : public QObject {
  Q_OBJECT
 private slots:
  void aWordIsCorrectedByKey() {
    Spelled s("// the helo line\nint helo2;\n");
    QTRY_COMPARE(wrong(s.f), QByteArrayList{"helo"});
    chord(Qt::Key_J);
    QCOMPARE(s.f.editor()->selectedText(), QByteArray("helo"));
    chord(Qt::Key_J, Qt::ControlModifier);
    QTRY_VERIFY(s.f.parts().picker->isVisible());
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(s.f.editor()->lineText(0), QByteArray("// the hello line"));
    QVERIFY(s.f.editor()->hasFocus());
    QTRY_COMPARE(wrong(s.f), QByteArrayList());
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);  // one step
    QCOMPARE(s.f.editor()->lineText(0), QByteArray("// the helo line"));
  }

  void stepsGoRoundTheText() {
    Spelled s("// helo\n// wrld\n");
    QTRY_COMPARE(wrong(s.f).size(), 2);
    for (const char* word : {"helo", "wrld", "helo"}) {
      if (s.f.editor()->caretLine() == 0 && !s.f.editor()->hasSelection())
        s.f.editor()->setSelection(0, 0);
      chord(Qt::Key_J);
      QCOMPARE(s.f.editor()->selectedText(), QByteArray(word));
    }
    chord(Qt::Key_J, Qt::ShiftModifier);
    QCOMPARE(s.f.editor()->selectedText(), QByteArray("wrld"));
  }

  void theContextMenuOffersWords() {
    Spelled s("// the helo line\n");
    QTRY_COMPARE(wrong(s.f).size(), 1);
    s.f.editor()->setSelection(9, 9);
    QMenu* menu = menuAtCaret(s.f);
    QVERIFY(menu);
    QVERIFY(menu->actions().contains(s.f.parts().commands->action("edit.paste")));
    QTRY_VERIFY(menu->findChild<QAction*>("spelling.0"));
    QCOMPARE(menu->actions().constFirst()->text(), QStringLiteral("hello"));
    menu->setActiveAction(menu->actions().constFirst());
    QTest::keyClick(menu, Qt::Key_Return);
    QCOMPARE(s.f.editor()->lineText(0), QByteArray("// the hello line"));
  }

  void theContextMenuIsAtTheMouse() {
    Spelled s("// the helo line\nint other;\n");
    QTRY_COMPARE(wrong(s.f).size(), 1);
    s.f.editor()->setSelection(20, 20);
    const QPoint at(
        static_cast<int>(s.f.editor()->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, 9)),
        static_cast<int>(s.f.editor()->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, 9)) + 4);
    QContextMenuEvent byMouse(QContextMenuEvent::Mouse, at,
                              s.f.editor()->viewport()->mapToGlobal(at));
    QApplication::sendEvent(s.f.editor()->viewport(), &byMouse);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QCOMPARE(s.f.editor()->caretLine(), 0);
    QTRY_VERIFY(menu->findChild<QAction*>("spelling.0"));
    QTest::keyClick(menu, Qt::Key_Escape);
    // A selection that is clicked stays: it may be to be copied.
    s.f.editor()->setSelection(3, 16);
    QApplication::sendEvent(s.f.editor()->viewport(), &byMouse);
    QCOMPARE(s.f.editor()->selectedText(), QByteArray("the helo line"));
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
  }

  void wordsAreAddedToBothDictionaries() {
    Spelled s("// helo wrld\n");
    QTRY_COMPARE(wrong(s.f).size(), 2);
    s.f.editor()->setSelection(4, 4);
    WindowFixture::trigger(s.f.window(), "spell.addToUser");
    QTRY_COMPARE(wrong(s.f), QByteArrayList{"wrld"});
    WindowFixture::trigger(s.f.window(), "spell.addToProject");  // of the next one
    QTRY_COMPARE(wrong(s.f), QByteArrayList());
    QCOMPARE(s.f.read(".waferpair/words.txt"), QByteArray("wrld\n"));
    QFile user(s.f.config() + "/words.txt");
    QVERIFY(user.open(QIODevice::ReadOnly));
    QCOMPARE(user.readAll(), QByteArray("helo\n"));
    // They are still right in the next window.
    QVERIFY(s.f.close());
    s.f.openProject();
    s.f.openFile("a.cpp");
    QTRY_VERIFY(s.f.editor()->findChild<SpellingMarks*>());
    QTRY_VERIFY(s.f.editor()->findChild<SpellingMarks*>()->isFinished());
    QCOMPARE(wrong(s.f), QByteArrayList());
  }

  void itIsTurnedOffByLanguageAndAltogether() {
    Spelled s("// helo\n");
    QTRY_COMPARE(wrong(s.f).size(), 1);
    WindowFixture::trigger(s.f.window(), "spell.language");
    QCOMPARE(s.f.parts().settings->get().languagesWithoutSpelling,
             (QStringList{QString(), QStringLiteral("C++")}));
    QTRY_COMPARE(wrong(s.f).size(), 0);
    chord(Qt::Key_J);
    const Banner* told = s.f.parts().notices->find(QStringLiteral("spelling"));
    QVERIFY(told && told->text().contains(QStringLiteral("C++")));
    WindowFixture::trigger(s.f.window(), "spell.language");
    QTRY_COMPARE(wrong(s.f).size(), 1);
    WindowFixture::trigger(s.f.window(), "spell.check");
    QTRY_COMPARE(wrong(s.f).size(), 0);
    WindowFixture::trigger(s.f.window(), "spell.check");
    QTRY_COMPARE(wrong(s.f).size(), 1);
  }

  void plainTextIsCheckedOnceItIsWanted() {
    Spelled s("the helo line\n", QStringLiteral("notes.txt"));
    QVERIFY(wrong(s.f).isEmpty());
    WindowFixture::trigger(s.f.window(), "spell.language");
    QTRY_COMPARE(wrong(s.f), QByteArrayList{"helo"});
  }

  void dictionariesAreChosen() {
    Spelled s("// the helo line\n");
    s.dictionary.add(QStringLiteral("other"), "1\nhelo\n");
    QTRY_COMPARE(wrong(s.f).size(), 1);
    WindowFixture::trigger(s.f.window(), "spell.dictionaries");
    QTRY_VERIFY(s.f.parts().picker->isVisible());
    WindowFixture::type(QStringLiteral("other"));
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(s.f.parts().settings->get().spellingDictionaries,
             (QStringList{QStringLiteral("test_TEST"), QStringLiteral("other")}));
    QTRY_COMPARE(wrong(s.f).size(), 0);
  }

  void aMissingDictionaryIsNamedAndMarksNothing() {
    Spelled s("// helo\n", QStringLiteral("a.cpp"),
              R"({"editor/languageServers": false, "spelling/dictionaries": ["xx_XX"]})");
    QTRY_VERIFY(s.f.parts().notices->find(QStringLiteral("notice0")));
    QVERIFY(s.f.parts().notices->find(QStringLiteral("notice0"))->text().contains("xx_XX"));
    QVERIFY(wrong(s.f).isEmpty());
  }

  void bothViewsOfATextShowTheMarks() {
    Spelled s("// helo\n");
    QTRY_COMPARE(wrong(s.f).size(), 1);
    WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
    const auto* second = s.f.find<editor::CodeEditor>("secondView");
    QVERIFY(second);
    for (const editor::CodeEditor* view :
         {static_cast<const editor::CodeEditor*>(s.f.editor()), second}) {
      QTRY_VERIFY(view->sci(QsciScintillaBase::SCI_INDICATORVALUEAT, 24, 4) != 0);
      QTRY_COMPARE(view->sci(QsciScintillaBase::SCI_INDICGETSTYLE, 24),
                   static_cast<long>(QsciScintillaBase::INDIC_SQUIGGLELOW));
    }
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestSpellingWindow)
#include "test_spelling_window.moc"
