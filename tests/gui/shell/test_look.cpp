// SPDX-License-Identifier: GPL-3.0-or-later
// Tests what the user says of the window as a whole: the size of its letters, the room between
// lines, motion, AI features; and what the status bar says of chords.
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>
#include <QTest>
#include <QToolButton>

#include "editor/view/theme.h"
#include "gui/debug/debug_panel.h"
#include "gui/debug/debug_tools.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/theme.h"
#include "gui/pairing/pair_dock.h"
#include "gui/store/settings.h"
#include "pairing/models/model_roster.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

using Sci = QsciScintillaBase;

template <typename Value>
void set(WindowFixture& f, Value Preferences::*field, Value value) {
  Preferences changed = f.parts().settings->get();
  changed.*field = value;
  f.parts().settings->set(changed);
}

QString status(WindowFixture& f) { return f.window().statusBar()->currentMessage(); }

}  // namespace

class TestLook : public QObject {
  Q_OBJECT
 private slots:
  void lettersAreAsLargeAsTheUserSays() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    const double points = Theme::instance().points();
    const int height = f.window().menuBar()->height();
    set(f, &Preferences::interfaceSize, 150);
    QCOMPARE(Theme::instance().points(), points * 1.5);
    QCOMPARE(f.window().font().pointSizeF(), points * 1.5);
    QTRY_VERIFY(f.window().menuBar()->sizeHint().height() > height);
    set(f, &Preferences::interfaceSize, 100);
    QCOMPARE(f.window().font().pointSizeF(), points);
  }

  void linesStandApart() {
    WindowFixture f;
    f.openProjectWith("a.txt", "one\ntwo\nthree\n");
    const editor::CodeEditor* editor = f.editor();
    const long height = editor->sci(Sci::SCI_TEXTHEIGHT, 0);
    const int baseline = editor->baseline();
    set(f, &Preferences::lineHeight, 2.0);
    const long high = editor->sci(Sci::SCI_TEXTHEIGHT, 0);
    QVERIFY2(high >= 2 * height - 2 && high <= 2 * height + 2, qPrintable(QString::number(high)));
    QVERIFY(editor->baseline() > baseline);
    // It follows the text's own size.
    editor->sci(Sci::SCI_ZOOMIN);
    editor->sci(Sci::SCI_ZOOMIN);
    QVERIFY(editor->sci(Sci::SCI_TEXTHEIGHT, 0) > high + 2);
    editor->sci(Sci::SCI_SETZOOM, 0);
    set(f, &Preferences::lineHeight, 1.0);
    QCOMPARE(editor->sci(Sci::SCI_TEXTHEIGHT, 0), height);
    QCOMPARE(editor->baseline(), baseline);
  }

  void nothingMovesWhereThatIsWished() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    const long period = f.editor()->sci(Sci::SCI_GETCARETPERIOD);
    set(f, &Preferences::reduceMotion, true);
    QCOMPARE(f.editor()->sci(Sci::SCI_GETCARETPERIOD), 0);
    QVERIFY(!f.window().isAnimated());
    f.openFile("b.txt");
    set(f, &Preferences::reduceMotion, false);
    QCOMPARE(f.editor()->sci(Sci::SCI_GETCARETPERIOD), period);
    QVERIFY(f.window().isAnimated());
  }

  void theSecondKeyOfAChordIsAwaitedInSight() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    QTRY_VERIFY2(status(f).contains("Ctrl+M"), qPrintable(status(f)));
    WindowFixture::key(Qt::Key_Z);  // zen
    QTRY_COMPARE(status(f), QString());
    QVERIFY(f.window().menuBar()->isHidden());
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_Z);
    QVERIFY(!f.window().menuBar()->isHidden());

    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    QTRY_VERIFY(!status(f).isEmpty());
    WindowFixture::key(Qt::Key_Escape);
    QTRY_COMPARE(status(f), QString());
  }

  void aChordThatNoCommandHasIsNamed() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    QTRY_VERIFY(!status(f).isEmpty());
    const Qt::KeyboardModifiers all = Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier;
    WindowFixture::key(Qt::Key_J, all);
    QVERIFY2(status(f).contains("No command"), qPrintable(status(f)));
    QVERIFY2(status(f).contains("Ctrl+M, Ctrl+Alt+Shift+J"), qPrintable(status(f)));
    QCOMPARE(f.editor()->text(), QByteArray("a\n"));
  }

  void aKeyThatBeginsNoChordSaysNothing() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    WindowFixture::type(QStringLiteral("b"));
    WindowFixture::key(Qt::Key_F, Qt::ControlModifier);
    QCoreApplication::processEvents();
    QCOMPARE(status(f), QString());
  }

  void withoutAiNothingOffersAModel() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    const auto isShown = [&](const char* id) {
      return f.parts().commands->action(id)->isVisible();
    };
    WindowFixture::trigger(f.window(), "ask.ask");
    QVERIFY(f.parts().pairDock->isVisible());
    QVERIFY(isShown("edit.inPlace"));
    set(f, &Preferences::ai, false);
    QVERIFY(!f.parts().pairDock->isVisible());
    for (const char* menu : {"pairMenu", "modelMenu"})
      QVERIFY2(!f.find<QMenu>(menu)->menuAction()->isVisible(), menu);
    for (const char* id : {"ask.ask", "edit.inPlace", "edit.document", "plan.plan", "view.ask"})
      QVERIFY2(!isShown(id) && !f.parts().commands->run(id), id);
    QVERIFY(isShown("edit.undo"));
    QVERIFY(f.find<QMenu>("editMenu")->menuAction()->isVisible());
    // Whoever asks all the same is told why not.
    const auto choice = f.parts().roster->choose(pairing::Work::kSmallEdit);
    QVERIFY(!choice.model && !choice.endpoint);
    QVERIFY2(choice.reason.contains("AI features"), qPrintable(choice.reason));
    QVERIFY(!f.parts().settings->get().offersNextEdits());
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(!f.find<QWidget>("editBar"));
    set(f, &Preferences::ai, true);
    QVERIFY(f.parts().pairDock->isVisible());
    QVERIFY(isShown("edit.inPlace"));
    QVERIFY(f.find<QMenu>("pairMenu")->menuAction()->isVisible());
  }

  void aWindowBeginsWithoutAi() {
    WindowFixture f;
    f.useSettings(
        R"({"ai/enabled": false, "editor/languageServers": false, "spelling/check": false})");
    f.openProjectWith("a.txt", "a\n");
    QVERIFY(!f.parts().pairDock->isVisible());
    QVERIFY(!f.find<QMenu>("pairMenu")->menuAction()->isVisible());
    QVERIFY(!f.parts().commands->run("ask.ask"));
  }

  void anEmptyListSaysWhatToDo() {
    WindowFixture f;
    f.openProjectWith("a.cpp", "int a;\n");
    f.parts().debug->dock()->show();
    f.parts().debug->panel()->enterPage(DebugPanel::Page::kStack);
    QTRY_VERIFY(f.find<QWidget>("debugStackEmpty")->isVisible());
    QCOMPARE(f.find<QPushButton>("debugStackEmptyButton")->isEnabled(),
             f.parts().commands->action("debug.start")->isEnabled());
    f.parts().debug->panel()->enterPage(DebugPanel::Page::kBreakpoints);
    auto* breakpoints = f.find<QWidget>("debugBreakpointsEmpty");
    QTRY_VERIFY(breakpoints->isVisible());
    QCOMPARE(breakpoints->size(), breakpoints->parentWidget()->size());
    f.document()->setFocus();
    QVERIFY(WindowFixture::click("debugBreakpointsEmptyButton"));
    QTRY_VERIFY(!breakpoints->isVisible());
    WindowFixture::trigger(f.window(), "debug.removeAll");
    QTRY_VERIFY(breakpoints->isVisible());
  }

  void edgesAreSeenInHighContrast() {
    for (const char* name : {"Waferpair High Contrast Dark", "Waferpair High Contrast Light"}) {
      QVERIFY2(editor::themeNames().contains(QLatin1String(name)), name);
      const WindowColors c = windowColorsFor(QLatin1String(name));
      // WCAG 2.2: 7 for text (AAA), 3 for the edges of controls.
      for (const QColor& text : {c.text, c.muted, c.accent, c.danger})
        QVERIFY2(editor::contrast(text, c.editor) >= 7, name);
      QVERIFY2(editor::contrast(c.border, c.chrome) >= 3, name);
    }
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestLook)
#include "test_look.moc"
