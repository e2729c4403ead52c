// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/dock_strip.h"

#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QMainWindow>
#include <QPointer>
#include <QResizeEvent>
#include <QToolButton>
#include <algorithm>

#include "gui/kit/icons.h"
#include "gui/kit/pane_cycle.h"
#include "gui/kit/strip_text.h"

namespace waferpair::gui {
namespace {

constexpr int kStrip = 36;        // pixels across
constexpr int kLeastWidth = 300;  // of the whole dock
constexpr int kLeastHeight = 160;
constexpr int kText = 300;  // what the text keeps beside docks opened by hand
constexpr int kEdges = 60;  // tool bar and separators

}  // namespace

DockStrip::DockStrip(QMainWindow* window, QDockWidget* dock, QSize roomy, const QString& symbol)
    : QObject(window),
      window_(window),
      dock_(dock),
      roomy_(roomy),
      both_(new QWidget(dock)),
      whole_(dock->widget()),
      strip_(new QWidget(both_)),
      openButton_(new QToolButton(strip_)),
      figure_(new StripText(strip_)),
      noTitle_(new QWidget(dock)) {
  auto* none = new QHBoxLayout(noTitle_);  // without a layout it would have no size at all
  none->setContentsMargins(0, 0, 0, 0);
  noTitle_->hide();
  strip_->setObjectName(dock->objectName() + QStringLiteral("Strip"));
  strip_->setProperty("role", QStringLiteral("strip"));
  strip_->setAttribute(Qt::WA_StyledBackground);
  strip_->setCursor(Qt::PointingHandCursor);
  strip_->installEventFilter(this);
  openButton_->setObjectName(dock->objectName() + QStringLiteral("Open"));
  openButton_->setIcon(icon(symbol));
  openButton_->setIconSize(QSize(20, 20));
  openButton_->setFocusPolicy(Qt::TabFocus);
  openButton_->setToolTip(tr("Show %1").arg(dock->windowTitle()));
  openButton_->setAccessibleName(openButton_->toolTip());
  connect(openButton_, &QToolButton::clicked, this, &DockStrip::open);
  figure_->setObjectName(dock->objectName() + QStringLiteral("Figure"));

  stripLayout_ = new QBoxLayout(QBoxLayout::TopToBottom, strip_);
  stripLayout_->setContentsMargins(2, 4, 2, 4);
  stripLayout_->setSpacing(6);
  stripLayout_->addWidget(openButton_, 0, Qt::AlignCenter);
  stripLayout_->addWidget(figure_, 1);
  auto* layout = new QVBoxLayout(both_);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(whole_);
  layout->addWidget(strip_);
  strip_->hide();
  // It can do with less than it asks for, rather than keep the window large.
  whole_->setMinimumSize(kLeastWidth, kLeastHeight);
  whole_->show();
  dock_->setWidget(both_);

  window_->installEventFilter(this);
  dock_->installEventFilter(this);
  connect(dock_, &QDockWidget::topLevelChanged, this, &DockStrip::update);
  connect(dock_, &QDockWidget::dockLocationChanged, this, &DockStrip::setSizes);
  connect(dock_, &QDockWidget::visibilityChanged, this, &DockStrip::noticeVisibility);
}

void DockStrip::setMakesRoom(QDockWidget* other) {
  other_ = other;
  other->installEventFilter(this);
  connect(other, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    // Its turn now.
    if (visible && byHand_ && !isStrip_ && !bothFit()) {
      otherHidden_ = false;
      fold();
    }
  });
}

void stackStrips(DockStrip* one, DockStrip* other) {
  for (const auto& [strip, mate] : {std::pair(one, other), std::pair(other, one)}) {
    strip->mate_ = mate;
    // A window that ends hides its docks when it is a window no more.
    const auto follow = [each = strip, window = QPointer<QWidget>(strip->window_)] {
      if (qobject_cast<QMainWindow*>(window.data()) && each->isStrip_) each->setSizes();
    };
    QObject::connect(mate, &DockStrip::changed, strip, follow);
    QObject::connect(mate->dock_, &QDockWidget::visibilityChanged, strip, follow);
  }
}

// Returns whether the strip shares its column with a dock that is shown whole.
bool DockStrip::liesFlat() const {
  return mate_ && !mate_->isStrip_ && !mate_->dock_->isHidden() && !mate_->dock_->isFloating() &&
         window_->dockWidgetArea(dock_) == window_->dockWidgetArea(mate_->dock_);
}

void DockStrip::setFigure(const QString& text) { figure_->setText(text); }

