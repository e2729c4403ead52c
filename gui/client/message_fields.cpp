// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/message_fields.h"

#include <cmath>
#include <limits>

namespace waferpair::gui {
namespace {

// Doubles hold integers exactly up to here, so an id or offset beyond it cannot be trusted.
constexpr double kMaxExact = 9'007'199'254'740'992.0;

}  // namespace

QLatin1StringView nameOf(const protocol::Field& field) { return QLatin1StringView(field.name); }

QJsonObject newMessage(std::string_view type) {
  const QString name = QString::fromLatin1(type.data(), static_cast<qsizetype>(type.size()));
  return {{QStringLiteral("type"), name}};
}

void put(QJsonObject& object, const protocol::Field& field, const QJsonValue& value) {
  object.insert(nameOf(field), value);
}

void MessageFields::fail(const protocol::Field& field, const QString& what) {
  if (problem_.isEmpty()) problem_ = where_ + nameOf(field) + u' ' + what;
}

QJsonValue MessageFields::find(const protocol::Field& field) {
  const QJsonValue value = object_.value(nameOf(field));
  if (!value.isUndefined() && !value.isNull()) return value;
  if (field.required) fail(field, QStringLiteral("is missing"));
  return QJsonValue::Undefined;
}

std::optional<QString> MessageFields::text(const protocol::Field& field) {
  const QJsonValue value = find(field);
  if (value.isUndefined()) return std::nullopt;
  const bool limited = field.bytes != std::numeric_limits<std::size_t>::max();
  if (!value.isString() ||
      (limited && value.toString().toUtf8().size() > static_cast<qsizetype>(field.bytes))) {
    fail(field, limited ? QStringLiteral("is not a short string") : QStringLiteral("is no string"));
    return std::nullopt;
  }
  return value.toString();
}

std::optional<double> MessageFields::number(const protocol::Field& field) {
  const QJsonValue value = find(field);
  if (value.isUndefined()) return std::nullopt;
  const double number = value.toDouble(NAN);
  if (std::isfinite(number) && number >= field.low && number <= field.high) return number;
  fail(field, QStringLiteral("is not a number that can be"));
  return std::nullopt;
}

std::optional<qint64> MessageFields::integer(const protocol::Field& field) {
  const std::optional<double> value = number(field);
  if (!value) return std::nullopt;
  if (std::abs(*value) <= kMaxExact && *value == std::floor(*value))
    return static_cast<qint64>(*value);
  fail(field, QStringLiteral("is not a whole number that can be"));
  return std::nullopt;
}

std::optional<qint64> MessageFields::id(const protocol::Field& field) {
  const std::optional<qint64> value = integer(field);
  return value && *value >= 0 ? value : std::nullopt;
}

int MessageFields::small(const protocol::Field& field) {
  const qint64 value = integer(field).value_or(static_cast<qint64>(field.fallback));
  if (value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max())
    return static_cast<int>(value);
  fail(field, QStringLiteral("is not a whole number that can be"));
  return 0;
}

bool MessageFields::boolean(const protocol::Field& field) {
  return find(field).toBool(field.fallback != 0);
}

MessageFields MessageFields::object(const protocol::Field& field) {
  return MessageFields(find(field).toObject(), where_ + nameOf(field) + u'.');
}

QJsonArray MessageFields::list(const protocol::Field& field) {
  const QJsonValue value = find(field);
  if (value.isUndefined()) return {};
  const QJsonArray list = value.toArray();
  if (value.isArray() && static_cast<std::size_t>(list.size()) <= field.most) return list;
  fail(field, QStringLiteral("is not a list that can be"));
  return {};
}

MessageFields MessageFields::entry(const protocol::Field& field, const QJsonArray& list,
                                   qsizetype index) const {
  return MessageFields(list[index].toObject(),
                       QStringLiteral("%1%2[%3].").arg(where_, nameOf(field)).arg(index));
}

}  // namespace waferpair::gui
