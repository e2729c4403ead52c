// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/run_marks.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;
using Kind = RunMark::Kind;

constexpr Kind kRunKinds[] = {Kind::kReady, Kind::kRunning, Kind::kPassed, Kind::kSkipped,
                              Kind::kFailed};
constexpr double kPicturePart = 0.8;  // of a line's height

QColor runColor(Kind kind, const ThemeColors& colors) {
  const QColor wanted = kind == Kind::kPassed    ? QColor(0x3f, 0xa8, 0x5a)
                        : kind == Kind::kRunning ? QColor(0x3d, 0x8f, 0xdb)
                        : kind == Kind::kFailed  ? colors.error
                                                 : colors.lineNumber;
  return readableColor(wanted, colors.text, {colors.margin});
}

// A hollow triangle, three dots, a tick, a dash, a cross, in a square of this many pixels.
QImage runPicture(Kind kind, const QColor& color, double side, double ratio) {
  QImage picture(QSizeF(side, side).toSize() * ratio, QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(side / 16, side / 16);
  QPen pen(color, 1.8);
  pen.setCapStyle(Qt::RoundCap);
  pen.setJoinStyle(Qt::RoundJoin);
  painter.setPen(pen);
  switch (kind) {
    case Kind::kReady:
      painter.setPen(QPen(color, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      painter.drawPolygon(QPolygonF({{5, 3.5}, {12, 8}, {5, 12.5}}));
      break;
    case Kind::kRunning:
      painter.setPen(Qt::NoPen);
      painter.setBrush(color);
      for (const double x : {3.5, 8.0, 12.5}) painter.drawEllipse(QPointF(x, 8), 1.5, 1.5);
      break;
    case Kind::kPassed:
      painter.drawPolyline(QPolygonF({{3.5, 8.5}, {6.5, 11.5}, {12.5, 4.5}}));
      break;
    case Kind::kSkipped:
      painter.drawLine(QPointF(4, 8), QPointF(12, 8));
      break;
    case Kind::kFailed:
      painter.drawLine(QPointF(4, 4), QPointF(12, 12));
      painter.drawLine(QPointF(12, 4), QPointF(4, 12));
      break;
  }
  return picture;
}

}  // namespace

RunMarks* RunMarks::of(TextView* editor) {
  auto* marks = editor->findChild<RunMarks*>({}, Qt::FindDirectChildrenOnly);
  return marks ? marks : new RunMarks(editor);
}

RunMarks::RunMarks(TextView* editor) : QObject(editor), editor_(editor) {
  editor->addPart(this);
  editor->sci(Sci::SCI_SETMARGINTYPEN, kRunMargin, Sci::SC_MARGIN_SYMBOL);
  editor->sci(Sci::SCI_SETMARGINMASKN, kRunMargin, 0);
  editor->sci(Sci::SCI_SETMARGINSENSITIVEN, kRunMargin, 1);
  editor->sci(Sci::SCI_SETMARGINWIDTHN, kRunMargin, 0);
  connect(editor, &TextView::themeChanged, this, &RunMarks::applyLook);
  connect(editor, &TextView::zoomChanged, this, &RunMarks::applyLook);
  connect(editor, &TextView::edited, this, [this](const QVector<TextEdit>& edits) {
    if (placed_.isEmpty()) return;
    for (const TextEdit& edit : edits)
      for (Placed& mark : placed_) mark.at.follow(edit);
    Q_EMIT moved();
  });
  connect(editor, &TextView::documentReset, this, [this] { set({}); });
  connect(editor, &Sci::SCN_MARGINCLICK, this, [this](int position, int, int margin) {
    if (margin != static_cast<int>(kRunMargin)) return;
    const int line = editor_->lineAt(position);
    RunMarks* owner = source_ ? source_ : this;
    const QVector<RunMark> marks = owner->marks();
    if (std::any_of(marks.begin(), marks.end(),
                    [line](const RunMark& m) { return m.line == line; }))
      Q_EMIT owner->clicked(line);
  });
}

QRect RunMarks::margin() const {
  int left = 0;
  for (unsigned long before = 0; before < kRunMargin; ++before)
    left += static_cast<int>(editor_->sci(Sci::SCI_GETMARGINWIDTHN, before));
  const auto width = static_cast<int>(editor_->sci(Sci::SCI_GETMARGINWIDTHN, kRunMargin));
  return {left, 0, width, editor_->viewport()->height()};
}

void RunMarks::applyLook() {
  const auto height = static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, 0));
  editor_->sci(Sci::SCI_SETMARGINWIDTHN, kRunMargin, isShown_ ? height : 0);
  pictures_.clear();
  if (!isShown_) return;
  const double ratio = editor_->devicePixelRatioF();
  for (const Kind kind : kRunKinds)
    pictures_.append(
        runPicture(kind, runColor(kind, editor_->colors()), height * kPicturePart, ratio));
  editor_->viewport()->update(margin());
}