bool DockStrip::isCramped() const {
  return !dock_->isFloating() &&
         (window_->width() < roomy_.width() || window_->height() < roomy_.height());
}

bool DockStrip::bothFit() const {
  return !other_ || other_->isHidden() || other_->isFloating() ||
         window_->width() >= kEdges + other_->width() + kText + kLeastWidth;
}

void DockStrip::open() {
  byHand_ = isCramped();
  if (byHand_ && mate_ && mate_->byHand_) mate_->fold();
  if (byHand_ && !bothFit()) {
    otherHidden_ = true;
    other_->hide();
  }
  const bool hadFocus = strip_->isAncestorOf(QApplication::focusWidget());
  setStrip(false);
  dock_->show();
  dock_->raise();
  if (hadFocus) focusFirst(whole_);
}

void DockStrip::fold() {
  byHand_ = false;
  const bool hadFocus = whole_->isAncestorOf(QApplication::focusWidget());
  setStrip(isCramped());
  giveRoomBack();
  if (hadFocus && isStrip_) openButton_->setFocus();
}

void DockStrip::settle() {
  if (byHand_) fold();
}

void DockStrip::update() {
  const bool cramped = isCramped();
  if (!cramped && std::exchange(byHand_, false)) {
    giveRoomBack();
    Q_EMIT changed();
  }
  setStrip(cramped && !byHand_);
}

void DockStrip::giveRoomBack() {
  if (!std::exchange(otherHidden_, false)) return;
  if (other_) other_->show();
}

void DockStrip::noticeVisibility() {
  // Closed by hand: opened anew it begins as it would have.
  if (dock_->isHidden() && byHand_) fold();
}

void DockStrip::setStrip(bool strip) {
  if (strip == isStrip_) return;
  isStrip_ = strip;
  widening_ = !strip;
  // Shown and hidden in this order, the two never ask for room together.
  if (strip) {
    whole_->hide();
    title_ = dock_->titleBarWidget();
    dock_->setTitleBarWidget(noTitle_);
    strip_->show();
  } else {
    strip_->hide();
    dock_->setTitleBarWidget(title_);
    noTitle_->hide();
    whole_->show();
  }
  setSizes();
  if (!strip) widen();
  Q_EMIT changed();
}

// Remembers widths as they are in a roomy window: a small one squeezes what it shows.
void DockStrip::rememberWidth(const QWidget* dock) {
  if (isCramped() || isStrip_ || widening_) return;
  if (dock == dock_) wholeWidth_ = std::max(dock->width(), kLeastWidth);
  if (dock == other_) otherWidth_ = dock->width();
}

void DockStrip::setSizes() {
  const Qt::DockWidgetArea area = window_->dockWidgetArea(dock_);
  const bool atSide = area != Qt::TopDockWidgetArea && area != Qt::BottomDockWidgetArea;
  const bool upright = atSide && !liesFlat();
  stripLayout_->setDirection(upright ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  figure_->setUpright(upright);
  both_->setMinimumSize(0, 0);
  both_->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
  if (isStrip_ && upright) both_->setFixedWidth(kStrip);
  if (isStrip_ && !upright) both_->setFixedHeight(kStrip);
}

void DockStrip::widen() {
  widening_ = true;
  QMetaObject::invokeMethod(
      this,
      [this] {
        widening_ = false;
        if (isStrip_ || dock_->isFloating()) return;
        // Layouts are activated from the inside out: the window's has to know the new limits.
        for (QWidget* one : {both_, static_cast<QWidget*>(dock_), static_cast<QWidget*>(window_)})
          one->layout()->activate();
        const bool beside = other_ && other_->isVisible() && !other_->isFloating();
        const int other = !beside ? 0 : isCramped() ? other_->width() : otherWidth_;
        const int room = std::max(kLeastWidth, window_->width() - kEdges - other - kText);
        const int width = std::clamp(wholeWidth_, kLeastWidth, room);
        if (beside) {
          window_->resizeDocks({other_, dock_}, {other, width}, Qt::Horizontal);
        } else {
          window_->resizeDocks({dock_}, {width}, Qt::Horizontal);
        }
      },
      Qt::QueuedConnection);
}

bool DockStrip::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) {
    if (watched == window_) update();
    if (watched == dock_ || watched == other_) rememberWidth(static_cast<QWidget*>(watched));
  }
  // A state that was saved with the strip knows no width.
  if (watched == window_ && event->type() == QEvent::Show && !isStrip_ &&
      dock_->width() <= kLeastWidth)
    widen();
  if (watched == strip_ && event->type() == QEvent::MouseButtonRelease) open();
  return QObject::eventFilter(watched, event);
}

}  // namespace waferpair::gui
