// SPDX-License-Identifier: GPL-3.0-or-later
// Gives the formats of KSyntaxHighlighting numbers of Scintilla styles. Styles are shared by look,
// not by format: a style byte has 246 free numbers, a language 18 to 70 looks but up to hundreds of
// formats. Text that a theme draws too faintly to be read gets the contrast it needs (theme.h).
#pragma once

#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Theme>
#include <QHash>
#include <bitset>

#include "editor/text/pairs.h"
#include "editor/view/theme.h"

class QsciScintillaBase;

namespace waferpair::editor {

// Returns what text of this format is to whoever types or reads it.
TextKind kindOf(const KSyntaxHighlighting::Format& format);

class StyleTable {
 public:
  explicit StyleTable(QsciScintillaBase* view) : view_(view) {}

  // Forgets all styles: the theme, the font or the language changed. Style 0 is plain text, which
  // the view's default style must already describe. `markup`: the language is one of texts for
  // people, so that all of it is prose but what its definition excludes.
  void reset(const KSyntaxHighlighting::Theme& theme, bool markup);

  // Defines the style in the view when its look is new; 0 when no number is free. Never while the
  // view paints: Scintilla would drop pixmaps that the same paint goes on to use, and end the
  // program by an assertion of its own.
  int styleFor(const KSyntaxHighlighting::Format& format);
  // Text of this style is written for people: a comment, a string, a paragraph.
  bool isProse(int style) const { return prose_[static_cast<size_t>(style)]; }

  // The view paints from here on, or has painted.
  void setPainting(bool painting) { painting_ = painting; }

 private:
  struct Look {
    QRgb foreground;
    QRgb background;
    bool bold, italic, underline;
    bool prose;  // no look, but asked of a style
    bool operator==(const Look&) const = default;
  };
  friend size_t qHash(const Look& look, size_t seed);
  void define(int style, const Look& look);

  QsciScintillaBase* view_;
  KSyntaxHighlighting::Theme theme_;
  ThemeColors colors_;
  QHash<quint16, int> byFormat_;  // by Format::id()
  QHash<Look, int> byLook_;
  std::bitset<256> prose_;  // by style
  bool markup_ = false;
  bool painting_ = false;
};

}  // namespace waferpair::editor
