// SPDX-License-Identifier: GPL-3.0-or-later
// Working in the real window: tabs, find and replace, places, palette, quick open, keys.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSet>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "editor/ghost/ghost_text.h"
#include "editor/widget/find_replace.h"
#include "gui/documents/find_bar.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/panel_tabs.h"
#include "gui/kit/picker_model.h"
#include "gui/kit/tab_bar.h"
#include "gui/kit/theme.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_tree.h"
#include "gui/shell/shortcuts_dialog.h"
#include "gui/shell/start_page.h"
#include "gui/store/settings.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/rest.h"

namespace waferpair::gui {

class TestWindow : public QObject {
  Q_OBJECT
 private slots:
  void startPageShowsWhatToDo();
  void findsWhileTypingAndCounts();
  void findHonorsCaseWordsAndExpressions();
  void aBadExpressionIsSaidNotSearched();
  void replacesOneAndAllAsOneStep();
  void replacesInTheCaseOfWhatIsReplaced();
  void escapeClosesTheBarAndGivesTheKeyboardBack();
  void goesToLineAndColumn();
  void paletteRunsCommands();
  void quickOpenFindsFilesOfTheProject();
  void tabsCloseReopenAndStep();
  void ctrlTabGoesThroughTheHistory();
  void middleClickCloses();
  void sameNamesAreToldApart();
  void closingAsksAboutUnsavedText();
  void closingTheWindowAsksOnce();
  void aPanelIsMaximizedUntilTheTextIsGoneTo();
  void panelsBelowTheTextAreTabs();
  void themeChangesAndIsRemembered();
  void ligaturesAreSwitchedInTheSettings();
  void aKeyCanBeChangedInTheDialog();
  void commandsHaveHelpAndKeysDoNotCollide();
  void theKeysOfAnotherEditorAreASettingAway();
  void commandsAreWhereTheySayTheyAre();
  void commandsFollowWhatIsSo();
  void keysOfTheTreeAreTheTrees();
  void anEditorKeyCanBeChanged();
};

void TestWindow::startPageShowsWhatToDo() {
  WindowFixture f;
  f.open({});
  QVERIFY(f.find<StartPage>("startPage")->isVisible());
  QVERIFY(WindowFixture::click("start.file.new"));
  QVERIFY(f.document());
  QVERIFY(!f.find<StartPage>("startPage")->isVisible());
  QVERIFY(f.editor()->hasFocus());
  f.key(Qt::Key_W, Qt::ControlModifier);
  QVERIFY(f.find<StartPage>("startPage")->isVisible());
  QVERIFY(!f.parts().commands->action("file.save")->isEnabled());
}

void TestWindow::findsWhileTypingAndCounts() {
  WindowFixture f;
  f.openProjectWith("a.txt", "one two\none three\nonly one\n");
  f.key(Qt::Key_F, Qt::ControlModifier);
  QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("findText"));
  auto* count = f.find<QLabel>("findCount");
  f.type("one");
  QTRY_COMPARE(count->text(), QStringLiteral("1 of 3"));
  f.key(Qt::Key_Return);
  QTRY_COMPARE(count->text(), QStringLiteral("2 of 3"));
  QCOMPARE(f.editor()->caretLine(), 1);
  f.key(Qt::Key_Return, Qt::ShiftModifier);
  QTRY_COMPARE(count->text(), QStringLiteral("1 of 3"));
  f.type("xyz");
  QTRY_COMPARE(count->text(), QStringLiteral("No matches"));
}

void TestWindow::findHonorsCaseWordsAndExpressions() {
  WindowFixture f;
  f.openProjectWith("a.txt", "cat Cat catalog\nc12\n");
  f.key(Qt::Key_F, Qt::ControlModifier);
  f.type("cat");
  auto* find = f.document()->find();
  QTRY_VERIFY(!find->isCounting());
  QCOMPARE(find->matchCount(), 3);
  QVERIFY(WindowFixture::click("findCase"));
  QTRY_COMPARE(find->matchCount(), 2);
  QVERIFY(WindowFixture::click("findWord"));
  QTRY_COMPARE(find->matchCount(), 1);
  QVERIFY(WindowFixture::click("findWord"));
  QVERIFY(WindowFixture::click("findRegex"));
  auto* text = f.find<QLineEdit>("findText");
  text->setFocus();
  text->clear();
  f.type("c[at0-9]+");
  QTRY_COMPARE(find->matchCount(), 3);
}

