// SPDX-License-Identifier: GPL-3.0-or-later
// A strip beside an editor's scroll bar that shows where in the whole text something is: each
// source has its kind of marks, in a lane and a color of its own. A click goes to the nearest.
#pragma once

#include <QColor>
#include <QTimer>
#include <QVector>
#include <QWidget>
#include <functional>

namespace waferpair::editor {

class TextView;

// Where across the strip a mark is.
enum class MarkLane { kLeft, kMiddle, kRight, kWhole };

// What of one kind there is in a text.
struct ScrollMarks {
  QVector<int> lines;  // from 0, in any order
  QColor color;
  MarkLane lane = MarkLane::kWhole;
};

class ScrollMarkStrip : public QWidget {
  Q_OBJECT
 public:
  // Belongs to the editor.
  explicit ScrollMarkStrip(TextView* editor);

  // `source` is asked for its marks when the text, the look or what it knows is different: call
  // refresh() for the last of these. The last source is drawn on top.
  using Source = std::function<ScrollMarks(const TextView& editor)>;
  void addSource(Source source);
  // Asks the sources anew a moment later: calls that come at once are one.
  void refresh();

  // The line of the mark nearest to a click at `y`; without one near, the line that the place in
  // the strip stands for.
  int lineAt(int y) const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  void ask();
  void place();
  int yOf(int line) const;

  TextView* editor_;
  QVector<Source> sources_;
  QVector<ScrollMarks> marks_;
  QTimer soon_{this};
};

}  // namespace waferpair::editor
