// SPDX-License-Identifier: GPL-3.0-or-later
// The colors of a window around code: its own surface, and what follows from it and from the colors
// of its words. Text can be read on every ground that it stands on.
#include <KSyntaxHighlighting/Theme>

#include "editor/view/theme.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

using SyntaxTheme = KSyntaxHighlighting::Theme;

// The program's own two: each part has an edge that anyone sees.
bool isHighContrast(const QString& theme) {
  return theme.startsWith(QLatin1String("Waferpair High Contrast"));
}

// The most colorful of those that a theme has for words.
QColor accentOf(const SyntaxTheme& theme) {
  QColor best = theme.textColor(SyntaxTheme::Function);
  for (const auto style : {SyntaxTheme::DataType, SyntaxTheme::Keyword, SyntaxTheme::Attribute,
                           SyntaxTheme::BuiltIn, SyntaxTheme::Others}) {
    const QColor color = theme.textColor(style);
    if (color.hsvSaturation() > best.hsvSaturation() + 40) best = color;
  }
  return best;
}

// The ground in as much of `tint` as leaves `text` readable.
QColor tinted(const QColor& ground, const QColor& tint, double share, const QColor& text) {
  QColor mixed = editor::mix(ground, tint, share).rgb();
  while (share > 0.01 && editor::contrast(text, mixed) < editor::kTextContrast) {
    share *= 0.8;
    mixed = editor::mix(ground, tint, share).rgb();
  }
  return mixed;
}

}  // namespace

WindowColors windowColorsFor(const QString& codeTheme) {
  const SyntaxTheme theme = editor::themeNamed(codeTheme);
  const editor::ThemeColors code = editor::themeColors(theme);
  const auto shade = [&code](double share) {
    return QColor(editor::mix(code.background, code.text, share).rgb());
  };
  WindowColors c;
  c.editor = code.background;
  c.chrome = shade(0.035);
  c.raised = code.dark ? shade(0.075) : QColor(code.background);
  c.hover = shade(0.1);
  const bool isHigh = isHighContrast(codeTheme);
  c.border = shade(isHigh ? 0.6 : 0.16);
  QList<QColor> grounds{c.editor, c.chrome, c.raised, c.hover};
  c.text = editor::readableColor(code.text, code.text, grounds);
  const auto readable = [&](const QColor& color) {
    return editor::readableColor(color, c.text, grounds);
  };
  const QColor accent = readable(accentOf(theme));
  c.selection = tinted(c.editor, accent, 0.22, c.text);
  grounds.append(c.selection);
  c.muted = readable(editor::mix(c.editor, c.text, isHigh ? 0.85 : 0.62));
  c.faint = editor::mix(c.editor, c.text, isHigh ? 0.6 : 0.4).rgb();
  c.accent = readable(accent);
  c.onAccent = editor::contrast(Qt::black, c.accent) > editor::contrast(Qt::white, c.accent)
                   ? Qt::black
                   : Qt::white;
  c.danger = readable(theme.textColor(SyntaxTheme::Error));
  c.warning = readable(code.warning);
  c.success = readable(QColor(theme.editorColor(SyntaxTheme::SavedLines)));
  return c;
}

}  // namespace waferpair::gui
