// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/scroll_marks.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr int kStripWidth = 9;  // pixels: three lanes
constexpr int kLaneWidth = 3;
constexpr int kMarkHeight = 2;
constexpr int kNearPixels = 4;
constexpr int kAskMs = 60;

}  // namespace

ScrollMarkStrip::ScrollMarkStrip(TextView* editor) : QWidget(editor), editor_(editor) {
  setObjectName(QStringLiteral("scrollMarks"));
  setAccessibleName(tr("Marks of the whole text"));
  setCursor(Qt::PointingHandCursor);
  setAttribute(Qt::WA_OpaquePaintEvent);
  soon_.setSingleShot(true);
  soon_.setInterval(kAskMs);
  connect(&soon_, &QTimer::timeout, this, &ScrollMarkStrip::ask);
  for (const auto signal :
       {&TextView::textChanged, &TextView::foldsChanged, &TextView::themeChanged})
    connect(editor, signal, this, &ScrollMarkStrip::refresh);
  connect(editor, &TextView::cursorMoved, this, &ScrollMarkStrip::refresh);
  editor->setRightMargin(kStripWidth);
  editor->viewport()->installEventFilter(this);
  place();
}

void ScrollMarkStrip::addSource(Source source) {
  sources_ += std::move(source);
  refresh();
}

void ScrollMarkStrip::refresh() {
  // Not started anew: while somebody types without a break the marks follow, too.
  if (!soon_.isActive()) soon_.start();
}

void ScrollMarkStrip::ask() {
  marks_.clear();
  for (const Source& source : sources_) marks_ += source(*editor_);
  update();
}

bool ScrollMarkStrip::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::Move) place();
  return QWidget::eventFilter(watched, event);
}

void ScrollMarkStrip::place() {
  const QRect view = editor_->viewport()->geometry();
  setGeometry(view.right() + 1, view.top(), kStripWidth, view.height());
}

// The strip stands for all rows that can be seen by scrolling.
int ScrollMarkStrip::yOf(int line) const {
  const long rows =
      std::max(1L, editor_->sci(Sci::SCI_VISIBLEFROMDOCLINE, word(editor_->lineCount() - 1)) + 1);
  const long row = editor_->sci(Sci::SCI_VISIBLEFROMDOCLINE, word(line));
  // A text that the view holds has its marks beside its lines.
  const long height = std::max(1L, editor_->sci(Sci::SCI_TEXTHEIGHT, 0));
  if (rows * height <= this->height()) return static_cast<int>(row * height + height / 2);
  return static_cast<int>(row * this->height() / rows);
}

int ScrollMarkStrip::lineAt(int y) const {
  int nearest = -1;
  int distance = kNearPixels + 1;
  for (const ScrollMarks& marks : marks_) {
    for (const int line : marks.lines) {
      const int away = std::abs(yOf(line) - y);
      if (away >= distance) continue;
      distance = away;
      nearest = line;
    }
  }
  if (nearest >= 0) return nearest;
  // Lines go down the strip: the first one below the place is found by halves.
  int low = 0;
  int high = editor_->lineCount() - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    yOf(middle) < y ? low = middle + 1 : high = middle;
  }
  return low;
}

void ScrollMarkStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), editor_->colors().margin);
  for (const ScrollMarks& marks : std::as_const(marks_)) {
    const bool whole = marks.lane == MarkLane::kWhole;
    const int left = whole ? 0 : static_cast<int>(marks.lane) * kLaneWidth;
    int last = -1;
    for (const int line : marks.lines) {
      const int y = std::min(yOf(line), height() - kMarkHeight);
      if (y == last) continue;
      painter.fillRect(left, y, whole ? kStripWidth : kLaneWidth, whole ? 1 : kMarkHeight,
                       marks.color);
      last = y;
    }
  }
}

void ScrollMarkStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  if (soon_.isActive()) {
    soon_.stop();
    ask();
  }
  editor_->goToLine(lineAt(static_cast<int>(event->position().y())));
  editor_->setFocus();
}

}  // namespace waferpair::editor