void TestWindow::aBadExpressionIsSaidNotSearched() {
  WindowFixture f;
  f.openProjectWith("a.txt", "(a)\n");
  f.key(Qt::Key_F, Qt::ControlModifier);
  QVERIFY(WindowFixture::click("findRegex"));
  f.find<QLineEdit>("findText")->setFocus();
  f.type("(a");
  QCOMPARE(f.find<QLabel>("findCount")->text(), QStringLiteral("Not a valid expression"));
  QVERIFY(f.find<QLineEdit>("findText")->property("invalid").toBool());
}

void TestWindow::replacesOneAndAllAsOneStep() {
  WindowFixture f;
  f.openProjectWith("a.txt", "red red red\n");
  f.key(Qt::Key_H, Qt::ControlModifier);
  f.type("red");
  f.key(Qt::Key_Tab);
  QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("replaceText"));
  f.type("blue");
  f.key(Qt::Key_Return);
  QCOMPARE(f.editor()->text(), QByteArray("blue red red\n"));
  f.key(Qt::Key_Return, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray("blue blue blue\n"));
  f.document()->setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray("blue red red\n"));
}

void TestWindow::replacesInTheCaseOfWhatIsReplaced() {
  WindowFixture f;
  f.openProjectWith("a.txt", "foo Foo FOO\n");
  f.key(Qt::Key_H, Qt::ControlModifier);
  f.type("foo");
  f.key(Qt::Key_Tab);
  f.type("bar");
  QVERIFY(WindowFixture::click("replaceCase"));
  f.find<QLineEdit>("replaceText")->setFocus();
  f.key(Qt::Key_Return, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray("bar Bar BAR\n"));
  QVERIFY(WindowFixture::click("replaceCase"));
  f.find<QLineEdit>("findText")->setFocus();
  f.key(Qt::Key_A, Qt::ControlModifier);
  f.type("bar");
  f.find<QLineEdit>("replaceText")->setFocus();
  f.key(Qt::Key_A, Qt::ControlModifier);
  f.type("x");
  f.key(Qt::Key_Return, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray("x x x\n"));
}

void TestWindow::escapeClosesTheBarAndGivesTheKeyboardBack() {
  WindowFixture f;
  f.openProjectWith("a.txt", "text\n");
  f.key(Qt::Key_F, Qt::ControlModifier);
  QVERIFY(f.find<FindBar>("findBar")->isVisible());
  f.key(Qt::Key_Escape);
  QVERIFY(!f.find<FindBar>("findBar")->isVisible());
  QVERIFY(f.editor()->hasFocus());
}

void TestWindow::goesToLineAndColumn() {
  WindowFixture f;
  QByteArray text;
  for (int i = 1; i <= 100; ++i) text += "line " + QByteArray::number(i) + '\n';
  f.openProjectWith("a.txt", text);
  f.key(Qt::Key_G, Qt::ControlModifier);
  f.type("42:4");
  f.key(Qt::Key_Return);
  QCOMPARE(f.editor()->caretLine(), 41);
  QCOMPARE(f.editor()->caretColumn(), 3);
  QVERIFY(f.editor()->hasFocus());
  QTRY_COMPARE(f.find<QToolButton>("statusPosition")->text(), QStringLiteral("Ln 42, Col 4"));
  f.key(Qt::Key_G, Qt::ControlModifier);
  f.type("9999");
  f.key(Qt::Key_Return);
  QCOMPARE(f.editor()->caretLine(), 100);
  // A command line names places the same way.
  f.drop();
  f.open({f.project(), f.path("a.txt") + ":7:2"});
  QCOMPARE(f.editor()->caretLine(), 6);
  QCOMPARE(f.editor()->caretColumn(), 1);
}

