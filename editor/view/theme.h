// SPDX-License-Identifier: GPL-3.0-or-later
// Languages and colors, from one KSyntaxHighlighting repository shared by all editors of the
// program. UI thread only; the repository is made at first use (about 10 ms).
#pragma once

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/Theme>
#include <QColor>
#include <QFont>
#include <QList>
#include <QString>
#include <QStringList>

namespace waferpair::editor {

// The program's own (resources/themes).
inline constexpr char kDarkTheme[] = "Waferpair Dark";
inline constexpr char kLightTheme[] = "Waferpair Light";

KSyntaxHighlighting::Repository& syntaxRepository();

// Names for setTheme(), dark and light mixed, sorted, beside the program's own two, which are what
// is shown where no other is chosen.
QStringList themeNames();
// Names for setLanguage(), sorted; "" (plain text) is not among them.
QStringList languageNames();
// The language of a file by its name, e.g. "C++"; "" for plain text.
QString languageForFile(const QString& path);
// The same on another thread, with a repository that it alone uses.
QString languageForFile(const QString& path, const KSyntaxHighlighting::Repository& repository);

// The colors of an editor. All but the tint of suggestions are the syntax theme's own.
struct ThemeColors {
  QColor background;
  QColor text;
  QColor currentLine;
  QColor selection;
  QColor lineNumber;
  QColor margin;
  // The color of suggestions: tinted, as no text is, and as faint as text may be on either ground.
  QColor ghost;
  QColor ghostGround;  // of the rows that only a suggestion has
  // The grounds of lines that a suggestion would put in, and of text that it would take out; code
  // is readable on both.
  QColor addedGround;
  QColor removedGround;
  QColor whitespace;
  QColor indentGuide;
  QColor bookmark;
  QColor searchMatch;
  QColor braceMatch;
  QColor error;
  QColor warning;
  bool dark = true;
};

// Returns `a` with this share, from 0 to 1, of `b`.
QColor mix(const QColor& a, const QColor& b, double share);
// The contrast ratio that text needs to be readable (WCAG 2).
inline constexpr double kTextContrast = 4.5;
double contrast(const QColor& a, const QColor& b);
// `color` where it can be read on each of `grounds`, else the nearest to it that can, on the way to
// `strongest`, or to black or white where that is too weak itself.
QColor readableColor(const QColor& color, const QColor& strongest, const QList<QColor>& grounds);

// An unknown name gives the dark theme.
KSyntaxHighlighting::Theme themeNamed(const QString& name);
// `accent` is the program's: suggestions are tinted with it. Without one they have the tint of
// selected text.
ThemeColors themeColors(const KSyntaxHighlighting::Theme& theme, const QColor& accent = {});

// Returns JetBrains Mono where installed, else the system's fixed-width font.
QFont defaultEditorFont();

}  // namespace waferpair::editor
