// SPDX-License-Identifier: GPL-3.0-or-later
// The settings in the window: the files as texts, what is said of their mistakes, and the dialog.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/shell/settings_dialog.h"
#include "gui/store/settings.h"
#include "gui/store/settings_table.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {

class TestSettingsWindow : public QObject {
  Q_OBJECT
 private slots:
  void aMistakeIsNamedAndLeadsToItsLine();
  void aSavedFileIsInForce();
  void theProjectsFileIsOfTheFolderThatIsOpen();
  void itIsFoundByWordsAndSetByKeys();
  void whatTheFileSaysIsMarkedAndTakenOut();
  void aProjectHasItsOwnTab();
  void aListIsCheckedAsItIsTyped();
  void theFileOpensAtTheSetting();
  void everySettingHasANamedControl();
  void aThemeIsShownBeforeItIsChosen();

 private:
  static SettingsDialog* openDialog(WindowFixture& f) {
    f.parts().commands->action("app.settings")->trigger();
    auto* dialog = f.window().findChild<SettingsDialog*>();
    if (!QTest::qWaitForWindowActive(dialog)) qWarning("The dialog is not active.");
    const auto* search = dialog->findChild<QLineEdit*>("settingsSearch");
    if (!QTest::qWaitFor([search] { return search->hasFocus(); })) qWarning("No focus.");
    return dialog;
  }
  static Banner* mistakes(WindowFixture& f) { return f.parts().notices->find("settingsMistakes"); }
};

void TestSettingsWindow::aMistakeIsNamedAndLeadsToItsLine() {
  WindowFixture f;
  f.write(".waferpair/settings.json",
          "{\n  \"editor/wordWrap\": true,\n  \"editor/fontSze\": 1\n}");
  f.openProject();
  QVERIFY(f.parts().settings->get().wordWrap);
  QVERIFY(mistakes(f));
  QVERIFY2(
      mistakes(f)->text().contains("line 3") && mistakes(f)->text().contains("“editor/fontSize”"),
      qPrintable(mistakes(f)->text()));
  auto* open = mistakes(f)->findChild<QPushButton*>("openSettings");
  QVERIFY(open);
  QTest::mouseClick(open, Qt::LeftButton);
  QCOMPARE(f.document()->path(), f.path(".waferpair/settings.json"));
  QCOMPARE(f.editor()->lineAt(f.editor()->caret()), 2);
}

void TestSettingsWindow::aSavedFileIsInForce() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a\n");
  WindowFixture::trigger(f.window(), "app.settingsFile");
  QTRY_COMPARE(f.document()->path(), f.config() + "/settings.json");
  f.editor()->goToLine(0, 1);
  WindowFixture::type("\"editor/wordWrap\": true, \"editor/whitespace\": tru,");
  WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
  QTRY_VERIFY(mistakes(f));
  QVERIFY2(mistakes(f)->text().contains("“tru”"), qPrintable(mistakes(f)->text()));
  QVERIFY(!f.parts().settings->get().wordWrap);
  WindowFixture::key(Qt::Key_Left);
  WindowFixture::type("e");
  WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
  QTRY_VERIFY(f.parts().settings->get().wordWrap);
  QVERIFY(f.parts().settings->get().whitespace);
  QVERIFY(!mistakes(f) || !mistakes(f)->isVisible());
  QVERIFY(!f.parts().settings->get().languageServers);
}

void TestSettingsWindow::theProjectsFileIsOfTheFolderThatIsOpen() {
  WindowFixture f;
  f.open({});
  QVERIFY(!f.parts().commands->action("app.projectSettingsFile")->isEnabled());
  WindowFixture g;
  g.openProject();
  WindowFixture::trigger(g.window(), "app.projectSettingsFile");
  QTRY_VERIFY(g.document());
  QCOMPARE(g.document()->path(), g.path(".waferpair/settings.json"));
  QVERIFY(g.read(".waferpair/settings.json").contains("\"$schema\""));
}

