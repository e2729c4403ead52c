// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/panel_tabs.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSignalBlocker>

#include "gui/kit/pane_cycle.h"

namespace waferpair::gui {
namespace {

// '&' would mark a key.
QString plainTitle(const QDockWidget* panel) {
  return panel->windowTitle().replace(QLatin1Char('&'), QLatin1String("&&"));
}

}  // namespace

PanelTabs::PanelTabs(const QList<QDockWidget*>& panels, QDockWidget* own)
    : QTabBar(own), panels_(panels), own_(own) {
  Q_ASSERT(panels.contains(own));
  setObjectName(QStringLiteral("panelTabs"));
  setAccessibleName(tr("Panels"));
  setDrawBase(false);
  setExpanding(false);
  setUsesScrollButtons(true);
  setFocusPolicy(Qt::TabFocus);
  for (QDockWidget* panel : panels) {
    const int tab = addTab(plainTitle(panel));
    connect(panel, &QDockWidget::windowTitleChanged, this,
            [this, panel, tab] { setTabText(tab, plainTitle(panel)); });
    connect(panel, &QDockWidget::dockLocationChanged, this, &PanelTabs::showThoseHere);
    connect(panel, &QDockWidget::topLevelChanged, this, &PanelTabs::showThoseHere);
  }
  setCurrentIndex(static_cast<int>(panels.indexOf(own)));
  connect(this, &QTabBar::currentChanged, this, &PanelTabs::choose);
}

void PanelTabs::choose(int index) {
  QDockWidget* other = panels_.value(index);
  if (!other || other == own_) return;
  const bool byKey = hasFocus();
  {
    // This head goes with its panel, and has that in front when it comes back.
    const QSignalBlocker blocker(this);
    setCurrentIndex(static_cast<int>(panels_.indexOf(own_)));
  }
  other->show();
  const QWidget* head = other->titleBarWidget();
  if (auto* tabs = head ? head->findChild<PanelTabs*>() : nullptr; byKey && tabs)
    tabs->setFocus(Qt::TabFocusReason);
  else
    focusFirst(other->widget());
}

void PanelTabs::showThoseHere() {
  const auto* window = qobject_cast<QMainWindow*>(own_->parentWidget());
  if (!window) return;
  const QSignalBlocker blocker(this);
  for (qsizetype i = 0; i < panels_.size(); ++i) {
    QDockWidget* panel = panels_[i];
    const bool isHere =
        panel == own_ || (!own_->isFloating() && !panel->isFloating() &&
                          window->dockWidgetArea(panel) == window->dockWidgetArea(own_));
    setTabVisible(static_cast<int>(i), isHere);
  }
}

}  // namespace waferpair::gui
