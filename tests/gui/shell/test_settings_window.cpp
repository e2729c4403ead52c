// SPDX-License-Identifier: GPL-3.0-or-later
// The settings in the window: the files as texts, what is said of their mistakes, and the dialog.
#include <QAction>
#include <QPushButton>
#include <QTest>

#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/store/settings.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {

class TestSettingsWindow : public QObject {
  Q_OBJECT
 private slots:
  void aMistakeIsNamedAndLeadsToItsLine();
  void aSavedFileIsInForce();
  void theProjectsFileIsOfTheFolderThatIsOpen();

 private:
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

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestSettingsWindow)
#include "test_settings_window.moc"
