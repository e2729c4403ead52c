// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/change_marks.h"

#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

struct Look {
  int marker;
  int indicator;
};
// By kind.
constexpr Look kChangeLooks[] = {{kGoneChangeMarker, kGoneWordsIndicator},
                                 {kNewChangeMarker, kNewWordsIndicator}};
constexpr double kWordStrength = 0.45;  // of the strong color in the ground

}  // namespace

ChangeMarks::ChangeMarks(TextView* editor, QObject* parent) : QObject(parent), editor_(editor) {
  connect(editor, &TextView::themeChanged, this, &ChangeMarks::defineLook);
  defineLook();
}

void ChangeMarks::defineLook() {
  constexpr int kOpaque = 255;
  const ThemeColors& colors = editor_->colors();
  const QColor grounds[] = {colors.removedGround, colors.addedGround};
  // Dark text keeps its contrast on a paler ground, light text on a darker one.
  const QColor strong[] = {colors.dark ? QColor(0xa0, 0x30, 0x38) : QColor(0xff, 0x8a, 0x8a),
                           colors.dark ? QColor(0x20, 0x80, 0x48) : QColor(0x70, 0xd8, 0x90)};
  for (int kind = 0; kind < 2; ++kind) {
    const Look look = kChangeLooks[kind];
    editor_->sci(Sci::SCI_MARKERDEFINE, word(look.marker), Sci::SC_MARK_BACKGROUND);
    editor_->SendScintilla(Sci::SCI_MARKERSETBACK, word(look.marker), grounds[kind]);
    editor_->sci(Sci::SCI_INDICSETSTYLE, word(look.indicator), Sci::INDIC_FULLBOX);
    editor_->sci(Sci::SCI_INDICSETUNDER, word(look.indicator), 1);
    editor_->sci(Sci::SCI_INDICSETALPHA, word(look.indicator), kOpaque);
    editor_->sci(Sci::SCI_INDICSETOUTLINEALPHA, word(look.indicator), kOpaque);
    editor_->SendScintilla(Sci::SCI_INDICSETFORE, word(look.indicator),
                           mix(grounds[kind], strong[kind], kWordStrength));
  }
}

void ChangeMarks::set(const QVector<ChangeMark>& marks) {
  for (const Look look : kChangeLooks) {
    editor_->sci(Sci::SCI_MARKERDELETEALL, word(look.marker));
    editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(look.indicator));
    editor_->sci(Sci::SCI_INDICATORCLEARRANGE, 0, static_cast<long>(editor_->length()));
  }
  for (const ChangeMark& mark : marks) {
    Q_ASSERT(mark.line >= 0 && mark.lines >= 0 && mark.line + mark.lines <= editor_->lineCount());
    const Look look = kChangeLooks[static_cast<int>(mark.kind)];
    for (int line = mark.line; line < mark.line + mark.lines; ++line)
      editor_->sci(Sci::SCI_MARKERADD, word(line), look.marker);
    editor_->sci(Sci::SCI_SETINDICATORCURRENT, word(look.indicator));
    for (const ByteRange& range : mark.words)
      editor_->sci(Sci::SCI_INDICATORFILLRANGE, word(range.start),
                   static_cast<long>(range.end - range.start));
  }
}

}  // namespace waferpair::editor