void TestWindow::paletteRunsCommands() {
  WindowFixture f;
  f.openProject();
  f.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("pickerInput"));
  f.type("newfile");
  f.key(Qt::Key_Return);
  QVERIFY(f.document());
  QVERIFY(f.document()->path().isEmpty());
  // Esc leaves everything as it was.
  f.document()->setFocus();
  f.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  f.key(Qt::Key_Escape);
  QVERIFY(f.editor()->hasFocus());
  QCOMPARE(f.parts().tabs->documents().size(), 1);
}

void TestWindow::quickOpenFindsFilesOfTheProject() {
  WindowFixture f;
  f.write(".gitignore", "build/\n");
  f.write("src/main_window.cpp", "");
  f.write("src/menu.cpp", "");
  f.write("build/main_window.o", "");
  f.openProject();
  QTRY_COMPARE(f.parts().fileIndex->files().size(), 3);
  f.key(Qt::Key_P, Qt::ControlModifier);
  f.type("mwin");
  f.key(Qt::Key_Return);
  QTRY_VERIFY(f.document());
  QCOMPARE(f.document()->path(), f.path("src/main_window.cpp"));
}

void TestWindow::tabsCloseReopenAndStep() {
  WindowFixture f;
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) f.write(name, "1\n2\n3\n");
  f.openProject();
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) f.openFile(name);
  f.key(Qt::Key_PageUp, Qt::ControlModifier);
  QCOMPARE(f.document()->title(), QStringLiteral("b.txt"));
  f.editor()->goToLine(2);
  f.document()->setFocus();
  f.key(Qt::Key_W, Qt::ControlModifier);
  QCOMPARE(f.parts().tabs->documents().size(), 2);
  QCOMPARE(f.document()->title(), QStringLiteral("c.txt"));
  f.key(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(f.document()->title(), QStringLiteral("b.txt"));
  QCOMPARE(f.editor()->caretLine(), 2);
  // The same file is opened once only.
  f.openFile("./b.txt");
  QCOMPARE(f.parts().tabs->documents().size(), 3);
}

void TestWindow::ctrlTabGoesThroughTheHistory() {
  WindowFixture f;
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) f.write(name, "");
  f.openProject();
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) f.openFile(name);
  const auto letGo = [] { QTest::keyRelease(QApplication::focusWidget(), Qt::Key_Control); };
  f.key(Qt::Key_Tab, Qt::ControlModifier);
  letGo();
  QCOMPARE(f.document()->title(), QStringLiteral("b.txt"));
  f.document()->setFocus();
  f.key(Qt::Key_Tab, Qt::ControlModifier);
  letGo();
  QCOMPARE(f.document()->title(), QStringLiteral("c.txt"));
  // keyClick() would let go of Ctrl after each.
  for (int i = 0; i < 2; ++i) {
    f.document()->setFocus();
    for (bool press : {true, false}) {
      QTest::simulateEvent(QApplication::focusWidget(), press, Qt::Key_Tab, Qt::ControlModifier,
                           QString(), false);
    }
  }
  letGo();
  QCOMPARE(f.document()->title(), QStringLiteral("a.txt"));
}

void TestWindow::middleClickCloses() {
  WindowFixture f;
  f.write("a.txt", "");
  f.write("b.txt", "");
  f.openProject();
  f.openFile("a.txt");
  f.openFile("b.txt");
  auto* bar = f.find<TabBar>("editorTabBar");
  QTest::mouseClick(bar, Qt::MiddleButton, {}, bar->tabRect(0).center());
  QCOMPARE(f.parts().tabs->documents().size(), 1);
  QCOMPARE(f.document()->title(), QStringLiteral("b.txt"));
}

void TestWindow::sameNamesAreToldApart() {
  WindowFixture f;
  f.write("x/main.cpp", "");
  f.write("y/main.cpp", "");
  f.openProject();
  f.openFile("x/main.cpp");
  auto* bar = f.find<TabBar>("editorTabBar");
  QCOMPARE(bar->tabText(0), QStringLiteral("main.cpp"));
  f.openFile("y/main.cpp");
  QVERIFY(bar->tabText(0).contains('x'));
  QVERIFY(bar->tabText(1).contains('y'));
  QVERIFY(bar->tabText(0) != bar->tabText(1));
}

