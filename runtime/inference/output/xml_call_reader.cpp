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

constexpr std::string_view kOfNames =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

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

std::string_view withoutLineEnd(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
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

XmlCallReader::Tags XmlCallReader::tagsOf(const grammar::CallSyntax& syntax) {
  Tags tags{.name = "<function=",
            .key = std::string(syntax.tags.key),
            .keyEnd = std::string(syntax.tags.keyEnd),
            .jsonKeyEnd = std::string(syntax.tags.jsonKeyEnd),
            .valueEnd = std::string(syntax.tags.valueEnd),
            .end = "</function>"};
  if (syntax.form != grammar::CallForm::kTagged) return tags;
  tags.name = std::string(syntax.openings[0]) + std::string(syntax.lead);
  tags.name.erase(0, tags.name.rfind('<'));
  tags.end = syntax.closing.substr(0, syntax.closing.find('>') + 1);
  return tags;
}

XmlCallReader::XmlCallReader(const grammar::CallSyntax& syntax, std::span<const Tool> tools)
    : tags_(tagsOf(syntax)) {
  for (const Tool& tool : tools)
    if (const auto parameters = grammar::xmlParameters(tool.parameters, tags_.valueEnd))
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
      const std::size_t at = held_.find(tags_.name);
      if (at == std::string::npos) {
        held_.erase(0, held_.size() - begunAtEnd(held_, tags_.name));
        return false;
      }
      const std::size_t begin = at + tags_.name.size();
      const std::size_t end = held_.find_first_not_of(kOfNames, begin);
      if (end == std::string::npos) return false;
      if (end > begin) beginCall(held_.substr(begin, end - begin));
      held_.erase(0, end);
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
  if (held_.starts_with(tags_.end)) {
    tell("}");
    parts_->push_back({Kind::kCallEnd});
    held_.erase(0, tags_.end.size());
    place_ = Place::kOutside;
    return true;
  }
  if (held_.starts_with(tags_.key)) {
    const std::size_t text = held_.find(withoutLineEnd(tags_.keyEnd), tags_.key.size());
    const std::size_t json = held_.find(withoutLineEnd(tags_.jsonKeyEnd), tags_.key.size());
    const std::size_t end = std::min(text, json);
    if (end == std::string::npos) return false;
    const std::string name = held_.substr(tags_.key.size(), end - tags_.key.size());
    const std::string& keyEnd = text <= json ? tags_.keyEnd : tags_.jsonKeyEnd;
    held_.erase(0, end + withoutLineEnd(keyEnd).size());
    beginValue(name, keyEnd);
    return true;
  }
  if (tags_.end.starts_with(held_) || tags_.key.starts_with(held_)) return false;
  held_.erase(0, 1);  // no tag of a call
  return true;
}

bool XmlCallReader::readValue() {
  if (atLineEnd_) {
    if (held_.empty()) return false;
    if (held_.front() == '\n') held_.erase(0, 1);
    atLineEnd_ = false;
  }
  const std::size_t end = held_.find(tags_.valueEnd);
  if (end != std::string::npos) {
    endValue(std::string_view(held_).substr(0, end));
    held_.erase(0, end + tags_.valueEnd.size());
    place_ = Place::kParameters;
    return true;
  }
  if (streams_) {
    const std::size_t sure = held_.size() - begunAtEnd(held_, tags_.valueEnd);
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

void XmlCallReader::beginValue(const std::string& name, const std::string& keyEnd) {
  value_ = nullptr;
  if (parameters_)
    if (const auto known = parameters_->find(name); known != parameters_->end())
      value_ = &known->second;
  const bool isTold = tags_.keyEnd != tags_.jsonKeyEnd;  // by the tag, which of the two it is
  isJson_ = isTold && keyEnd == tags_.jsonKeyEnd;
  streams_ = isTold ? !isJson_
                    : value_ && (value_->value == Value::kText || value_->value == Value::kChoice);
  tell((std::exchange(isFirst_, false) ? "" : ", ") + quotedText(name) + ": " +
       (streams_ ? "\"" : ""));
  atLineEnd_ = keyEnd.ends_with('\n');
  place_ = Place::kValue;
}

void XmlCallReader::endValue(std::string_view text) {
  if (streams_) return tell(escapedText(text) + "\"");
  const Json read = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const bool isJson =
      !read.is_discarded() && (isJson_ || !read.is_string()) &&
      (isJson_ || !value_ || value_->value == Value::kJson || isOfTypes(read, value_->types));
  tell(isJson ? std::string(text) : quotedText(text));
}

}  // namespace waferpair::inference
