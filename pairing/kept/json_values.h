// SPDX-License-Identifier: GPL-3.0-or-later
// Values in the files that the program keeps for itself: enumerations by name, and times.
#pragma once

#include <QDateTime>
#include <QJsonObject>
#include <QJsonValue>
#include <QLatin1String>
#include <QString>
#include <span>

#include "editor/text/result.h"

namespace waferpair::pairing {

// The names of an enumeration's values, in their order.
using EnumNames = std::span<const char* const>;

template <typename Enum>
QString enumName(Enum value, EnumNames names) {
  return QLatin1String(names[static_cast<std::size_t>(value)]);
}

// False, and `value` stays, where no value has the name.
template <typename Enum>
bool readEnum(const QJsonValue& json, EnumNames names, Enum* value) {
  const QString name = json.toString();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name != QLatin1String(names[i])) continue;
    *value = static_cast<Enum>(i);
    return true;
  }
  return false;
}

inline QString timeText(const QDateTime& time) { return time.toUTC().toString(Qt::ISODateWithMs); }
// Invalid where it is none.
inline QDateTime timeFrom(const QJsonValue& json) {
  return QDateTime::fromString(json.toString(), Qt::ISODateWithMs);
}

// A kept file's bytes.
QByteArray keptBytes(const QJsonObject& json);
// Fails, naming the byte, where they are damaged.
editor::Result<QJsonObject> keptObject(const QByteArray& bytes);

}  // namespace waferpair::pairing