void TestWindow::closingAsksAboutUnsavedText() {
  WindowFixture f;
  f.openProjectWith("a.txt", "old\n");
  f.type("new ");
  f.key(Qt::Key_W, Qt::ControlModifier);
  QVERIFY(WindowFixture::click("unsavedCancel"));
  QVERIFY(f.document());
  f.document()->setFocus();
  f.key(Qt::Key_W, Qt::ControlModifier);
  QVERIFY(WindowFixture::click("unsavedSave"));
  QTRY_VERIFY(!f.document());
  QCOMPARE(f.read("a.txt"), QByteArray("new old\n"));
  f.openFile("a.txt");
  f.type("more ");
  f.key(Qt::Key_W, Qt::ControlModifier);
  QVERIFY(WindowFixture::click("unsavedDiscard"));
  QTRY_VERIFY(!f.document());
  QCOMPARE(f.read("a.txt"), QByteArray("new old\n"));
}

void TestWindow::closingTheWindowAsksOnce() {
  WindowFixture f;
  f.openProjectWith("a.txt", "");
  f.type("a");
  f.key(Qt::Key_N, Qt::ControlModifier);
  f.type("b");
  QVERIFY(!f.close());
  f.window().close();
  QCOMPARE(f.window().findChildren<QMessageBox*>("unsavedDialog").size(), 1);
  QVERIFY(WindowFixture::click("unsavedCancel"));
  test::rest();
  QVERIFY(f.window().isVisible());
  QVERIFY(!f.close());
  QVERIFY(WindowFixture::click("unsavedDiscard"));
  QTRY_VERIFY(!f.window().isVisible());
  QCOMPARE(f.read("a.txt"), QByteArray());
}

void TestWindow::panelsBelowTheTextAreTabs() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a\n");
  const auto dockOf = [&f](const char* name) { return f.find<QDockWidget>(name); };
  const auto tabsOf = [&dockOf](const char* name) {
    return dockOf(name)->titleBarWidget()->findChild<PanelTabs*>();
  };
  const auto nameOf = [](const PanelTabs* tabs) { return tabs->tabText(tabs->currentIndex()); };
  WindowFixture::trigger(f.window(), "problems.show");
  QTRY_VERIFY(dockOf("problemsDock")->isVisible());
  PanelTabs* tabs = tabsOf("problemsDock");
  QVERIFY(tabs);
  QCOMPARE(nameOf(tabs), QStringLiteral("Problems"));
  const auto indexOf = [tabs](const QString& name) {
    for (int i = 0; i < tabs->count(); ++i)
      if (tabs->tabText(i) == name) return i;
    return -1;
  };
  // By mouse the panel gets the keyboard, and its own head has its own tab in front.
  const int search = indexOf(QStringLiteral("Search"));
  QVERIFY(search >= 0);
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(search).center());
  QTRY_VERIFY(dockOf("searchDock")->isVisible() && !dockOf("problemsDock")->isVisible());
  QVERIFY(dockOf("searchDock")->widget()->isAncestorOf(QApplication::focusWidget()));
  QCOMPARE(nameOf(tabsOf("searchDock")), QStringLiteral("Search"));
  QCOMPARE(nameOf(tabs), QStringLiteral("Problems"));
  // By key the tabs keep it.
  tabsOf("searchDock")->setFocus();
  QTest::keyClick(tabsOf("searchDock"), Qt::Key_Right);
  QTRY_VERIFY(!dockOf("searchDock")->isVisible());
  QVERIFY(qobject_cast<PanelTabs*>(QApplication::focusWidget()));
  // One that lies elsewhere has no tab here.
  dockOf("problemsDock")->setFloating(true);
  QVERIFY(!tabsOf("searchDock")->isTabVisible(indexOf(QStringLiteral("Problems"))));
}

