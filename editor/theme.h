// SPDX-License-Identifier: GPL-3.0-or-later
// Languages and colours, from one KSyntaxHighlighting repository shared by all editors of the
// program. UI thread only; the repository is made at first use (about 10 ms).
#pragma once

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/Theme>
#include <QColor>
#include <QFont>
#include <QString>
#include <QStringList>

namespace waferpair::editor {

inline constexpr char kDarkTheme[] = "Breeze Dark";
inline constexpr char kLightTheme[] = "Breeze Light";

KSyntaxHighlighting::Repository& syntaxRepository();

// Names for setTheme(), dark and light mixed, sorted.
QStringList themeNames();
// Names for setLanguage(), sorted; "" (plain text) is not among them.
QStringList languageNames();
// The language of a file by its name, e.g. "C++"; "" for plain text.
QString languageForFile(const QString& path);
// The same on another thread, with a repository that it alone uses.
QString languageForFile(const QString& path, const KSyntaxHighlighting::Repository& repository);

// The colours an editor and the program around it share.
struct ThemeColors {
  QColor background;
  QColor text;
  QColor currentLine;
  QColor selection;
  QColor lineNumber;
  QColor margin;
  QColor ghost;  // readable, but weaker than any text: at least 3 : 1 on `background`
  QColor whitespace;
  QColor searchMatch;
  QColor braceMatch;
  QColor error;
  bool dark = true;
};

// An unknown name gives the dark theme.
KSyntaxHighlighting::Theme themeNamed(const QString& name);
ThemeColors themeColors(const KSyntaxHighlighting::Theme& theme);

// JetBrains Mono where installed, else the system's fixed-width font.
QFont defaultEditorFont();

}  // namespace waferpair::editor
