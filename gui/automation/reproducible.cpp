// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/reproducible.h"

#include <QHashFunctions>
#include <QMainWindow>

#include "gui/store/clock.h"
#include "wafer_view/wafer_view.h"

namespace waferpair::gui {

void beReproducible() {
  QHashSeed::setDeterministicGlobalSeed();
  qunsetenv("XDG_CURRENT_DESKTOP");  // letters are as large on each
  stopClock(QDateTime(QDate(2000, 1, 1), QTime(12, 0)));
}

void stopAnimations(QMainWindow* window) {
  window->setAnimated(false);
  for (view::WaferView* wafer : window->findChildren<view::WaferView*>()) wafer->setAnimated(false);
}

}  // namespace waferpair::gui