void TestWindow::aPanelIsMaximizedUntilTheTextIsGoneTo() {
  WindowFixture f;
  f.openProjectWith("a.txt", "text\n");
  const QAction* maximize = f.parts().commands->action("view.maximizePanel");
  // Without a panel there is nothing to maximize, which is said.
  f.key(Qt::Key_M, Qt::ControlModifier);
  f.key(Qt::Key_M, Qt::ShiftModifier);
  QVERIFY(f.parts().notices->find("noPanel") && !maximize->isChecked());
  QDockWidget* panel = f.parts().searchDock;
  f.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_VERIFY(panel->isVisible());
  test::rest();
  const int before = panel->height();
  f.document()->setFocus();
  f.key(Qt::Key_M, Qt::ControlModifier);
  f.key(Qt::Key_M, Qt::ShiftModifier);
  QVERIFY(maximize->isChecked());
  QVERIFY(panel->isAncestorOf(QApplication::focusWidget()));
  QTRY_VERIFY(panel->height() > before + 100);
  const int high = panel->height();
  // Another panel is as high, and the text brings the old height back.
  WindowFixture::trigger(f.window(), "problems.show");
  QTRY_VERIFY(f.parts().problemsDock->isVisible());
  QTRY_VERIFY(std::abs(f.parts().problemsDock->height() - high) < 40);
  f.document()->setFocus();
  QVERIFY(!maximize->isChecked());
  QTRY_VERIFY(std::abs(f.parts().problemsDock->height() - before) < 40);
  // By its button, and hidden meanwhile: the next one is as it was.
  QVERIFY(WindowFixture::click("problemsDockMaximize"));
  QTRY_VERIFY(f.parts().problemsDock->height() > before + 100);
  f.parts().problemsDock->hide();
  QTRY_VERIFY(!maximize->isChecked());
  f.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_VERIFY(panel->isVisible());
  QTRY_VERIFY(std::abs(panel->height() - before) < 40);
}

void TestWindow::themeChangesAndIsRemembered() {
  WindowFixture f;
  f.openProjectWith("a.txt", "text\n");
  const QColor dark = f.window().palette().color(QPalette::Window);
  QVERIFY(f.editor()->colors().dark);
  WindowFixture::trigger(f.window(), "view.theme");
  QVERIFY(f.window().palette().color(QPalette::Window).lightness() > dark.lightness() + 100);
  QVERIFY(!f.editor()->colors().dark);
  QVERIFY(f.close());
  Theme::instance().apply(ThemeKind::kDark);
  f.openProject();
  QCOMPARE(Theme::instance().kind(), ThemeKind::kLight);
}

void TestWindow::ligaturesAreSwitchedInTheSettings() {
  WindowFixture f;
  f.openProjectWith("a.cpp", "a->b != c\n");
  QVERIFY(f.editor()->ligatures());
  f.trigger(f.window(), "app.settings");
  auto* box = f.find<QCheckBox>("setting.editor/ligatures");
  QVERIFY(box);
  QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
  QVERIFY(!f.editor()->ligatures());  // at once
  // The family that stands in is nobody's choice.
  auto* families = f.find<QComboBox>("setting.editor/fontFamily");
  for (int i = 0; i < families->count(); ++i)
    QVERIFY2(!families->itemText(i).contains("ligatures"), qPrintable(families->itemText(i)));
  QVERIFY(f.close());
  f.openProject();
  f.openFile("a.cpp");
  QVERIFY(!f.editor()->ligatures());
}

