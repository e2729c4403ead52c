// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/panel_maximizer.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QToolButton>
#include <utility>

#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dock_title.h"
#include "gui/kit/icons.h"
#include "gui/kit/pane_cycle.h"
#include "gui/shell/session_keeper.h"
#include "gui/translate.h"

namespace waferpair::gui {

PanelMaximizer::PanelMaximizer(QMainWindow* window, SessionKeeper* session)
    : QObject(window), window_(window), session_(session) {
  // Who goes to the text wants to see it.
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
    // No window any more while that is being destroyed.
    const auto* whole = qobject_cast<QMainWindow*>(parent());
    const QWidget* center = whole && on_ ? whole->centralWidget() : nullptr;
    if (now && center && center->isAncestorOf(now)) set(false);
  });
}

QDockWidget* PanelMaximizer::panel() const {
  const auto docks = window_->findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
  for (QDockWidget* dock : docks)
    if (!dock->isHidden() && !dock->isFloating() &&
        window_->dockWidgetArea(dock) == Qt::BottomDockWidgetArea)
      return dock;
  return nullptr;
}

void PanelMaximizer::fit() {
  QDockWidget* shown = panel();
  if (shown && (on_ || std::exchange(isHigh_, false)))
    window_->resizeDocks({shown}, {on_ ? window_->height() : before_}, Qt::Vertical);
}

bool PanelMaximizer::set(bool on) {
  QDockWidget* shown = panel();
  if (on == on_) return true;
  if (on && !shown) {
    Q_EMIT changed(false);
    return false;
  }
  if (on) {
    // What is hidden now is not how the next start is to be.
    session_->holdLayout(true);
    before_ = shown->height();
  }
  on_ = on;
  isHigh_ = !on;
  if (on && !shown->isAncestorOf(QApplication::focusWidget())) focusFirst(shown->widget());
  fit();
  if (!on) session_->holdLayout(false);
  Q_EMIT changed(on);
  return true;
}

void PanelMaximizer::addButton(QDockWidget* panel) {
  auto* title = qobject_cast<DockTitle*>(panel->titleBarWidget());
  if (!title) return;
  const QString help = tr("Maximize or restore this panel");
  QToolButton* button = title->addButton(panel->objectName() + QStringLiteral("Maximize"),
                                         QStringLiteral("chevron-up"), help);
  connect(button, &QToolButton::clicked, this, [this] { set(!on_); });
  connect(this, &PanelMaximizer::changed, button, [button](bool on) {
    button->setIcon(icon(on ? QStringLiteral("chevron-down") : QStringLiteral("chevron-up")));
  });
  connect(panel, &QDockWidget::visibilityChanged, this, [this](bool) {
    // The one that hides may make room for another, which is shown by then.
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (on_ && !this->panel()) set(false);
          fit();
        },
        Qt::QueuedConnection);
  });
}

void addPanelMaximizeCommand(CommandRegistry& commands, PanelMaximizer* maximizer,
                             BannerStack* notices) {
  QAction* action =
      commands.add({.id = "view.maximizePanel",
                    .category = tr("View"),
                    .text = tr("Ma&ximize Panel"),
                    .help = tr("Give the panel below the text nearly all of the height; the same "
                               "again, or going to the text, ends it."),
                    .keys = {chord(Qt::SHIFT | Qt::Key_M)},
                    .checkable = true,
                    .places = {{"view", 3}},
                    .run = [maximizer, notices] {
                      if (maximizer->set(!maximizer->isOn())) return;
                      notices->show(QStringLiteral("noPanel"), Banner::Kind::kInfo,
                                    tr("No panel is shown below the text. Open one first, for "
                                       "example the terminal or the search."));
                    }});
  QObject::connect(maximizer, &PanelMaximizer::changed, action, &QAction::setChecked);
}

}  // namespace waferpair::gui
