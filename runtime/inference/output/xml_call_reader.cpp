// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/xml_call_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace waferpair::inference {
namespace {

using Kind = AnswerPart::Kind;
using Json = nlohmann::ordered_json;
using Value = grammar::XmlParameter::Value;

constexpr std::string_view kFunction = "<function=";
constexpr std::string_view kFunctionEnd = "</function>";
constexpr std::string_view kParameter = "<parameter=";

std::string quotedText(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// As it stands in a string: its pieces may cut a character.
std::string escapedText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || c == '"' || c == '\\') {
      const std::string one = quotedText(std::string_view(&c, 1));
      out.append(one, 1, one.size() - 2);
    } else {
      out += c;
    }
  }
  return out;
}

// The length of the longest end of `text` that begins `tag`.
std::size_t begunAtEnd(std::string_view text, std::string_view tag) {
  std::size_t length = std::min(tag.size() - 1, text.size());
  while (!text.ends_with(tag.substr(0, length))) --length;
  return length;
}

bool isOfTypes(const Json& value, const std::set<std::string>& types) {
  if (value.is_null()) return types.contains("null");
  if (value.is_boolean()) return types.contains("boolean");
  if (value.is_object()) return types.contains("object");
  if (value.is_array()) return types.contains("array");
  if (value.is_number_integer()) return types.contains("integer") || types.contains("number");
  return value.is_number() && types.contains("number");
}

}  // namespace

XmlCallReader::XmlCallReader(std::span<const Tool> tools) {
  for (const Tool& tool : tools)
    if (const auto parameters = grammar::xmlParameters(tool.parameters))
      for (const grammar::XmlParameter& each : *parameters)
        tools_[tool.name].emplace(each.name, each);
}

void XmlCallReader::push(std::string_view text, std::vector<AnswerPart>& parts) {
  held_ += text;
  parts_ = &parts;
  while (step()) {
  }
  parts_ = nullptr;
}

// Returns whether there may be more to read in what is held.
bool XmlCallReader::step() {
  switch (place_) {
    case Place::kOutside: {
      const std::size_t at = held_.find(kFunction);
      if (at == std::string::npos) {
        held_.erase(0, held_.size() - begunAtEnd(held_, kFunction));
        return false;
      }
      const std::size_t end = held_.find('>', at);
      if (end == std::string::npos) return false;
      beginCall(held_.substr(at + kFunction.size(), end - at - kFunction.size()));
      held_.erase(0, end + 1);
      return true;
    }
    case Place::kParameters:
      return readTag();
    case Place::kValue:
      return readValue();
  }
  return false;
}

bool XmlCallReader::readTag() {
  held_.erase(0, std::min(held_.find('<'), held_.size()));
  if (held_.starts_with(kFunctionEnd)) {
    tell("}");
    parts_->push_back({Kind::kCallEnd});
    held_.erase(0, kFunctionEnd.size());
    place_ = Place::kOutside;
    return true;
  }
  if (held_.starts_with(kParameter)) {
    const std::size_t end = held_.find('>');
    if (end == std::string::npos) return false;
    const std::string name = held_.substr(kParameter.size(), end - kParameter.size());
    held_.erase(0, end + 1);
    beginValue(name);
    return true;
  }
  if (kFunctionEnd.starts_with(held_) || kParameter.starts_with(held_)) return false;
  held_.erase(0, 1);  // no tag of a call
  return true;
}

bool XmlCallReader::readValue() {
  if (atLineEnd_) {
    if (held_.empty()) return false;
    if (held_.front() == '\n') held_.erase(0, 1);
    atLineEnd_ = false;
  }
  const std::size_t end = held_.find(grammar::kXmlValueEnd);
  if (end != std::string::npos) {
    endValue(std::string_view(held_).substr(0, end));
    held_.erase(0, end + grammar::kXmlValueEnd.size());
    place_ = Place::kParameters;
    return true;
  }
  if (streams_) {
    const std::size_t sure = held_.size() - begunAtEnd(held_, grammar::kXmlValueEnd);
    tell(escapedText(std::string_view(held_).substr(0, sure)));
    held_.erase(0, sure);
  }
  return false;
}

void XmlCallReader::tell(std::string json) {
  if (!json.empty()) parts_->push_back({Kind::kArguments, std::move(json)});
}

void XmlCallReader::beginCall(const std::string& name) {
  parts_->push_back({Kind::kCall, name});
  tell("{");
  const auto known = tools_.find(name);
  parameters_ = known == tools_.end() ? nullptr : &known->second;
  isFirst_ = true;
  place_ = Place::kParameters;
}

void XmlCallReader::beginValue(const std::string& name) {
  value_ = nullptr;
  if (parameters_)
    if (const auto known = parameters_->find(name); known != parameters_->end())
      value_ = &known->second;
  streams_ = value_ && (value_->value == Value::kText || value_->value == Value::kChoice);
  tell((std::exchange(isFirst_, false) ? "" : ", ") + quotedText(name) + ": " +
       (streams_ ? "\"" : ""));
  atLineEnd_ = true;
  place_ = Place::kValue;
}

void XmlCallReader::endValue(std::string_view text) {
  if (streams_) return tell(escapedText(text) + "\"");
  const Json read = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const bool isJson = !read.is_discarded() && !read.is_string() &&
                      (!value_ || value_->value == Value::kJson || isOfTypes(read, value_->types));
  tell(isJson ? std::string(text) : quotedText(text));
}

}  // namespace waferpair::inference
