// SPDX-License-Identifier: GPL-3.0-or-later
// Text can be read on every ground that it stands on (WCAG 2: a contrast of 4.5): in the program's
// own colors, in those of the wafer view, and in a window around each theme's code. What the
// editor draws is tests/editor/widget/test_theme.cpp's matter.
#include <QApplication>
#include <QPalette>
#include <QTest>

#include "editor/widget/theme.h"
#include "gui/kit/theme.h"
#include "wafer_view/theme.h"

namespace waferpair::gui {

class TestColors : public QObject {
  Q_OBJECT
 private slots:
  void textCanBeRead_data();
  void textCanBeRead();
  void theWafersTextCanBeRead_data();
  void theWafersTextCanBeRead();
  void aLookIsThatOfItsTheme();
};

void TestColors::textCanBeRead_data() {
  QTest::addColumn<QColor>("text");
  QTest::addColumn<QColor>("ground");
  const auto rows = [](const QString& theme, const WindowColors& c) {
    const auto row = [&theme](const char* what, const QColor& text, const QColor& ground) {
      QTest::newRow(qPrintable(theme + ": " + what)) << text << ground;
    };
    row("text on chrome", c.text, c.chrome);
    row("text on editor", c.text, c.editor);
    row("text on raised", c.text, c.raised);
    row("text on hover", c.text, c.hover);
    row("text on selection", c.text, c.selection);
    row("muted on chrome", c.muted, c.chrome);
    row("muted on editor", c.muted, c.editor);
    row("muted on raised", c.muted, c.raised);
    row("muted on hover", c.muted, c.hover);
    row("accent on chrome", c.accent, c.chrome);
    row("accent on editor", c.accent, c.editor);
    row("accent on raised", c.accent, c.raised);
    row("onAccent on accent", c.onAccent, c.accent);
    row("danger on chrome", c.danger, c.chrome);
    row("danger on editor", c.danger, c.editor);
    row("danger on raised", c.danger, c.raised);
    row("warning on chrome", c.warning, c.chrome);
    row("warning on editor", c.warning, c.editor);
    row("warning on raised", c.warning, c.raised);
    row("success on chrome", c.success, c.chrome);
    row("success on editor", c.success, c.editor);
    row("success on raised", c.success, c.raised);
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
