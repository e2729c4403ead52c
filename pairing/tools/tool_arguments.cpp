// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/tools/tool_arguments.h"

#include <QJsonDocument>
#include <algorithm>

namespace waferpair::pairing {
namespace {

struct OtherNames {
  const char* name;
  QList<QLatin1String> others;
};

// As tools of other programs are called with, which models have seen more of.
const QList<OtherNames>& otherNames() {
  using Name = QLatin1String;
  static const QList<OtherNames> names = {
      {"path",
       {Name("file_path"), Name("filename"), Name("file"), Name("directory"), Name("folder"),
        Name("dir")}},
      {"first_line", {Name("start_line"), Name("line_start"), Name("from"), Name("offset")}},
      {"last_line", {Name("end_line"), Name("line_end"), Name("to")}},
      {"query", {Name("pattern"), Name("text"), Name("regex_pattern"), Name("search")}},
      {"regex", {Name("is_regex"), Name("regexp")}},
      {"name", {Name("symbol"), Name("symbol_name"), Name("query")}},
      {"pattern", {Name("glob"), Name("glob_pattern")}},
      {"old_text", {Name("old_string"), Name("old_str"), Name("search")}},
      {"new_text", {Name("new_string"), Name("new_str"), Name("replace"), Name("content")}},
      {"command", {Name("cmd")}}};
  return names;
}

}  // namespace

editor::Result<ToolArguments> ToolArguments::read(const QString& json) {
  ToolArguments made;
  if (json.trimmed().isEmpty()) return made;
  QJsonParseError wrong;
  const QJsonDocument document = QJsonDocument::fromJson(json.toUtf8(), &wrong);
  if (document.isObject()) {
    made.json_ = document.object();
    return made;
  }
  constexpr qsizetype kShown = 200;
  const QString why =
      wrong.error == QJsonParseError::NoError
          ? QStringLiteral("it is no object")
          : QStringLiteral("%1 at character %2").arg(wrong.errorString()).arg(wrong.offset + 1);
  return editor::fail(
      QStringLiteral("The arguments are no JSON object (%1): %2").arg(why, json.left(kShown)));
}

QJsonValue ToolArguments::valueOf(const char* name) const {
  const auto own = json_.constFind(QLatin1String(name));
  if (own != json_.constEnd()) return *own;
  for (const OtherNames& each : otherNames()) {
    if (qstrcmp(each.name, name) != 0) continue;
    for (const QLatin1String other : each.others)
      if (const auto value = json_.constFind(other); value != json_.constEnd()) return *value;
  }
  return QJsonValue(QJsonValue::Undefined);
}

QString ToolArguments::text(const char* name) const { return valueOf(name).toString(); }

std::optional<qint64> ToolArguments::number(const char* name) const {
  const QJsonValue value = valueOf(name);
  constexpr double kLargest = 1e15;  // so that it can be counted with
  if (value.isDouble())
    return static_cast<qint64>(std::clamp(value.toDouble(), -kLargest, kLargest));
  bool isNumber = false;
  const qint64 number = value.toString().toLongLong(&isNumber);
  if (!isNumber) return {};
  return std::clamp(number, -static_cast<qint64>(kLargest), static_cast<qint64>(kLargest));
}

bool ToolArguments::flag(const char* name) const {
  const QJsonValue value = valueOf(name);
  return value.toBool(value.toString().compare(QLatin1String("true"), Qt::CaseInsensitive) == 0);
}

}  // namespace waferpair::pairing
