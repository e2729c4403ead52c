// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/power_source.h"

#include <QDir>
#include <QFile>

namespace waferpair::gui {
namespace {

constexpr qint64 kReadAgainMs = 30'000;

QByteArray wordOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
}

}  // namespace

bool PowerSource::isOnBattery() const {
  if (!lastRead_.isValid() || lastRead_.elapsed() > kReadAgainMs) {
    lastRead_.start();
    onBattery_ = read();
  }
  return onBattery_;
}

// A supply from outside decides where there is one. A mouse's battery is none of the computer's.
bool PowerSource::read() const {
  bool discharges = false;
  const QStringList supplies = QDir(folder_).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  for (const QString& supply : supplies) {
    const QString path = folder_ + u'/' + supply;
    if (wordOf(path + QStringLiteral("/scope")) == "Device") continue;
    const QByteArray type = wordOf(path + QStringLiteral("/type"));
    if (type != "Battery" && wordOf(path + QStringLiteral("/online")) == "1") return false;
    if (type == "Battery" && wordOf(path + QStringLiteral("/status")) == "Discharging")
      discharges = true;
  }
  return discharges;
}

}  // namespace waferpair::gui
