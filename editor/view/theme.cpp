// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/theme.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <algorithm>
#include <cmath>

// A resource in a static library is linked in only where it is asked for; the macro must not stand
// inside a namespace.
static void initThemes() { Q_INIT_RESOURCE(themes); }

namespace waferpair::editor {

using KSyntaxHighlighting::Definition;
using KSyntaxHighlighting::Repository;
using KSyntaxHighlighting::Theme;

namespace {

constexpr double kTintOfGhost = 0.5;
constexpr double kTintOfGround = 0.07;
constexpr double kTintOfChange = 0.2;  // at most
constexpr double kLess = 0.8;
constexpr double kContrastKept = 0.9;

// Relative luminance and contrast ratio as WCAG 2 defines them.
double luminance(const QColor& color) {
  const auto linear = [](double c) {
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
         0.0722 * linear(color.blueF());
}

// The background in as much of `tint` as leaves code nearly as readable as it is.
QColor changeGround(const ThemeColors& colors, const QColor& tint) {
  const double least =
      std::min(kTextContrast, kContrastKept * contrast(colors.text, colors.background));
  double share = kTintOfChange;
  while (contrast(colors.text, mix(colors.background, tint, share)) < least) share *= kLess;
  return mix(colors.background, tint, share).rgb();
}

bool canBeRead(const QColor& color, const QList<QColor>& grounds) {
  return std::all_of(grounds.begin(), grounds.end(), [&color](const QColor& ground) {
    return contrast(color, ground) >= kTextContrast;
  });
}

}  // namespace

QColor mix(const QColor& a, const QColor& b, double share) {
  return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
                          static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
                          static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

double contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor readableColor(const QColor& color, const QColor& strongest, const QList<QColor>& grounds) {
  QColor end = strongest;
  for (const QColor& other : {QColor(Qt::white), QColor(Qt::black)})
    if (!canBeRead(end, grounds)) end = other;
  constexpr int kSteps = 50;
  for (int step = 0; step < kSteps; ++step) {
    // The color as it will be drawn: rounded to whole numbers.
    const QColor nearer = mix(color, end, static_cast<double>(step) / kSteps).toRgb().rgb();
    if (canBeRead(nearer, grounds)) return nearer;
  }
  return end.toRgb().rgb();
}

Repository& syntaxRepository() {
  initThemes();
  static Repository repository;
  return repository;
}

QStringList themeNames() {
  QStringList names;
  for (const Theme& theme : syntaxRepository().themes())
    if (theme.name() != QLatin1String(kDarkTheme) && theme.name() != QLatin1String(kLightTheme))
      names.append(theme.name());
  names.sort(Qt::CaseInsensitive);
  return names;
}

QStringList languageNames() {
  QStringList names;
  for (const Definition& definition : syntaxRepository().definitions()) {
    if (!definition.isHidden() && definition.name() != QLatin1String("None"))
      names.append(definition.name());
  }
  names.sort(Qt::CaseInsensitive);
  return names;
}

QString languageForFile(const QString& path) { return languageForFile(path, syntaxRepository()); }

QString languageForFile(const QString& path, const Repository& repository) {
  const Definition definition = repository.definitionForFileName(path);
  return definition.isValid() ? definition.name() : QString();
}

Theme themeNamed(const QString& name) {
  const Theme theme = syntaxRepository().theme(name);
  return theme.isValid() ? theme : syntaxRepository().theme(QLatin1String(kDarkTheme));
}

ThemeColors themeColors(const Theme& theme, const QColor& accent) {
  const auto editor = [&](Theme::EditorColorRole role) { return QColor(theme.editorColor(role)); };
  ThemeColors colors;
  colors.background = editor(Theme::BackgroundColor);
  colors.text = QColor(theme.textColor(Theme::Normal));
  colors.currentLine = editor(Theme::CurrentLine);
  colors.selection = editor(Theme::TextSelection);
  colors.lineNumber = readableColor(editor(Theme::LineNumbers), colors.text,
                                    {colors.background, colors.currentLine});
  colors.margin = colors.background;  // one surface: the numbers' own color sets them apart
  colors.dark = luminance(colors.background) < luminance(colors.text);
  const QColor tint = accent.isValid() ? accent : colors.selection;
  colors.ghostGround = mix(colors.background, tint, kTintOfGround).rgb();
  colors.ghost = readableColor(mix(colors.background, tint, kTintOfGround),
                               mix(colors.text, tint, kTintOfGhost),
                               {colors.background, colors.currentLine, colors.ghostGround});
  colors.addedGround = changeGround(colors, editor(Theme::SavedLines));
  colors.removedGround = changeGround(colors, QColor(theme.textColor(Theme::Error)));
  colors.whitespace = editor(Theme::TabMarker);
  colors.indentGuide = editor(Theme::IndentationLine);
  colors.bookmark = readableColor(editor(Theme::MarkBookmark), colors.text,
                                  {colors.background, colors.currentLine});
  colors.searchMatch = editor(Theme::SearchHighlight);
  colors.braceMatch = editor(Theme::BracketMatching);
  colors.error = readableColor(QColor(theme.textColor(Theme::Error)), colors.text,
                               {colors.background, colors.currentLine});
  colors.warning = readableColor(editor(Theme::ModifiedLines), colors.text,
                                 {colors.background, colors.currentLine});
  return colors;
}

QFont defaultEditorFont() {
  QFont font(QStringLiteral("JetBrains Mono"));
  if (!QFontInfo(font).exactMatch()) font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setStyleHint(QFont::Monospace);
  font.setPointSize(11);
  return font;
}

}  // namespace waferpair::editor