void RunMarks::set(const QVector<RunMark>& marks) {
  QVector<RunMark> inside;
  for (const RunMark& mark : marks)
    if (mark.line >= 0 && mark.line < editor_->lineCount()) inside.append(mark);
  std::stable_sort(inside.begin(), inside.end(),
                   [](const RunMark& a, const RunMark& b) { return a.line < b.line; });
  placed_.clear();
  for (qsizetype i = 0; i < inside.size(); ++i)
    if (i + 1 == inside.size() || inside[i + 1].line != inside[i].line)
      placed_.append({{editor_->lineStart(inside[i].line), Bias::kAfter}, inside[i].kind});
  if (isShown_ == marks.isEmpty()) {
    isShown_ = !marks.isEmpty();
    applyLook();
  }
  editor_->viewport()->update(margin());
  Q_EMIT changed();
}

QVector<RunMark> RunMarks::marks() const {
  QVector<RunMark> marks;
  for (const Placed& mark : placed_) {
    const int line = editor_->lineAt(mark.at.offset);
    // Where lines were joined the first one's is seen.
    if (marks.isEmpty() || marks.last().line != line) marks.append({line, mark.kind});
  }
  return marks;
}

void RunMarks::paint(QPainter& painter, const QRegion& dirty) {
  const QRect margin = this->margin();
  if (!isShown_ || pictures_.isEmpty() || !dirty.intersects(margin)) return;
  const auto height = static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, 0));
  const int side = static_cast<int>(height * kPicturePart);
  for (const RunMark& mark : (source_ ? source_ : this)->marks()) {
    if (editor_->sci(Sci::SCI_GETLINEVISIBLE, word(mark.line)) == 0) continue;
    const auto start = static_cast<long>(editor_->lineStart(mark.line));
    const auto y = static_cast<int>(editor_->sci(Sci::SCI_POINTYFROMPOSITION, 0, start));
    const QRect row(margin.left(), y, margin.width(), height);
    if (row.top() > dirty.boundingRect().bottom()) break;
    if (!dirty.intersects(row)) continue;
    const QPoint inset((row.width() - side) / 2, (row.height() - side) / 2);
    painter.drawImage(row.topLeft() + inset, pictures_[static_cast<qsizetype>(mark.kind)]);
  }
}

void RunMarks::follow(RunMarks* source) {
  if (source_ != source) {
    if (source_) source_->disconnect(this);
    source_ = source;
    connect(source, &RunMarks::changed, this, [this, source] { follow(source); });
    connect(source, &RunMarks::moved, this, [this] { editor_->viewport()->update(margin()); });
    connect(source, &QObject::destroyed, this, [this] { source_ = nullptr; });
  }
  if (std::exchange(isShown_, source->isShown_) != source->isShown_) applyLook();
  editor_->viewport()->update(margin());
}

}  // namespace waferpair::editor
