// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of waferd's messages, read and written by what the protocol says of them
// (runtime/protocol/messages.h).
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <optional>
#include <string_view>

#include "runtime/protocol/field.h"

namespace waferpair::gui {

QLatin1StringView nameOf(const protocol::Field& field);

// A message of this type, without its fields.
QJsonObject newMessage(std::string_view type);
void put(QJsonObject& object, const protocol::Field& field, const QJsonValue& value);

// Reads one object. A value that is not as it should be counts as missing; the first one, or the
// first that is missing though it must not be, is remembered as the problem: a reader that needs
// all of them asks once, in the end.
class MessageFields {
 public:
  // `where` goes before the names of fields in problems: "layout.ops[3].".
  explicit MessageFields(QJsonObject object, QString where = {})
      : object_(std::move(object)), where_(std::move(where)) {}

  bool isEmpty() const { return object_.isEmpty(); }

  // Return nothing where the field is missing or null.
  std::optional<QString> text(const protocol::Field& field);
  std::optional<qint64> integer(const protocol::Field& field);
  std::optional<double> number(const protocol::Field& field);
  // This program's ids are integers, at least 0.
  std::optional<qint64> id(const protocol::Field& field);
  // Return the protocol's default where the field is missing.
  int small(const protocol::Field& field);
  bool boolean(const protocol::Field& field);
  // Return an empty one where the field is missing. The list's entries are of any type.
  MessageFields object(const protocol::Field& field);
  QJsonArray list(const protocol::Field& field);
  // The entry of a list of objects.
  MessageFields entry(const protocol::Field& field, const QJsonArray& list, qsizetype index) const;

  // "layout.wafers is missing"; empty: none.
  const QString& problem() const { return problem_; }
  void adopt(const MessageFields& part) {
    if (problem_.isEmpty()) problem_ = part.problem_;
  }

 private:
  // Undefined where there is none; a problem where there has to be one.
  QJsonValue find(const protocol::Field& field);
  void fail(const protocol::Field& field, const QString& what);

  QJsonObject object_;
  QString where_;
  QString problem_;
};

}  // namespace waferpair::gui