void TestWindow::aKeyCanBeChangedInTheDialog() {
  WindowFixture f;
  f.openProject();
  WindowFixture::trigger(f.window(), "help.shortcuts");
  auto* dialog = f.find<ShortcutsDialog>("shortcutsDialog");
  QVERIFY(QTest::qWaitForWindowActive(dialog));
  auto* list = dialog->findChild<QTreeWidget*>("shortcutsList");
  const auto found = list->findItems("File: New File", Qt::MatchExactly);
  QCOMPARE(found.size(), 1);
  list->setCurrentItem(found.first());
  auto* edit = dialog->findChild<QKeySequenceEdit*>("shortcutsKey");
  QVERIFY(WindowFixture::click("shortcutsSet"));  // no key pressed yet: nothing is taken away
  QVERIFY(!f.parts().commands->action("file.new")->shortcuts().isEmpty());
  dialog->activateWindow();
  edit->setFocus();
  QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(edit));
  QTest::keyClick(edit, Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
  QVERIFY(WindowFixture::click("shortcutsSet"));
  dialog->close();
  QTRY_VERIFY(!f.find<ShortcutsDialog>("shortcutsDialog"));
  f.window().activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&f.window()));
  QTest::keyClick(&f.window(), Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
  QVERIFY(f.document());
}

void TestWindow::commandsHaveHelpAndKeysDoNotCollide() {
  WindowFixture f;
  f.openProject();
  CommandRegistry& commands = *f.parts().commands;
  for (const Command* command : commands.commands()) {
    QVERIFY2(!command->help.isEmpty(), qPrintable(command->id));
    QVERIFY2(command->run, qPrintable(command->id));
  }
  for (const KeyMap map : {KeyMap::kOwn, KeyMap::kVsCode, KeyMap::kKate}) {
    const KeyTable table = keyTable(map);
    QCOMPARE(table.isEmpty(), map == KeyMap::kOwn);
    for (auto row = table.begin(); row != table.end(); ++row) {
      QVERIFY2(commands.find(row.key()), qPrintable(row.key()));
      for (const QKeySequence& key : *row) {
        QVERIFY2(!key.isEmpty() && key[0].key() != Qt::Key_unknown, qPrintable(row.key()));
      }
    }
    commands.setKeyMap(table);
    QMultiHash<QKeySequence, const Command*> seen;
    for (const Command* command : commands.commands()) {
      if (table.contains(command->id)) QCOMPARE(commands.keys(command->id), table[command->id]);
      for (const QKeySequence& key : commands.keys(command->id)) seen.insert(key, command);
    }
    QVERIFY(seen.size() > 45);
    for (auto given = seen.begin(); given != seen.end(); ++given) {
      // Two commands have a key, or one that begins with it, only where it never means both.
      QList<const Command*> others = seen.values(given.key());
      if (given.key().count() > 1) others += seen.values(QKeySequence(given.key()[0]));
      for (const Command* other : std::as_const(others))
        QVERIFY2(other == *given || !clash(**given, *other) ||
                     (*given)->keyContext().excludes(other->keyContext()),
                 qPrintable(given.key().toString() + ": " + (*given)->id + ", " + other->id));
    }
  }
}

void TestWindow::theKeysOfAnotherEditorAreASettingAway() {
  WindowFixture f;
  f.openProjectWith("a.txt", "one\ntwo\n");
  const auto use = [&f](KeyMap map) {
    Preferences preferences = f.parts().settings->get();
    preferences.keyMap = map;
    f.parts().settings->set(preferences);
  };
  use(KeyMap::kVsCode);
  WindowFixture::key(Qt::Key_F1);
  QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("pickerInput"));
  WindowFixture::key(Qt::Key_Escape);
  WindowFixture::key(Qt::Key_Down, Qt::ShiftModifier | Qt::AltModifier);
  WindowFixture::type("x");
  QCOMPARE(f.document()->text().toByteArray(), QByteArray("xone\nxtwo\n"));
  use(KeyMap::kKate);
  WindowFixture::key(Qt::Key_Escape);
  WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
  QCOMPARE(f.document()->text().toByteArray(), QByteArray("xtwo\n"));
  use(KeyMap::kOwn);
  WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
  QTRY_VERIFY(f.find<QWidget>("editBar")->isVisible());
  QCOMPARE(f.document()->text().toByteArray(), QByteArray("xtwo\n"));
}

