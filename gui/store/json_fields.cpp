// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/json_fields.h"

#include <QLocale>
#include <cmath>
#include <limits>

#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostShown = 64;  // characters of a name that nobody knows

// Describes a value that is not as it should be. Texts are not shown: they may be anything.
QString description(const QJsonValue& value) {
  switch (value.type()) {
    case QJsonValue::Bool:
      return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    case QJsonValue::Double:
      return QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
    case QJsonValue::String:
      return QStringLiteral("a string");
    case QJsonValue::Array:
      return QStringLiteral("an array");
    default:
      return QStringLiteral("an object");
  }
}

}  // namespace

QLatin1StringView nameOf(const base::Field& field) { return QLatin1StringView(field.name); }

QJsonObject newMessage(std::string_view type) {
  const QString name = QString::fromLatin1(type.data(), static_cast<qsizetype>(type.size()));
  return {{nameOf(protocol::field::message::kType), name}};
}

void put(QJsonObject& object, const base::Field& field, const QJsonValue& value) {
  object.insert(nameOf(field), value);
}

void JsonFields::fail(const base::Field& field, const QString& what, const QString& remedy) {
  if (!problem_) problem_ = editor::Error{path_ + nameOf(field) + u' ' + what, remedy};
}

std::optional<editor::Error> JsonFields::problemOrUnknown() const {
  if (problem_) return problem_;
  for (auto it = object_.begin(); it != object_.end(); ++it) {
    QStringList known;
    for (const char* name : asked_) known.append(QLatin1String(name));
    if (known.contains(it.key())) continue;
    known.sort();
    known.removeDuplicates();
    return editor::Error{
        QStringLiteral("%1%2 is not known.").arg(path_, it.key().left(kMostShown)),
        known.isEmpty() ? QStringLiteral("There are no fields here.")
                        : QStringLiteral("Known are: %1.").arg(known.join(QLatin1String(", ")))};
  }
  return std::nullopt;
}

QJsonValue JsonFields::value(const base::Field& field) {
  asked_.append(field.name);
  const QJsonValue value = object_.value(nameOf(field));
  return value.isNull() ? QJsonValue(QJsonValue::Undefined) : value;
}

bool JsonFields::has(const base::Field& field) { return !value(field).isUndefined(); }

QJsonValue JsonFields::find(const base::Field& field) {
  const QJsonValue found = value(field);
  if (found.isUndefined() && field.required)
    fail(field, QStringLiteral("is missing."), QStringLiteral("Add it."));
  return found;
}

QString JsonFields::text(const base::Field& field) {
  const QJsonValue value = find(field);
  if (value.isUndefined()) return {};
  if (!value.isString()) {
    fail(field, QStringLiteral("is %1.").arg(description(value)), QStringLiteral("Give a string."));
    return {};
  }
  const bool limited = field.bytes != base::Field{}.bytes;
  const QString text = value.toString();
  if (limited && text.toUtf8().size() > static_cast<qsizetype>(field.bytes)) {
    fail(field, QStringLiteral("is too long."),
         QStringLiteral("Give at most %1 bytes of UTF-8.").arg(field.bytes));
    return {};
  }
  return text;
}

std::optional<double> JsonFields::number(const base::Field& field, bool whole) {
  const QJsonValue value = find(field);
  if (value.isUndefined()) return std::nullopt;
  const double number = value.toDouble(NAN);
  if (whole ? field.holdsInteger(number) : field.holds(number)) return number;
  fail(field, QStringLiteral("is %1.").arg(description(value)),
       QString::fromStdString(field.wantedNumber(whole)));
  return std::nullopt;
}

std::optional<double> JsonFields::number(const base::Field& field) { return number(field, false); }

std::optional<qint64> JsonFields::integer(const base::Field& field) {
  const std::optional<double> value = number(field, true);
  return value ? std::optional(static_cast<qint64>(*value)) : std::nullopt;
}

std::optional<quint64> JsonFields::id(const base::Field& field) {
  base::Field known = field;
  known.low = 0;
  const std::optional<qint64> value = integer(known);
  return value ? std::optional(static_cast<quint64>(*value)) : std::nullopt;
}

int JsonFields::small(const base::Field& field) {
  const qint64 value = integer(field).value_or(static_cast<qint64>(field.fallback));
  if (value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max())
    return static_cast<int>(value);
  fail(field, QStringLiteral("is %1.").arg(value), QStringLiteral("Give a smaller number."));
  return 0;
}

bool JsonFields::boolean(const base::Field& field) {
  const QJsonValue value = find(field);
  if (!value.isUndefined() && !value.isBool())
    fail(field, QStringLiteral("is %1.").arg(description(value)),
         QStringLiteral("Give true or false."));
  return value.toBool(field.fallback != 0);
}

JsonFields JsonFields::object(const base::Field& field) {
  const QJsonValue value = find(field);
  if (!value.isUndefined() && !value.isObject())
    fail(field, QStringLiteral("is %1.").arg(description(value)),
         QStringLiteral("Give an object: { ... }."));
  return JsonFields(value.toObject(), path_ + nameOf(field) + u'.');
}

QJsonArray JsonFields::list(const base::Field& field) {
  const QJsonValue value = find(field);
  if (value.isUndefined()) return {};
  const QJsonArray list = value.toArray();
  if (!value.isArray()) {
    fail(field, QStringLiteral("is %1.").arg(description(value)),
         QStringLiteral("Give an array: [ ... ]."));
    return {};
  }
  if (static_cast<std::size_t>(list.size()) <= field.most) return list;
  fail(field, QStringLiteral("has %1 entries.").arg(list.size()),
       QStringLiteral("Give at most %1.").arg(field.most));
  return {};
}

JsonFields JsonFields::entry(const base::Field& field, const QJsonArray& list,
                             qsizetype index) const {
  return JsonFields(list[index].toObject(),
                    QStringLiteral("%1%2[%3].").arg(path_, nameOf(field)).arg(index));
}

}  // namespace waferpair::gui
