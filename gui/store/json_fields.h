// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the fields of JSON objects that come from outside, each held to its limits
// (runtime/base/field.h; the fields of waferd's messages are in runtime/protocol/messages.h).
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QVarLengthArray>
#include <optional>
#include <string_view>

#include "editor/text/result.h"
#include "runtime/base/field.h"

namespace waferpair::gui {

QLatin1StringView nameOf(const base::Field& field);

// Returns a message of this type to waferd, still without its fields.
QJsonObject newMessage(std::string_view type);
void put(QJsonObject& object, const base::Field& field, const QJsonValue& value);

// Reads one object. A value that is not as it should be counts as missing; the first one, or the
// first that is missing though it must not be, is remembered as the problem: a reader that needs
// all of them asks once, in the end.
class JsonFields {
 public:
  // `path` goes before the names of fields in problems: "layout.ops[3].".
  explicit JsonFields(QJsonObject object, QString path = {})
      : object_(std::move(object)), path_(std::move(path)) {}

  bool isEmpty() const { return object_.isEmpty(); }
  // Returns whether the field is neither missing nor null.
  bool has(const base::Field& field);

  // Returns an empty text where the field is missing.
  QString text(const base::Field& field);
  // Returns a value of any type, or undefined where the field is missing.
  QJsonValue value(const base::Field& field);
  // Return nothing where the field is missing.
  std::optional<qint64> integer(const base::Field& field);
  std::optional<double> number(const base::Field& field);
  // This program's ids are integers, at least 0.
  std::optional<quint64> id(const base::Field& field);
  // Return the field's fallback where it is missing.
  int small(const base::Field& field);
  bool boolean(const base::Field& field);
  // Return an empty one where the field is missing. The list's entries are of any type.
  JsonFields object(const base::Field& field);
  QJsonArray list(const base::Field& field);
  // Returns an entry of a list of objects.
  JsonFields entry(const base::Field& field, const QJsonArray& list, qsizetype index) const;

  // Remembers a problem, if it is the first. `what` goes on after the field's name: "is not a
  // color.".
  void fail(const base::Field& field, const QString& what, const QString& remedy);
  void adopt(const JsonFields& part) {
    if (!problem_) problem_ = part.problem_;
  }
  const std::optional<editor::Error>& problem() const { return problem_; }
  // Returns the problem; a field that nobody asked for is one, too, as a rule it is misspelt.
  std::optional<editor::Error> problemOrUnknown() const;

 private:
  // Returns undefined where there is no value, which is a problem where there has to be one.
  QJsonValue find(const base::Field& field);
  std::optional<double> number(const base::Field& field, bool whole);

  QJsonObject object_;
  QString path_;
  QVarLengthArray<const char*, 16> asked_;  // names of fields
  std::optional<editor::Error> problem_;
};

}  // namespace waferpair::gui
