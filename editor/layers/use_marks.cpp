// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/use_marks.h"

#include <algorithm>

#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;

constexpr int kUseAlpha = 40, kWriteOutline = 200;  // of 255

}  // namespace

UseMarks::UseMarks(TextView* editor) : QObject(editor), editor_(editor) {
  connect(editor, &TextView::themeChanged, this, &UseMarks::defineLook);
  defineLook();
}

void UseMarks::defineLook() {
  for (const int indicator : {kReadIndicator, kWriteIndicator}) {
    const bool isWrite = indicator == kWriteIndicator;
    editor_->sci(Sci::SCI_INDICSETSTYLE, word(indicator), Sci::INDIC_ROUNDBOX);
    editor_->sci(Sci::SCI_INDICSETUNDER, word(indicator), 1);
    editor_->sci(Sci::SCI_INDICSETALPHA, word(indicator), kUseAlpha);
    editor_->sci(Sci::SCI_INDICSETOUTLINEALPHA, word(indicator), isWrite ? kWriteOutline : 0);
    editor_->SendScintilla(Sci::SCI_INDICSETFORE, word(indicator),
                           isWrite ? editor_->colors().ghost : editor_->colors().text);
  }
}

void UseMarks::set(const QVector<UseMark>& marks) {
  if (marks == marks_) return;
  const qint64 length = editor_->length();
  for (const int indicator : {kReadIndicator, kWriteIndicator}) {
    editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(indicator));
    editor_->sci(Sci::SCI_INDICATORCLEARRANGE, 0, static_cast<long>(length));
  }
  for (const UseMark& one : marks) {
    const qint64 start = std::clamp<qint64>(one.start, 0, length);
    const qint64 end = std::clamp(one.end, start, length);
    if (start == end) continue;
    editor_->sci(Sci::SCI_SETINDICATORCURRENT,
                 word(one.isWrite ? kWriteIndicator : kReadIndicator));
    editor_->sci(Sci::SCI_INDICATORFILLRANGE, word(start), static_cast<long>(end - start));
  }
  marks_ = marks;
}

}  // namespace waferpair::editor
