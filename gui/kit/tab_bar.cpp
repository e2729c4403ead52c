// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/tab_bar.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOptionTab>
#include <QStylePainter>
#include <utility>

#include "editor/text/unseen.h"
#include "gui/kit/icons.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {

TabCloseButton::TabCloseButton(QWidget* parent) : QAbstractButton(parent) {
  setObjectName(QStringLiteral("tabClose"));
  setFocusPolicy(Qt::NoFocus);  // Ctrl+W closes; Tab should not stop at every cross
  setFixedSize(sizeHint());
  setToolTip(tr("Close (middle click)"));
}

void TabCloseButton::setModified(bool modified) {
  if (modified_ == modified) return;
  modified_ = modified;
  update();
}

void TabCloseButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const WindowColors& colors = Theme::instance().colors();
  if (modified_ && !underMouse()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.text);
    painter.drawEllipse(QRectF(rect()).center(), 3.6, 3.6);
    return;
  }
  if (underMouse()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(isDown() ? colors.faint : colors.border);
    painter.drawRoundedRect(rect(), 4, 4);
  }
  gui::icon(QStringLiteral("close"))
      .paint(&painter, rect().adjusted(3, 3, -3, -3), Qt::AlignCenter,
             underMouse() ? QIcon::Active : QIcon::Normal);
}

void TabCloseButton::enterEvent(QEnterEvent*) { update(); }
void TabCloseButton::leaveEvent(QEvent*) { update(); }

TabBar::TabBar(QWidget* parent) : QTabBar(parent) {
  setObjectName(QStringLiteral("editorTabBar"));
  setAccessibleName(tr("Open files"));
  setDocumentMode(true);
  setDrawBase(false);
  setExpanding(false);
  setMovable(true);
  setUsesScrollButtons(true);
  setElideMode(Qt::ElideNone);
  setFocusPolicy(Qt::TabFocus);
}

void TabBar::describeTab(int index, const QString& text, const QString& tip, bool modified) {
  const QString shown = editor::shownForm(text, editor::OtherBlanks::kKept);
  QString escaped = shown;
  setTabText(index, escaped.replace(QLatin1Char('&'), QStringLiteral("&&")));
  setTabToolTip(index, tip);
  setAccessibleTabName(index, modified ? tr("%1, not saved").arg(shown) : shown);
  if (auto* close = qobject_cast<TabCloseButton*>(tabButton(index, QTabBar::RightSide))) {
    close->setModified(modified);
    close->setAccessibleName(tr("Close %1").arg(text));
  }
}

void TabBar::setItalic(int index) {
  italic_ = index < 0 ? nullptr : tabButton(index, QTabBar::RightSide);
  update();
}

int TabBar::italic() const {
  for (int i = 0; italic_ && i < count(); ++i)
    if (tabButton(i, QTabBar::RightSide) == italic_) return i;
  return -1;
}

// A style has one font for all tabs: this one is painted again. Its ground covers the first.
void TabBar::paintEvent(QPaintEvent* event) {
  QTabBar::paintEvent(event);
  const int index = italic();
  if (index < 0 || pressed_ >= 0) return;
  QStylePainter painter(this);
  QFont slanted = font();
  slanted.setItalic(true);
  painter.setFont(slanted);
  QStyleOptionTab option;
  initStyleOption(&option, index);
  painter.drawControl(QStyle::CE_TabBarTab, option);
}

void TabBar::tabInserted(int index) {
  auto* close = new TabCloseButton(this);
  setTabButton(index, QTabBar::RightSide, close);
  // Tabs move; the button knows only itself.
  connect(close, &QAbstractButton::clicked, this, [this, close] {
    for (int i = 0; i < count(); ++i) {
      if (tabButton(i, QTabBar::RightSide) == close) {
        Q_EMIT tabCloseRequested(i);
        return;
      }
    }
  });
  QTabBar::tabInserted(index);
}

void TabBar::mousePressEvent(QMouseEvent* event) {
  middlePressed_ = event->button() == Qt::MiddleButton ? tabAt(event->pos()) : -1;
  pressed_ = event->button() == Qt::LeftButton ? tabAt(event->pos()) : -1;
  QTabBar::mousePressEvent(event);
}

void TabBar::mouseMoveEvent(QMouseEvent* event) {
  const int far = QApplication::startDragDistance();
  const bool isOut = !rect().adjusted(-far, -far, far, far).contains(event->pos());
  if (pressed_ < 0 || (!isOut && !out_)) return QTabBar::mouseMoveEvent(event);
  if (!out_) {
    out_ = true;
    pressed_ = currentIndex();  // it may have been drawn along the row before
    // The row's own drag is over.
    QMouseEvent release(QEvent::MouseButtonRelease, event->position(), event->globalPosition(),
                        Qt::LeftButton, Qt::NoButton, event->modifiers());
    QTabBar::mouseReleaseEvent(&release);
  }
  if (isOut) {
    Q_EMIT draggedOut(pressed_, event->globalPosition().toPoint());
  } else {
    Q_EMIT dragCanceled();
  }
}

void TabBar::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton && middlePressed_ >= 0 &&
      middlePressed_ == tabAt(event->pos())) {
    Q_EMIT tabCloseRequested(middlePressed_);
  }
  middlePressed_ = -1;
  const int dragged = std::exchange(pressed_, -1);
  if (!std::exchange(out_, false)) return QTabBar::mouseReleaseEvent(event);
  Q_EMIT dragCanceled();
  if (!rect().contains(event->pos())) Q_EMIT droppedOut(dragged, event->globalPosition().toPoint());
}

void TabBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && std::exchange(out_, false)) {
    pressed_ = -1;
    Q_EMIT dragCanceled();
    return;
  }
  QTabBar::keyPressEvent(event);
}

void TabBar::contextMenuEvent(QContextMenuEvent* event) {
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  const int index = byKey ? currentIndex() : tabAt(event->pos());
  if (index < 0) return;
  Q_EMIT menuWanted(index, byKey ? mapToGlobal(tabRect(index).bottomLeft()) : event->globalPos());
}

}  // namespace waferpair::gui
