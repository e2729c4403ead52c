// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/squiggles.h"

#include <algorithm>

#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;

// By Squiggle::Kind; later ones are drawn over earlier ones, so errors come last.
constexpr int kSquiggleIndicators[] = {kFirstSquiggleIndicator + 2, kFirstSquiggleIndicator + 1,
                                       kFirstSquiggleIndicator};
constexpr int kSquiggleShapes[] = {Sci::INDIC_SQUIGGLE, Sci::INDIC_DASH, Sci::INDIC_DOTS};

int indicatorOf(Squiggle::Kind kind) { return kSquiggleIndicators[static_cast<int>(kind)]; }

}  // namespace

Squiggles::Squiggles(TextView* editor) : QObject(editor), editor_(editor) {
  connect(editor, &TextView::themeChanged, this, &Squiggles::defineLook);
  defineLook();
}

void Squiggles::defineLook() {
  const ThemeColors& colors = editor_->colors();
  const QColor byKind[] = {colors.error, colors.warning, colors.lineNumber};
  for (int kind = 0; kind < 3; ++kind) {
    editor_->sci(Sci::SCI_INDICSETSTYLE, word(kSquiggleIndicators[kind]), kSquiggleShapes[kind]);
    editor_->SendScintilla(Sci::SCI_INDICSETFORE, word(kSquiggleIndicators[kind]), byKind[kind]);
  }
}

void Squiggles::set(const QVector<Squiggle>& squiggles) {
  if (!areDrawn_ && squiggles.isEmpty()) return;
  const qint64 length = editor_->length();
  for (const int indicator : kSquiggleIndicators) {
    editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(indicator));
    editor_->sci(Sci::SCI_INDICATORCLEARRANGE, 0, static_cast<long>(length));
  }
  for (const Squiggle& one : squiggles) {
    qint64 start = std::clamp<qint64>(one.start, 0, length);
    qint64 end = std::clamp(one.end, start, length);
    if (start == end) {
      const qint64 lineEnd = editor_->lineEnd(editor_->lineAt(start));
      if (end < lineEnd) {
        end = editor_->sci(Sci::SCI_POSITIONAFTER, word(end));
      } else {
        start = editor_->sci(Sci::SCI_POSITIONBEFORE, word(start));
      }
    }
    editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(indicatorOf(one.kind)));
    editor_->sci(Sci::SCI_INDICATORFILLRANGE, word(start), static_cast<long>(end - start));
  }
  areDrawn_ = !squiggles.isEmpty();
}

}  // namespace waferpair::editor