// Each menu's name that a command gives is one of a menu, or nobody would see the command there.
void TestWindow::commandsAreWhereTheySayTheyAre() {
  WindowFixture f;
  f.openProjectWith("a.txt", "text\n");
  const QSet<QString> elsewhere = {"tools",         "start",  "filesTitle", "askTitle",
                                   "planTitle",     "tab",    "tree",       "terminal",
                                   "terminalTitle", "editor", "debugBar"};
  const auto menus = f.window().menuBar()->findChildren<QMenu*>();
  for (const Command* command : f.parts().commands->commands()) {
    const QAction* action = f.parts().commands->action(command->id);
    for (const MenuPlace& place : command->places) {
      if (elsewhere.contains(place.menu)) continue;
      const QString name = QString(place.menu).section('/', -1) + "Menu";
      const auto shows = [&](const QMenu* menu) {
        return menu->objectName() == name && menu->actions().contains(action);
      };
      QVERIFY2(std::any_of(menus.begin(), menus.end(), shows),
               qPrintable(command->id + " in " + place.menu));
    }
  }
  QStringList edit;
  for (const QAction* action : f.find<QMenu>("editMenu")->actions())
    edit.append(action->isSeparator() ? QString("-") : action->objectName());
  QCOMPARE(edit.mid(0, 8), (QStringList{"edit.undo", "edit.redo", "-", "edit.cut", "edit.copy",
                                        "edit.paste", "edit.selectAll", "-"}));
}

void TestWindow::commandsFollowWhatIsSo() {
  WindowFixture f;
  f.open({});
  const auto is = [&f](const char* id) { return f.parts().commands->action(id)->isEnabled(); };
  QVERIFY(!is("file.closeFolder") && !is("files.newFile") && !is("edit.undo"));
  f.drop();
  f.openProjectWith("a.txt", "text\n");
  QVERIFY(is("file.closeFolder") && is("files.newFile") && is("edit.undo"));
  QVERIFY(is("editor.toggle-comment") && !is("editor.accept-word"));
  f.editor()->setSelection(0, 0);
  f.editor()->ghost()->show(0, "some more ");
  QVERIFY(is("editor.accept-word") && is("editor.read-suggestion"));
  QVERIFY(f.parts().commands->run("editor.accept-word"));
  QCOMPARE(f.editor()->text(), QByteArray("sometext\n"));
  f.editor()->ghost()->dismiss();
  QVERIFY(!is("editor.accept-word"));
  // A ghost in a text that is not in front is not meant.
  f.editor()->ghost()->show(4, "more");
  QVERIFY(is("editor.accept-word"));
  f.trigger(f.window(), "file.new");
  QVERIFY(!is("editor.accept-word"));
}

// The folder tree's keys are its own only while it has the keyboard.
void TestWindow::keysOfTheTreeAreTheTrees() {
  WindowFixture f;
  f.openProjectWith("a.txt", "text\n");
  f.editor()->setSelection(0, 0);
  f.key(Qt::Key_Delete);
  QCOMPARE(f.editor()->text(), QByteArray("ext\n"));
  QVERIFY(!f.find<QMessageBox>("trashDialog"));
  f.parts().tree->reveal(f.path("a.txt"));
  f.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(f.parts().tree->selectedPath(), f.path("a.txt"));
  f.key(Qt::Key_Delete);
  QVERIFY(f.find<QMessageBox>("trashDialog"));
  QVERIFY(WindowFixture::click("trashCancel"));
}

// A key of the editor's, set in the one place for all keys, reaches the texts that are open.
void TestWindow::anEditorKeyCanBeChanged() {
  WindowFixture f;
  f.openProjectWith("a.txt", "one\n");
  f.key(Qt::Key_F8);
  QCOMPARE(f.editor()->text(), QByteArray("one\n"));
  QCOMPARE(f.parts().commands->setKeys("editor.duplicate-line", {Qt::Key_F8}), QString());
  f.key(Qt::Key_F8);
  QCOMPARE(f.editor()->text(), QByteArray("one\none\n"));
  WindowFixture::trigger(f.window(), "file.save");
  QVERIFY(f.close());
  f.open({f.project()});
  f.openFile("a.txt");
  QCOMPARE(f.editor()->keys().key("duplicate-line"), QKeySequence(Qt::Key_F8));
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestWindow)
#include "test_window.moc"
