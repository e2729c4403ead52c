// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that text in the colors of the themes can be read: contrast as WCAG 2 measures it.
#include <Qsci/qsciscintillabase.h>
#include <KSyntaxHighlighting/Format>

#include <QtTest>

#include "editor/view/style_table.h"
#include "editor/view/theme.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

QColor styleColor(const QsciScintillaBase& view, unsigned message, int style) {
  const long bgr = view.SendScintilla(message, static_cast<unsigned long>(style));
  return QColor(bgr & 0xff, (bgr >> 8) & 0xff, (bgr >> 16) & 0xff);
}

QString pair(const QColor& text, const QColor& ground) {
  return u"%1 on %2: %3 : 1"_s.arg(text.name(), ground.name())
      .arg(contrast(text, ground), 0, 'f', 2);
}

}  // namespace

class TestTheme : public QObject {
  Q_OBJECT

  static void addThemes() {
    QTest::addColumn<QString>("name");
    QTest::newRow("dark") << QString::fromLatin1(kDarkTheme);
    QTest::newRow("light") << QString::fromLatin1(kLightTheme);
  }

 private Q_SLOTS:
  void contrastIsThatOfTheStandard() {
    QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
    QCOMPARE(contrast(Qt::white, Qt::white), 1.0);
    // 4.48, the best known gray that just fails.
    QVERIFY(std::abs(contrast(QColor(0x777777), Qt::white) - 4.48) < 0.005);
  }

  // The looks that people know: the colors to the bit.
  void suggestionsAreTintedWithTheProgramsAccent() {
    const ThemeColors dark = themeColors(themeNamed(QLatin1String(kDarkTheme)), 0x5c9dff);
    QCOMPARE(dark.ghost.name(), u"#758fb7"_s);
    QCOMPARE(dark.ghostGround.name(), u"#202834"_s);
    const ThemeColors light = themeColors(themeNamed(QLatin1String(kLightTheme)), 0x2563c9);
    QCOMPARE(light.ghost.name(), u"#556f9a"_s);
    QCOMPARE(light.ghostGround.name(), u"#f0f4fb"_s);
    const ThemeColors other = themeColors(themeNamed(QLatin1String(kDarkTheme)), 0xff5c5c);
    QVERIFY(other.ghost != dark.ghost && other.ghostGround != dark.ghostGround);
    QCOMPARE(other.text, dark.text);
    QCOMPARE(other.addedGround, dark.addedGround);
  }

  // Everything that a language may be drawn with: on the editor's ground, on that of the caret's
  // line, or on the ground that it brings.
  void allTextCanBeRead_data() { addThemes(); }
  void allTextCanBeRead() {
    QFETCH(QString, name);
    const KSyntaxHighlighting::Theme theme = themeNamed(name);
    const ThemeColors colors = themeColors(theme);
    QsciScintillaBase view;
    QSet<int> seen;
    for (const char* language :
         {"C++", "C", "Python", "Rust", "Go", "Java", "JavaScript", "TypeScript", "HTML", "CSS",
          "XML", "JSON", "YAML", "Markdown", "Diff", "Bash", "CMake", "Doxygen", "Alerts"}) {
      const KSyntaxHighlighting::Definition definition =
          syntaxRepository().definitionForName(QLatin1String(language));
      QVERIFY2(definition.isValid(), language);
      StyleTable styles(&view);
      styles.reset(theme, false);
      for (const KSyntaxHighlighting::Format& format : definition.formats()) {
        const int style = styles.styleFor(format);
        if (style == 0) continue;
        seen.insert(format.textStyle());
        const QColor text = styleColor(view, Sci::SCI_STYLEGETFORE, style);
        QColor ground = styleColor(view, Sci::SCI_STYLEGETBACK, style);
        const QString what = QLatin1String(language) + u", "_s + format.name() + u": "_s;
        QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(what + pair(text, ground)));
        if (format.hasBackgroundColor(theme)) continue;
        QCOMPARE(ground, colors.background);
        ground = colors.currentLine;
        QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(what + pair(text, ground)));
      }
    }
    for (const auto needed :
         {KSyntaxHighlighting::Theme::Operator, KSyntaxHighlighting::Theme::Comment,
          KSyntaxHighlighting::Theme::Documentation})
      QVERIFY(seen.contains(needed));
  }

  void theEditorsOwnTextCanBeRead_data() { addThemes(); }
  void theEditorsOwnTextCanBeRead() {
    QFETCH(QString, name);
    const ThemeColors colors = themeColors(themeNamed(name));
    for (const QColor& ground : {colors.background, colors.currentLine}) {
      for (const QColor& text : {colors.text, colors.error})
        QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(pair(text, ground)));
    }
    for (const QColor& ground : {colors.background, colors.currentLine, colors.ghostGround})
      QVERIFY2(contrast(colors.ghost, ground) >= 4.5, qPrintable(pair(colors.ghost, ground)));
  }

  // Readable colors stay as the theme's author chose them; others move as little as needed.
  void colorsMoveNoFurtherThanNeeded() {
    const QColor dark(0x232629);
    const QColor light(0xcfcfc2);
    QCOMPARE(readableColor(QColor(0xfdbc4b), light, {dark}), QColor(0xfdbc4b));
    const QColor comment = readableColor(QColor(0x7a7c7d), light, {dark});
    QVERIFY(contrast(comment, dark) >= 4.5 && contrast(comment, dark) < 4.8);
    // On this ground not even the theme's text can be read.
    const QColor middle(0x888888);
    const QColor moved = readableColor(QColor(0x808080), light, {middle});
    QVERIFY(contrast(moved, middle) >= 4.5);
  }
};

QTEST_MAIN(TestTheme)
#include "test_theme.moc"