// -- The dialog

void TestSettingsWindow::itIsFoundByWordsAndSetByKeys() {
  WindowFixture f;
  f.openProject();
  SettingsDialog* dialog = openDialog(f);
  QTest::keyClicks(QApplication::focusWidget(), "size FONT");
  auto* size = dialog->findChild<QDoubleSpinBox*>("setting.editor/fontSize");
  QVERIFY(size->isVisible());
  QVERIFY(!dialog->findChild<QWidget*>("setting.editor/wordWrap")->isVisible());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
  QCOMPARE(QApplication::focusWidget(), size);
  QTest::keyClick(size, Qt::Key_Up);
  QCOMPARE(f.parts().settings->get().fontSize, 11.5);
  // By its id, too.
  QTest::keyClick(size, Qt::Key_F, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), "files/hid");
  auto* hidden = dialog->findChild<QCheckBox*>("setting.files/hidden");
  QVERIFY(hidden->isVisible() && !size->isVisible());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  QVERIFY(f.parts().settings->get().hiddenFiles);
  // Esc takes the search back before it closes the dialog.
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QVERIFY(dialog->isVisible() && size->isVisible());
  QTest::keyClicks(QApplication::focusWidget(), "no such setting");
  QVERIFY(dialog->findChild<QLabel*>("settingsNothing")->isVisible());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QVERIFY(!dialog->isVisible());
}

void TestSettingsWindow::whatTheFileSaysIsMarkedAndTakenOut() {
  WindowFixture f;
  f.openProject();
  SettingsDialog* dialog = openDialog(f);
  auto* wrap = dialog->findChild<QCheckBox*>("setting.editor/wordWrap");
  auto* reset = dialog->findChild<QToolButton*>("settingReset.editor/wordWrap");
  dialog->findChild<QScrollArea*>()->ensureWidgetVisible(wrap);
  QVERIFY(!reset->isVisible());
  QTest::keyClick(wrap, Qt::Key_Space);
  QVERIFY(reset->isVisible() && f.parts().settings->get().wordWrap);
  QTest::mouseClick(reset, Qt::LeftButton);
  QVERIFY(!reset->isVisible() && !wrap->isChecked());
  QVERIFY(!f.parts().settings->get().wordWrap);
  // What another program writes is shown.
  QFile file(f.config() + "/settings.json");
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("{\"editor/wordWrap\": true}");
  file.close();
  QTRY_VERIFY(wrap->isChecked() && reset->isVisible());
}

void TestSettingsWindow::aProjectHasItsOwnTab() {
  WindowFixture f;
  f.openProject();
  SettingsDialog* dialog = openDialog(f);
  auto* tabs = dialog->findChild<QTabBar*>("settingsScopes");
  tabs->setFocus();
  QTest::keyClick(tabs, Qt::Key_Right);
  QCOMPARE(tabs->currentIndex(), 1);
  // What is the user's alone is not there.
  QVERIFY(!dialog->findChild<QWidget*>("setting.theme"));
  QList<QCheckBox*> boxes = dialog->findChildren<QCheckBox*>("setting.editor/suggestions");
  QTest::keyClick(boxes.last(), Qt::Key_Space);
  QVERIFY(!f.parts().settings->get().suggestions);
  QVERIFY(f.read(".waferpair/settings.json").contains("\"editor/suggestions\": false"));
  // It may be switched off there, and on by saying nothing.
  QTest::keyClick(boxes.last(), Qt::Key_Space);
  QVERIFY(f.parts().settings->get().suggestions);
  QVERIFY(!f.read(".waferpair/settings.json").contains("editor/suggestions"));
  QTest::keyClick(dialog->findChildren<QCheckBox*>("setting.editor/wordWrap").last(),
                  Qt::Key_Space);
  QTest::keyClick(tabs, Qt::Key_Left);
  const auto notes = dialog->findChildren<QLabel*>("settingNote.editor/wordWrap");
  QVERIFY2(notes.last()->text().contains("on"), qPrintable(notes.last()->text()));
}

