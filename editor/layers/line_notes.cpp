// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/line_notes.h"

#include <QPainter>
#include <algorithm>

#include "editor/text/anchor.h"
#include "editor/text/unseen.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;

constexpr double kNoteSize = 0.85;   // of the text's
constexpr double kSmallestNote = 5;  // points, whatever the zoom
constexpr int kNoteDistance = 24;    // pixels behind the line's text
constexpr int kNarrowestNote = 40;   // pixels: what has less room is not shown

[[maybe_unused]] bool areInOrder(const QVector<LineNote>& notes) {
  return std::is_sorted(notes.cbegin(), notes.cend(),
                        [](const LineNote& a, const LineNote& b) { return a.at < b.at; });
}

}  // namespace

LineNotes::LineNotes(TextView* editor) : QObject(editor), editor_(editor) {
  connect(editor, &TextView::themeChanged, this, &LineNotes::defineLook);
  connect(editor, &TextView::edited, this, [this](const QVector<TextEdit>& edits) {
    for (QVector<LineNote>* list : {&notes_, &values_}) {
      for (LineNote& note : *list) {
        auto at = AnchoredRange::at(note.at);
        for (const TextEdit& edit : edits) at.follow(edit);
        note.at = at.start();
      }
    }
  });
  connect(editor, &TextView::documentReset, this, [this] {
    set({});
    setValues({});
  });
  defineLook();
}

void LineNotes::defineLook() {
  const ThemeColors& colors = editor_->colors();
  color_ = readableColor(colors.lineNumber, colors.text, {colors.background, colors.currentLine});
}

void LineNotes::set(const QVector<LineNote>& notes) {
  Q_ASSERT(areInOrder(notes));
  if (notes == notes_) return;
  notes_ = notes;
  editor_->viewport()->update();
}

void LineNotes::setValues(const QVector<LineNote>& values) {
  Q_ASSERT(areInOrder(values));
  if (values == values_) return;
  values_ = values;
  editor_->viewport()->update();
}

// Those of a line as one, in order.
QVector<LineNote> LineNotes::joined() const {
  if (values_.isEmpty()) return notes_;
  QVector<LineNote> all;
  auto note = notes_.begin();
  for (const LineNote& value : values_) {
    const int line = editor_->lineAt(value.at);
    for (; note != notes_.end() && editor_->lineAt(note->at) < line; ++note) all.append(*note);
    all.append(value);
    if (note != notes_.end() && editor_->lineAt(note->at) == line)
      all.last().text += QStringLiteral("   ") + (note++)->text;
  }
  for (; note != notes_.end(); ++note) all.append(*note);
  return all;
}

void LineNotes::paint(QPainter& painter, const QRegion& dirty) {
  const QVector<LineNote> notes = joined();
  if (notes.isEmpty()) return;
  const long top = editor_->sci(Sci::SCI_GETFIRSTVISIBLELINE);
  const auto lineOfRow = [this](long row) {
    return static_cast<int>(editor_->sci(Sci::SCI_DOCLINEFROMVISIBLE, word(row)));
  };
  const qint64 first = editor_->lineStart(lineOfRow(top));
  const int last = lineOfRow(top + editor_->sci(Sci::SCI_LINESONSCREEN));
  auto note = std::partition_point(notes.begin(), notes.end(),
                                   [&](const LineNote& one) { return one.at < first; });
  if (note == notes.end()) return;
  QFont font = editor_->editorFont();
  font.setPointSizeF(std::max(kSmallestNote, (font.pointSizeF() + editor_->zoom()) * kNoteSize));
  const QFontMetrics metrics(font, editor_);
  painter.save();
  painter.setFont(font);
  painter.setPen(color_);
  const int right = editor_->viewport()->width();
  int before = -1;  // edits may have joined lines
  for (; note != notes.end(); ++note) {
    const int line = editor_->lineAt(note->at);
    if (line > last) break;
    if (line == before || isCovered_(line) ||
        editor_->sci(Sci::SCI_GETLINEVISIBLE, word(line)) == 0)
      continue;
    before = line;
    const auto end = static_cast<long>(editor_->lineEnd(line));
    const int height = static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, word(line)));
    const int left =
        static_cast<int>(editor_->sci(Sci::SCI_POINTXFROMPOSITION, 0, end)) + kNoteDistance;
    const QRect row(left, static_cast<int>(editor_->sci(Sci::SCI_POINTYFROMPOSITION, 0, end)),
                    right - left, height);
    if (row.width() < kNarrowestNote || !dirty.intersects(row)) continue;
    painter.drawText(
        row, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        metrics.elidedText(shownForm(note->text, OtherBlanks::kKept), Qt::ElideRight, row.width()));
  }
  painter.restore();
}

}  // namespace waferpair::editor
