// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether the computer runs on its battery, as Linux says in /sys/class/power_supply. One
// that says nothing there is plugged in. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <QString>

namespace waferpair::gui {

class PowerSource {
 public:
  explicit PowerSource(QString folder = QStringLiteral("/sys/class/power_supply"))
      : folder_(std::move(folder)) {}

  // Reads it anew at most twice a minute.
  bool isOnBattery() const;

 private:
  bool read() const;

  QString folder_;
  mutable QElapsedTimer lastRead_;
  mutable bool onBattery_ = false;
};

}  // namespace waferpair::gui
