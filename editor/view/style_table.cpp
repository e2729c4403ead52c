// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/style_table.h"

#include <Qsci/qsciscintillabase.h>

#include <QColor>
#include <QHashFunctions>
#include <cassert>

#include "editor/view/layout_pieces.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

// 32 to 39 are Scintilla's own: default, line numbers, braces, call tips.
constexpr int kFirstReserved = 32;
constexpr int kReserved = 8;
constexpr int kLastStyle = kFirstHiddenStyle - 1;

}  // namespace

TextKind kindOf(const KSyntaxHighlighting::Format& format) {
  using KSyntaxHighlighting::Theme;
  switch (format.textStyle()) {
    case Theme::String:
    case Theme::VerbatimString:
    case Theme::SpecialString:
    case Theme::Char:
    case Theme::SpecialChar:
      return TextKind::kString;
    case Theme::Comment:
    case Theme::Documentation:
    case Theme::Annotation:
    case Theme::CommentVar:
    case Theme::Information:
    case Theme::Warning:
    case Theme::Alert:
      return TextKind::kComment;
    default:
      return TextKind::kCode;
  }
}

size_t qHash(const StyleTable::Look& look, size_t seed) {
  const int flags =
      int(look.bold) | int(look.italic) << 1 | int(look.underline) << 2 | int(look.prose) << 3;
  return qHashMulti(seed, look.foreground, look.background, flags);
}

void StyleTable::reset(const KSyntaxHighlighting::Theme& theme, bool markup) {
  theme_ = theme;
  markup_ = markup;
  prose_.reset();
  colors_ = themeColors(theme);
  byFormat_.clear();
  byLook_.clear();
}

int StyleTable::styleFor(const KSyntaxHighlighting::Format& format) {
  assert(!painting_);  // see the header
  const auto known = byFormat_.constFind(format.id());
  if (known != byFormat_.cend()) return *known;

  const bool ownGround = format.hasBackgroundColor(theme_);
  const QColor ground = ownGround ? format.backgroundColor(theme_) : colors_.background;
  const QList<QColor> grounds =
      ownGround ? QList<QColor>{ground} : QList<QColor>{ground, colors_.currentLine};
  const Look look{readableColor(format.textColor(theme_), colors_.text, grounds).rgb(),
                  ground.rgb(),
                  format.isBold(theme_),
                  format.isItalic(theme_),
                  format.isUnderline(theme_),
                  format.spellCheck() && (markup_ || kindOf(format) != TextKind::kCode)};
  auto found = byLook_.constFind(look);
  if (found == byLook_.cend()) {
    int style = static_cast<int>(byLook_.size()) + 1;
    if (style >= kFirstReserved) style += kReserved;
    if (style > kLastStyle) {
      style = 0;
    } else {
      define(style, look);
      prose_[static_cast<size_t>(style)] = look.prose;
    }
    found = byLook_.insert(look, style);
  }
  byFormat_.insert(format.id(), *found);
  return *found;
}

void StyleTable::define(int style, const Look& look) {
  const auto number = static_cast<unsigned long>(style);
  view_->SendScintilla(Sci::SCI_STYLESETFORE, number, QColor(look.foreground));
  view_->SendScintilla(Sci::SCI_STYLESETBACK, number, QColor(look.background));
  view_->SendScintilla(Sci::SCI_STYLESETBOLD, number, long(look.bold));
  view_->SendScintilla(Sci::SCI_STYLESETITALIC, number, long(look.italic));
  view_->SendScintilla(Sci::SCI_STYLESETUNDERLINE, number, long(look.underline));
}

}  // namespace waferpair::editor
