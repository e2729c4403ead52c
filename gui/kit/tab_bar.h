// SPDX-License-Identifier: GPL-3.0-or-later
// The row of editor tabs: a dot instead of the cross marks unsaved text, the middle button closes,
// tabs can be dragged into another order, and out of the row.
#pragma once

#include <QAbstractButton>
#include <QPointer>
#include <QTabBar>

namespace waferpair::gui {

// The cross of one tab; a dot while the text is unsaved and the mouse is elsewhere.
class TabCloseButton : public QAbstractButton {
  Q_OBJECT
 public:
  explicit TabCloseButton(QWidget* parent);

  void setModified(bool modified);
  QSize sizeHint() const override { return {20, 20}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  bool modified_ = false;
};

class TabBar : public QTabBar {
  Q_OBJECT
 public:
  explicit TabBar(QWidget* parent);

  // `tip` is shown on hover, usually the path.
  void describeTab(int index, const QString& text, const QString& tip, bool modified);
  // Writes this tab in italics; -1: none.
  void setItalic(int index);
  int italic() const;

 Q_SIGNALS:
  void menuWanted(int index, const QPoint& global);
  // A tab is being drawn outside of the row, and is let go there. Back in the row, or with Esc, it
  // is drawn no longer: dragCanceled().
  void draggedOut(int index, const QPoint& global);
  void droppedOut(int index, const QPoint& global);
  void dragCanceled();

 protected:
  void tabInserted(int index) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QPointer<QWidget> italic_;  // the close button of that tab, which moves with it
  int middlePressed_ = -1;    // tab under the middle button since it went down
  int pressed_ = -1;          // the same of the left button
  bool out_ = false;          // that tab is outside of the row
};

}  // namespace waferpair::gui
