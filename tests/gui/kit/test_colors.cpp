// SPDX-License-Identifier: GPL-3.0-or-later
// Text can be read on every ground that it stands on (WCAG 2: a contrast of 4.5): in the program's
// own colors, in those of the wafer view, in a window around each theme's code, and in what is
// drawn by hand in lists and margins. How the editor draws code is
// tests/editor/widget/test_theme.cpp's matter.
#include <QApplication>
#include <QPalette>
#include <QTest>

#include "editor/view/theme.h"
#include "gui/documents/merge_conflicts.h"
#include "gui/git/log_delegate.h"
#include "gui/kit/theme.h"
#include "gui/terminal/terminal_colors.h"
#include "gui/workbench/found_delegate.h"
#include "wafer_view/theme.h"

namespace waferpair::gui {

class TestColors : public QObject {
  Q_OBJECT
 private slots:
  void textCanBeRead_data();
  void textCanBeRead();
  void whatIsDrawnByHandCanBeRead_data() { addLooks(); }
  void whatIsDrawnByHandCanBeRead();
  void theWafersTextCanBeRead_data();
  void theWafersTextCanBeRead();
  void aLookIsThatOfItsTheme();

 private:
  static void addLooks();
};

void TestColors::textCanBeRead_data() {
  QTest::addColumn<QColor>("text");
  QTest::addColumn<QColor>("ground");
  const auto rows = [](const QString& theme, const WindowColors& c) {
    const auto row = [&theme](const char* what, const QColor& text, const QColor& ground) {
      QTest::newRow(qPrintable(theme + ": " + what)) << text << ground;
    };
    const std::pair<const char*, QColor> texts[] = {{"text", c.text},       {"muted", c.muted},
                                                    {"accent", c.accent},   {"danger", c.danger},
                                                    {"warning", c.warning}, {"success", c.success}};
    const std::pair<const char*, QColor> grounds[] = {{"chrome", c.chrome},
                                                      {"editor", c.editor},
                                                      {"raised", c.raised},
                                                      {"hover", c.hover},
                                                      {"selection", c.selection}};
    for (const auto& [textName, text] : texts)
      for (const auto& [groundName, ground] : grounds)
        row(qPrintable(
                QStringLiteral("%1 on %2").arg(QLatin1String(textName), QLatin1String(groundName))),
            text, ground);
    row("onAccent on accent", c.onAccent, c.accent);
  };
  rows("dark", windowColors(ThemeKind::kDark));
  rows("light", windowColors(ThemeKind::kLight));
  for (const QString& name : editor::themeNames()) rows(name, windowColorsFor(name));
}

void TestColors::textCanBeRead() {
  QFETCH(QColor, text);
  QFETCH(QColor, ground);
  const double contrast = editor::contrast(text, ground);
  QVERIFY2(
      contrast >= 4.5,
      qPrintable(
          QStringLiteral("%1 on %2: %3").arg(text.name(), ground.name()).arg(contrast, 0, 'f', 2)));
}

void TestColors::addLooks() {
  QTest::addColumn<Look>("look");
  QTest::newRow("dark") << Look{true, {}};
  QTest::newRow("light") << Look{false, {}};
}

// Marks over code and rows of lists, terminals, the log's lanes: on the grounds that they have
// there.
void TestColors::whatIsDrawnByHandCanBeRead() {
  QFETCH(Look, look);
  Theme::instance().apply(look);
  const WindowColors& c = Theme::instance().colors();
  const editor::ThemeColors code =
      editor::themeColors(editor::themeNamed(Theme::instance().codeTheme()), c.accent);
  QStringList faults;
  const auto check = [&faults](const char* what, const QColor& text, const QColor& ground,
                               double least = 4.5) {
    const double contrast = editor::contrast(text, ground);
    if (contrast >= least) return;
    faults.append(QStringLiteral("%1: %2 on %3: %4")
                      .arg(QLatin1String(what), text.name(), ground.name())
                      .arg(contrast, 0, 'f', 2));
  };
  const auto over = [](const QColor& ground, const QColor& tint) {
    return QColor(editor::mix(ground, tint, tint.alphaF()).rgb());
  };
  for (const QColor& row : {c.chrome, c.editor, c.hover, c.selection})
    check("a match in a list", c.text, over(row, foundMatchTint()));
  check("a line's number", code.lineNumber, code.margin);
  for (const QColor& ground : conflictGrounds(code)) check("a conflict's side", code.text, ground);
  check("a line that would go", code.text, code.removedGround);
  check("a line that would come", code.text, code.addedGround);
  const TerminalColors terminal = TerminalColors::ofTheme();
  check("a terminal's text", terminal.text, terminal.background);
  check("a terminal's link", terminal.link, terminal.background);
  check("a terminal's muted text", terminal.muted, terminal.background);
  check("a mark of success", terminal.succeeded, terminal.background, 3);
  check("a mark of failure", terminal.failed, terminal.background, 3);
  // Black is a ground where it is dark.
  for (int i = code.dark ? 1 : 0; i < 16; ++i)
    check("a terminal's color", QColor(terminal.palette[i]), terminal.background);
  // Lines and marks are no text: 3 is what WCAG asks of them.
  for (int lane = 0; lane < 6; ++lane) check("a lane of the log", laneColor(lane), c.editor, 3);
  for (const QColor& mark : {code.error, code.warning, code.bookmark})
    check("a mark in the margin", mark, code.margin, 3);
  QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void TestColors::theWafersTextCanBeRead_data() {
  QTest::addColumn<ThemeKind>("theme");
  QTest::newRow("dark") << ThemeKind::kDark;
  QTest::newRow("light") << ThemeKind::kLight;
}

void TestColors::theWafersTextCanBeRead() {
  QFETCH(ThemeKind, theme);
  Theme::instance().apply(theme);
  const view::WaferColors c = view::waferColors(QApplication::palette());
  const auto check = [](const char* what, QRgb text, QRgb ground) {
    const double contrast = editor::contrast(QColor(text), QColor(ground));
    QVERIFY2(contrast >= 4.5, qPrintable(QStringLiteral("%1: %2 on %3: %4")
                                             .arg(what, QColor(text).name(), QColor(ground).name())
                                             .arg(contrast, 0, 'f', 2)));
  };
  check("text on the backdrop", c.text, c.backdrop);
  check("text on a panel", c.text, c.panel);
  check("dim text on the backdrop", c.dimText, c.backdrop);
  check("dim text on a panel", c.dimText, c.panel);
  check("a badge", c.badgeText, c.badge);
}

void TestColors::aLookIsThatOfItsTheme() {
  Preferences preferences;
  preferences.darkColors = "Dracula";
  QCOMPARE(preferredLook(preferences), (Look{true, "Dracula"}));
  Theme::instance().apply(preferredLook(preferences));
  QCOMPARE(Theme::instance().codeTheme(), QString("Dracula"));
  QCOMPARE(Theme::instance().colors().editor, QColor(editor::themeNamed("Dracula").editorColor(
                                                  KSyntaxHighlighting::Theme::BackgroundColor)));
  QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::instance().colors().chrome);
  preferences.theme = ThemeKind::kLight;
  QCOMPARE(preferredLook(preferences), (Look{false, {}}));
  Theme::instance().apply(preferredLook(preferences));
  QCOMPARE(Theme::instance().codeTheme(), QString(editor::kLightTheme));
  QCOMPARE(Theme::instance().colors().chrome, windowColors(ThemeKind::kLight).chrome);
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestColors)
#include "test_colors.moc"