void TestSettingsWindow::aListIsCheckedAsItIsTyped() {
  WindowFixture f;
  f.openProject();
  SettingsDialog* dialog = openDialog(f);
  auto* field = dialog->findChild<QLineEdit*>("setting.suggestions/languagesOff");
  auto* note = dialog->findChild<QLabel*>("settingNote.suggestions/languagesOff");
  QCOMPARE(field->text(), QString("[]"));
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, "[\"C++\"");
  QVERIFY2(note->isVisibleTo(dialog) && note->text().contains("list"), qPrintable(note->text()));
  QVERIFY(f.parts().settings->get().languagesWithoutSuggestions.isEmpty());
  QTest::keyClicks(field, "]");
  QVERIFY(!note->isVisibleTo(dialog));
  QCOMPARE(f.parts().settings->get().languagesWithoutSuggestions, QStringList{"C++"});
  QCOMPARE(field->text(), QString("[\"C++\"]"));
}

void TestSettingsWindow::theFileOpensAtTheSetting() {
  WindowFixture f;
  f.openProject();
  Preferences changed = f.parts().settings->get();
  changed.fontSize = 12;
  f.parts().settings->set(changed);
  SettingsDialog* dialog = openDialog(f);
  auto* size = dialog->findChild<QDoubleSpinBox*>("setting.editor/fontSize");
  size->setFocus();
  QTest::keyClick(size, Qt::Key_Return, Qt::ControlModifier);
  QTRY_VERIFY(f.document());
  QCOMPARE(f.document()->path(), f.config() + "/settings.json");
  const editor::CodeEditor* editor = f.editor();
  const int line = f.parts().settings->lineOf(SettingsScope::kUser, "editor/fontSize");
  QVERIFY(line > 0);
  QCOMPARE(editor->lineAt(editor->caret()), line - 1);
}

void TestSettingsWindow::everySettingHasANamedControl() {
  WindowFixture f;
  f.open({});
  SettingsDialog* dialog = openDialog(f);
  QVERIFY(!dialog->findChild<QTabBar*>("settingsScopes")->isTabEnabled(1));
  for (const SettingRow& row : settingsTable()) {
    const auto* control = dialog->findChild<QWidget*>(QStringLiteral("setting.") + row.id);
    QVERIFY2(control, qPrintable(row.id));
    QCOMPARE(control->accessibleName(), row.title);
    QVERIFY2(control->focusPolicy() & Qt::TabFocus, qPrintable(row.id));
  }
}

void TestSettingsWindow::aThemeIsShownBeforeItIsChosen() {
  WindowFixture f;
  f.openProjectWith("a.cpp", "int a;\n");
  const QColor before = f.editor()->colors().background;
  const auto choose = [&f](const char* name) {
    WindowFixture::trigger(f.window(), "view.colorTheme");
    WindowFixture::type(name);
  };
  choose("solarized light");
  QTRY_COMPARE(f.editor()->colors().background, QColor(0xfdf6e3));
  QCOMPARE(QApplication::palette().color(QPalette::Base), QColor(0xfdf6e3));
  WindowFixture::key(Qt::Key_Escape);
  QTRY_COMPARE(f.editor()->colors().background, before);
  QVERIFY(f.parts().settings->get().lightColors.isEmpty());
  choose("solarized light");
  WindowFixture::key(Qt::Key_Return);
  QTRY_COMPARE(f.editor()->colors().background, QColor(0xfdf6e3));
  QCOMPARE(f.parts().settings->get().lightColors, QString("Solarized Light"));
  QCOMPARE(f.parts().settings->get().theme, ThemeKind::kLight);
  choose("waferpair dark");
  WindowFixture::key(Qt::Key_Return);
  QTRY_COMPARE(f.editor()->colors().background, before);
  QCOMPARE(f.parts().settings->get().theme, ThemeKind::kDark);
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestSettingsWindow)
#include "test_settings_window.moc"
