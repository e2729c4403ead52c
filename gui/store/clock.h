// SPDX-License-Identifier: GPL-3.0-or-later
// The time of day, for what is shown and written down. UI thread only.
#pragma once

#include <QDateTime>

namespace waferpair::gui {

QDateTime currentTime();
// Makes currentTime() return `at` from then on: for runs that are to be the same.
void stopClock(const QDateTime& at);
bool isClockStopped();

}  // namespace waferpair::gui
