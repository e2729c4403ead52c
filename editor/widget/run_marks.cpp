// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/run_marks.h"

#include <QImage>
#include <QPainter>
#include <algorithm>

#include "editor/widget/code_editor.h"
#include "editor/widget/marker_numbers.h"
#include "editor/widget/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;
using Kind = RunMark::Kind;

constexpr unsigned long kRunMargin = 6;
// By kind: of Scintilla's 32 those that nobody else has, two of folding's among them.
constexpr int kRunNumbers[] = {kReadyTestMarker, kRunningTestMarker, kPassedTestMarker,
                               kSkippedTestMarker, kFailedTestMarker};
constexpr int kRunMask = 1 << kRunNumbers[0] | 1 << kRunNumbers[1] | 1 << kRunNumbers[2] |
                         1 << kRunNumbers[3] | 1 << kRunNumbers[4];
constexpr Kind kRunKinds[] = {Kind::kReady, Kind::kRunning, Kind::kPassed, Kind::kSkipped,
                              Kind::kFailed};

int runMarkerOf(Kind kind) { return kRunNumbers[static_cast<int>(kind)]; }

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

RunMarks* RunMarks::of(CodeEditor* editor) {
  auto* marks = editor->findChild<RunMarks*>({}, Qt::FindDirectChildrenOnly);
  return marks ? marks : new RunMarks(editor);
}

RunMarks::RunMarks(CodeEditor* editor) : QObject(editor), editor_(editor) {
  editor->sci(Sci::SCI_SETMARGINTYPEN, kRunMargin, Sci::SC_MARGIN_SYMBOL);
  editor->sci(Sci::SCI_SETMARGINMASKN, kRunMargin, kRunMask);
  editor->sci(Sci::SCI_SETMARGINSENSITIVEN, kRunMargin, 1);
  editor->sci(Sci::SCI_SETMARGINWIDTHN, kRunMargin, 0);
  connect(editor, &CodeEditor::themeChanged, this, &RunMarks::applyLook);
  connect(editor, &CodeEditor::zoomChanged, this, &RunMarks::applyLook);
  connect(editor, &Sci::SCN_MARGINCLICK, this, [this](int position, int, int margin) {
    if (margin != static_cast<int>(kRunMargin)) return;
    const int line = editor_->lineAt(position);
    if ((editor_->sci(Sci::SCI_MARKERGET, word(line)) & kRunMask) == 0) return;
    Q_EMIT(source_ ? source_ : this)->clicked(line);
  });
}

void RunMarks::applyLook() {
  const auto height = static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, 0));
  editor_->sci(Sci::SCI_SETMARGINWIDTHN, kRunMargin, isShown_ ? height : 0);
  if (!isShown_) return;
  const double ratio = editor_->devicePixelRatioF();
  for (const Kind kind : kRunKinds) {
    const QImage picture = runPicture(kind, runColor(kind, editor_->colors()), height * 0.8, ratio);
    editor_->sci(Sci::SCI_RGBAIMAGESETWIDTH, word(picture.width()));
    editor_->sci(Sci::SCI_RGBAIMAGESETHEIGHT, word(picture.height()));
    editor_->sci(Sci::SCI_RGBAIMAGESETSCALE, word(static_cast<qint64>(ratio * 100)));
    editor_->SendScintilla(Sci::SCI_MARKERDEFINERGBAIMAGE, word(runMarkerOf(kind)), picture);
  }
}

void RunMarks::set(const QVector<RunMark>& marks) {
  if (isShown_ == marks.isEmpty()) {
    isShown_ = !marks.isEmpty();
    applyLook();
  }
  QHash<int, int> wanted;  // the mask by line
  for (const RunMark& mark : marks)
    if (mark.line >= 0 && mark.line < editor_->lineCount())
      wanted[mark.line] = 1 << runMarkerOf(mark.kind);
  draw(wanted);
  Q_EMIT changed();
}

void RunMarks::follow(RunMarks* source) {
  if (source_ != source) {
    if (source_) source_->disconnect(this);
    source_ = source;
    connect(source, &RunMarks::changed, this, [this, source] { follow(source); });
    connect(source, &QObject::destroyed, this, [this] { source_ = nullptr; });
  }
  if (isShown_ == source->isShown_) return;
  isShown_ = source->isShown_;
  applyLook();
}

// Marks that stay are not touched: each that comes or goes is a row to paint.
void RunMarks::draw(const QHash<int, int>& wanted) {
  const auto marksAt = [this](long line) {
    return static_cast<int>(editor_->sci(Sci::SCI_MARKERGET, word(line))) & kRunMask;
  };
  for (long line = editor_->sci(Sci::SCI_MARKERNEXT, 0, kRunMask); line >= 0;
       line = editor_->sci(Sci::SCI_MARKERNEXT, word(line + 1), kRunMask)) {
    const int want = wanted.value(static_cast<int>(line));
    // Where lines were joined there may be two marks of a kind: each is taken away.
    for (int gone = marksAt(line) & ~want; gone != 0; gone = marksAt(line) & ~want)
      for (const Kind kind : kRunKinds)
        if ((gone & (1 << runMarkerOf(kind))) != 0)
          editor_->sci(Sci::SCI_MARKERDELETE, word(line), runMarkerOf(kind));
  }
  for (auto it = wanted.cbegin(); it != wanted.cend(); ++it) {
    if ((marksAt(it.key()) & *it) != 0) continue;
    for (const Kind kind : kRunKinds)
      if (*it == (1 << runMarkerOf(kind)))
        editor_->sci(Sci::SCI_MARKERADD, word(it.key()), runMarkerOf(kind));
  }
}

}  // namespace waferpair::editor
