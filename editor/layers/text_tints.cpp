// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/text_tints.h"

#include <KSyntaxHighlighting/Theme>
#include <algorithm>

#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using KSyntaxHighlighting::Theme;
using Sci = QsciScintillaBase;

// By Tint::Kind.
constexpr Theme::TextStyle kTintStyles[] = {
    Theme::Import,   Theme::DataType,  Theme::Function, Theme::Preprocessor,
    Theme::Variable, Theme::Attribute, Theme::Constant, Theme::Comment,
};

}  // namespace

TextTints::TextTints(TextView* editor) : QObject(editor), editor_(editor) {
  connect(editor, &TextView::themeChanged, this, [this] {
    defineLook();
    clear();
    Q_EMIT lookChanged();
  });
  defineLook();
}

// The value of the indicator is the color: one indicator has all of them. (QScintilla misspells the
// flag, which Scintilla calls VALUEFORE.)
void TextTints::defineLook() {
  editor_->sci(Sci::SCI_INDICSETSTYLE, kTintIndicator, Sci::INDIC_TEXTFORE);
  editor_->sci(Sci::SCI_INDICSETFLAGS, kTintIndicator, Sci::SC_INDICFLAG_VALUEBEFORE);
  const Theme theme = themeNamed(editor_->themeName());
  const ThemeColors& colors = editor_->colors();
  values_.clear();
  for (const Theme::TextStyle style : kTintStyles) {
    const QColor color = readableColor(QColor(theme.textColor(style)), colors.text,
                                       {colors.background, colors.currentLine});
    values_.append(color.red() | color.green() << 8 | color.blue() << 16);
  }
}

long TextTints::valueOf(Tint::Kind kind) const {
  return values_[static_cast<int>(kind)] | Sci::SC_INDICVALUEBIT;
}

bool TextTints::areDrawn(qint64 start, qint64 end, const QVector<Tint>& tints) const {
  qint64 at = start;
  const auto hasUntil = [&](qint64 until, long value) {
    while (at < until) {
      if (editor_->sci(Sci::SCI_INDICATORVALUEAT, kTintIndicator, static_cast<long>(at)) != value)
        return false;
      const long next = editor_->sci(Sci::SCI_INDICATOREND, kTintIndicator, static_cast<long>(at));
      at = next > at ? std::min<qint64>(next, until) : until;
    }
    return true;
  };
  return std::all_of(tints.begin(), tints.end(),
                     [&](const Tint& tint) {
                       return hasUntil(tint.start, 0) && hasUntil(tint.end, valueOf(tint.kind));
                     }) &&
         hasUntil(end, 0);
}

void TextTints::set(qint64 start, qint64 end, const QVector<Tint>& tints) {
  Q_ASSERT(start <= end &&
           std::is_sorted(tints.cbegin(), tints.cend(),
                          [](const Tint& a, const Tint& b) { return a.start < b.start; }));
  const qint64 length = editor_->length();
  start = std::clamp<qint64>(start, 0, length);
  end = std::clamp(end, start, length);
  QVector<Tint> inside;
  for (const Tint& tint : tints)
    if (tint.start >= start && tint.end <= end && tint.start < tint.end) inside.append(tint);
  if (start == end || areDrawn(start, end, inside)) return;
  editor_->sci(Sci::SCI_SETINDICATORCURRENT, kTintIndicator);
  editor_->sci(Sci::SCI_INDICATORCLEARRANGE, word(start), static_cast<long>(end - start));
  for (const Tint& tint : std::as_const(inside)) {
    editor_->sci(Sci::SCI_SETINDICATORVALUE, word(valueOf(tint.kind)));
    editor_->sci(Sci::SCI_INDICATORFILLRANGE, word(tint.start),
                 static_cast<long>(tint.end - tint.start));
  }
  editor_->sci(Sci::SCI_SETINDICATORVALUE, 1);  // as others expect it
}

void TextTints::clear() {
  editor_->sci(Sci::SCI_SETINDICATORCURRENT, kTintIndicator);
  editor_->sci(Sci::SCI_INDICATORCLEARRANGE, 0, static_cast<long>(editor_->length()));
}

long TextTints::colorAt(const TextView& editor, qint64 offset) {
  const long value =
      editor.sci(Sci::SCI_INDICATORVALUEAT, kTintIndicator, static_cast<long>(offset));
  const bool isTint = (value & Sci::SC_INDICVALUEBIT) != 0;
  return isTint ? value & Sci::SC_INDICVALUEMASK : -1;
}

}  // namespace waferpair::editor
