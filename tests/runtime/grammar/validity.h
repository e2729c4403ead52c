// SPDX-License-Identifier: GPL-3.0-or-later
// A validator of JSON schemas that knows nothing of grammars, and texts that a grammar allows.
#pragma once

#include <QtCore>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "runtime/grammar/matcher.h"

namespace waferpair::grammar {

using Json = nlohmann::json;

inline std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(QString::fromStdString(text).toUcs4().size());
}

// Decides by Qt's readers, which know nothing of patterns.
inline bool isOfFormat(const std::string& format, const QString& text) {
  if (format == "date") return QDate::fromString(text, "yyyy-MM-dd").isValid();
  const qsizetype zone = text.indexOf(QRegularExpression("[Z+-]"), text.indexOf(':'));
  if (format == "time")
    return QTime::fromString(text.left(8), "HH:mm:ss").isValid() && zone >= 8 &&
           (text.endsWith('Z') || QTime::fromString(text.mid(zone + 1), "HH:mm").isValid());
  if (format == "date-time")
    return QDateTime::fromString(text, Qt::ISODateWithMs).isValid() &&
           isOfFormat("time", text.mid(11));
  if (format == "uuid") return !QUuid::fromString(text).isNull() && text.size() == 36;
  if (format == "email") {
    const QStringList sides = text.split('@');
    return sides.size() == 2 && !sides[0].isEmpty() && sides[1].contains('.') &&
           QUrl("http://" + sides[1], QUrl::StrictMode).isValid() && !text.contains("..");
  }
  if (format == "uri") {
    const QUrl address(text, QUrl::StrictMode);
    return address.isValid() && !address.isRelative() && !address.host().isEmpty();
  }
  if (format == "hostname")
    return QUrl("http://" + text, QUrl::StrictMode).host() == text.toLower();
  if (format == "duration") {
    static const QRegularExpression units("\\d+[A-Z]");
    return text.startsWith('P') && text.size() > 2 && !text.endsWith('T') &&
           units.match(text).hasMatch();
  }
  const QStringList groups = text.split(':');
  if (format == "ipv6")
    return groups.size() == 8 &&
           std::all_of(groups.begin(), groups.end(), [](const QString& group) {
             bool isNumber = false;
             return group.toUInt(&isNumber, 16) <= 0xffff && isNumber && group.size() <= 4;
           });
  const QStringList parts = text.split('.');
  return format == "ipv4" && parts.size() == 4 &&
         std::all_of(parts.begin(), parts.end(), [](const QString& part) {
           return QString::number(part.toUShort()) == part && part.toUShort() < 256;
         });
}

// Decides as JSON Schema does, in the plain way: a value and a schema, keyword by keyword.
inline bool valid(const Json& root, const Json& schema, const Json& value) {
  if (schema.is_boolean()) return schema.get<bool>();
  if (schema.value("nullable", false) && value.is_null()) return true;
  const auto isType = [&](const std::string& type) {
    if (type == "integer")
      return value.is_number() && value.get<double>() == std::trunc(value.get<double>());
    return type == value.type_name();
  };
  if (schema.contains("$ref")) {
    const std::string ref = schema["$ref"];
    const Json& target = ref == "#" ? root : root.at(Json::json_pointer(ref.substr(1)));
    if (!valid(root, target, value)) return false;
  }
  if (schema.contains("type")) {
    const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
    if (std::none_of(types.begin(), types.end(), isType)) return false;
  }
  if (schema.contains("const") && schema["const"] != value) return false;
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return false;
  if (schema.contains("anyOf") &&
      std::none_of(schema["anyOf"].begin(), schema["anyOf"].end(),
                   [&](const Json& one) { return valid(root, one, value); }))
    return false;
  for (const Json& one : schema.value("allOf", Json::array()))
    if (!valid(root, one, value)) return false;
  if (schema.contains("oneOf") &&
      std::count_if(schema["oneOf"].begin(), schema["oneOf"].end(),
                    [&](const Json& one) { return valid(root, one, value); }) != 1)
    return false;
  if (value.is_number()) {
    const double number = value;
    constexpr double kNone = INFINITY;
    if (number < schema.value("minimum", -kNone) || number > schema.value("maximum", kNone) ||
        number <= schema.value("exclusiveMinimum", -kNone) ||
        number >= schema.value("exclusiveMaximum", kNone))
      return false;
    if (schema.contains("multipleOf") && std::fmod(number, schema["multipleOf"].get<double>()) != 0)
      return false;
  }
  if (value.is_string()) {
    const QString text = QString::fromStdString(value);
    const QRegularExpression pattern(QString::fromStdString(schema.value("pattern", "")));
    if (!pattern.isValid() || !pattern.match(text).hasMatch()) return false;
    if (schema.contains("format") && !isOfFormat(schema["format"], text)) return false;
    const std::size_t size = characters(value);
    if (size < schema.value("minLength", 0u) || size > schema.value("maxLength", 1u << 30))
      return false;
  }
  if (value.is_array()) {
    if (value.size() < schema.value("minItems", 0u) ||
        value.size() > schema.value("maxItems", 1u << 30))
      return false;
    // The older way has a list under items, and the others' schema under additionalItems.
    const bool isOlder = schema.contains("items") && schema["items"].is_array();
    const Json first = isOlder ? schema["items"] : schema.value("prefixItems", Json::array());
    const Json others = schema.value(isOlder ? "additionalItems" : "items", Json(true));
    for (std::size_t i = 0; i < value.size(); ++i)
      if (!valid(root, i < first.size() ? first[i] : others, value[i])) return false;
  }
  if (value.is_object()) {
    for (const Json& name : schema.value("required", Json::array()))
      if (!value.contains(name)) return false;
    for (const auto& [name, member] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(name)) {
        if (!valid(root, schema["properties"][name], member)) return false;
      } else if (schema.contains("additionalProperties") &&
                 !valid(root, schema["additionalProperties"], member)) {
        return false;
      }
    }
  }
  return true;
}

// A text that the grammar allows, byte by byte at random; brackets and quotes are likelier, so that
// it comes to an end. Empty if it did not.
inline std::string anyText(Matcher& matcher, std::mt19937& random) {
  std::string text;
  Matcher::State state = matcher.start();
  for (int i = 0; i < 20'000; ++i) {
    if (matcher.mustEnd(state) || (matcher.mayEnd(state) && random() % 4 == 0)) return text;
    std::vector<int> choices;
    for (int byte = 0; byte < 256; ++byte) {
      if (matcher.next(state, static_cast<std::uint8_t>(byte)) == Matcher::kDead) continue;
      const bool closes = byte == '"' || byte == ']' || byte == '}';
      choices.insert(choices.end(), closes ? 60 : byte < 0x80 ? 3 : 1, byte);
    }
    if (choices.empty()) return {};
    const auto byte = static_cast<std::uint8_t>(choices[random() % choices.size()]);
    text += static_cast<char>(byte);
    state = matcher.next(state, byte);
  }
  return {};
}

}  // namespace waferpair::grammar
