// SPDX-License-Identifier: GPL-3.0-or-later
// What benches of the whole window share: waiting for it, and a line of figures.
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QVector>
#include <cstdio>
#include <functional>

#include "gui/automation/tour_report.h"

namespace waferpair::bench {

// Runs the event loop until it is done; ends the program if that takes longer.
inline void waitUntil(const std::function<bool()>& done, qint64 patienceMs = 10'000) {
  QElapsedTimer clock;
  clock.start();
  while (!done()) {
    if (clock.elapsed() > patienceMs) qFatal("nothing came");
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
  }
}

inline double msSince(const QElapsedTimer& clock) {
  return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

// In milliseconds.
inline void row(const char* what, const QVector<double>& times) {
  std::printf("%-52s p50 %8.2f ms   p99 %8.2f ms\n", what, gui::quantile(times, 0.5),
              gui::quantile(times, 0.99));
}

}  // namespace waferpair::bench
