// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/tool_call_reader.h"

#include <algorithm>
#include <utility>

namespace waferpair::inference {
namespace {

using Kind = AnswerPart::Kind;

constexpr std::string_view kBlanks = " \n\r\t";

// The name in the head of a call: {"name": "NAME", "arguments":
std::string nameIn(std::string_view head) {
  constexpr std::string_view kKey = "\"name\"";
  head.remove_prefix(std::min(head.size(), head.find(kKey) + kKey.size()));
  head.remove_prefix(std::min(head.size(), head.find('"') + 1));
  return std::string(head.substr(0, head.find('"')));
}

}  // namespace

ToolCallReader::ToolCallReader(const grammar::CallSyntax& syntax, std::span<const Tool> tools)
    : syntax_(&syntax) {
  if (syntax.form == grammar::CallForm::kXml || syntax.form == grammar::CallForm::kTagged)
    xml_.emplace(syntax, tools);
}

std::vector<AnswerPart> ToolCallReader::push(std::string_view text) {
  std::vector<AnswerPart> parts;
  std::string rest(text);
  if (place_ == Place::kText) {
    held_ += text;
    readText(parts);
    if (place_ == Place::kText) return parts;
    rest = std::exchange(held_, {});  // behind the opening, or from there on
  }
  if (place_ == Place::kXml) {
    xml_->push(rest, parts);
    return parts;
  }
  std::string arguments;
  const auto tellArguments = [&] {
    if (!arguments.empty()) parts.push_back({Kind::kArguments, std::exchange(arguments, {})});
  };
  for (const char c : rest) {
    switch (place_) {
      case Place::kText:
      case Place::kXml:
        break;  // read elsewhere
      case Place::kBetween:
        if (c != '{') break;
        held_ = c;
        place_ = Place::kHead;
        break;
      case Place::kLead:
        held_ += c;
        if (!endsWith(syntax_->lead)) break;
        held_.clear();
        place_ = Place::kHead;
        break;
      case Place::kHead:
        if (c != '{') {  // a name has none
          held_ += c;
          break;
        }
        beginArguments(parts);
        [[fallthrough]];
      case Place::kArguments:
        arguments += c;
        if (!nesting_.endsWith(c)) break;
        tellArguments();
        place_ = Place::kTail;
        if (syntax_->form == grammar::CallForm::kHarmony) {
          parts.push_back({Kind::kCallEnd});
          place_ = Place::kBetween;
        } else if (syntax_->form == grammar::CallForm::kNamed) {
          parts.push_back({Kind::kCallEnd});
        }
        break;
      case Place::kTail:
        if (syntax_->form == grammar::CallForm::kNamed) {
          held_ += c;
          if (!endsWith(syntax_->joint)) break;
          held_.clear();
          place_ = Place::kHead;
          break;
        }
        if (c != '}') break;  // the id, which has none
        parts.push_back({Kind::kCallEnd});
        place_ = Place::kBetween;
        break;
    }
  }
  tellArguments();
  return parts;
}

// Tells what is surely text, or goes on to the first call, whose beginning is then what is held.
void ToolCallReader::readText(std::vector<AnswerPart>& parts) {
  std::size_t opening = std::string::npos, behind = 0;
  std::size_t begun = held_.size();  // where an opening may have begun
  if (!noCalls_) {
    for (const std::string_view text : syntax_->openings) {
      const std::size_t at = syntax_->onlyAtStart
                                 ? (held_.starts_with(text) ? 0 : std::string::npos)
                                 : held_.find(text);
      if (at < opening) {
        opening = at;
        behind = at + text.size();
      }
      std::size_t length = std::min(text.size() - 1, held_.size());
      while (!held_.ends_with(text.substr(0, length))) --length;
      if (!syntax_->onlyAtStart || length == held_.size())
        begun = std::min(begun, held_.size() - length);
    }
  }
  const bool opened = opening != std::string::npos;
  std::string_view text(held_.data(), opened ? opening : begun);
  if (!noCalls_ && !syntax_->onlyAtStart) text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  if (!text.empty()) parts.push_back({Kind::kText, std::string(text)});
  if (!opened) {
    noCalls_ = noCalls_ || (syntax_->onlyAtStart && !text.empty());
    held_.erase(0, text.size());
    return;
  }
  held_.erase(0, syntax_->openingIsOfCall || xml_ ? opening : behind);
  if (xml_)
    place_ = Place::kXml;
  else if (syntax_->form == grammar::CallForm::kHarmony)
    place_ = Place::kHead;  // the tool's name comes next
  else if (syntax_->form == grammar::CallForm::kNamed)
    place_ = syntax_->lead.empty() ? Place::kHead : Place::kLead;
  else
    place_ = Place::kBetween;
}

void ToolCallReader::beginArguments(std::vector<AnswerPart>& parts) {
  constexpr std::string_view kOfNames =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const bool isBare = syntax_->form != grammar::CallForm::kObject;
  parts.push_back(
      {Kind::kCall, isBare ? held_.substr(0, held_.find_first_not_of(kOfNames)) : nameIn(held_)});
  held_.clear();
  nesting_ = {};
  place_ = Place::kArguments;
}

// What is held ends with such a text; an id in it has been read as far as that text goes on.
bool ToolCallReader::endsWith(std::string_view text) const {
  if (text.empty()) return false;
  const std::size_t mark = text.rfind(grammar::kIdMark);
  const std::string_view end = mark == text.npos ? text : text.substr(mark + 1);
  return !end.empty() && held_.ends_with(end);
}

std::vector<AnswerPart> ToolCallReader::finish() {
  if (place_ != Place::kText || held_.empty()) return {};
  return {{Kind::kText, std::exchange(held_, {})}};
}

}  // namespace waferpair::inference
