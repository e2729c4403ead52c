// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/clock.h"

namespace waferpair::gui {
namespace {

QDateTime& stoppedAt() {
  static QDateTime time;
  return time;
}

}  // namespace

QDateTime currentTime() {
  return stoppedAt().isValid() ? stoppedAt() : QDateTime::currentDateTime();
}

void stopClock(const QDateTime& at) { stoppedAt() = at; }

bool isClockStopped() { return stoppedAt().isValid(); }

}  // namespace waferpair::gui
