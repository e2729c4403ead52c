// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/bare_call_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace waferpair::inference {
namespace {

using Kind = AnswerPart::Kind;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kCallBlanks = " \n\r\t";
constexpr std::string_view kCallFence = "```";
constexpr std::size_t kMostInfo = 16;  // letters behind a fence: "json", "tool_call"

bool isInfo(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Reads a text from its beginning. Where it ends too early, it is `isShort`.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  bool isShort() const { return isShort_; }
  bool atEnd() const { return at_ == text_.size(); }

  void blanks() { at_ = std::min(text_.find_first_not_of(kCallBlanks, at_), text_.size()); }
  bool take(std::string_view token) {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with(token)) {
      at_ += token.size();
      return true;
    }
    isShort_ = isShort_ || token.starts_with(rest);
    return false;
  }
  // With blanks in front.
  bool takeNext(std::string_view token) {
    blanks();
    return take(token);
  }
  void info() {
    const std::size_t begin = at_;
    while (!atEnd() && at_ - begin < kMostInfo && isInfo(text_[at_])) ++at_;
    isShort_ = isShort_ || atEnd();
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool isShort_ = false;
};

// Such letters stand between two calls, or close them.
bool isJoint(char c) {
  return kCallBlanks.find(c) != kCallBlanks.npos || c == ',' || c == ']' || c == '`';
}

}  // namespace

BareCallReader::BareCallReader(std::span<const Tool> tools, bool several)
    : tools_(tools.begin(), tools.end()), several_(several), isOver_(tools.empty()) {}

BareCallReader::Told BareCallReader::push(std::string_view text) {
  Told told;
  if (isOver_) {
    told.text = text;
    return told;
  }
  held_ += text;
  Reading reading = Reading::kCall;
  while (reading == Reading::kCall) reading = read(told.calls);
  if (reading == Reading::kNo || held_.size() > kMostBytes) told.text = letGo();
  return told;
}

BareCallReader::Told BareCallReader::finish() {
  Told told;
  if (!isOver_) told.text = letGo();
  return told;
}

// Behind a call what closes it is not told.
std::string BareCallReader::letGo() {
  isOver_ = true;
  if (isBehindCall_) dropJoint();
  return std::exchange(held_, {});
}

void BareCallReader::dropJoint() {
  held_.erase(held_.begin(), std::ranges::find_if_not(held_, isJoint));
}

// Looks for the beginning of a call, and where its object begins.
BareCallReader::Reading BareCallReader::begin() {
  if (isBehindCall_) {
    dropJoint();
    if (held_.empty()) return Reading::kMore;
  }
  Scan scan(held_);
  if (isBehindCall_ || scan.takeNext(kCallFence)) {  // behind a call a fence may open anew
    scan.info();
  }
  scan.takeNext("[");
  scan.blanks();
  const std::size_t object = scan.at();
  bool isHead = scan.take("{") && (scan.blanks(), true);
  if (isHead && scan.take("\"type\""))
    isHead = scan.takeNext(":") && scan.takeNext("\"function\"") && scan.takeNext(",") &&
             (scan.blanks(), true);
  isHead = isHead && scan.take("\"name\"") && scan.takeNext(":") && (scan.blanks(), true);
  const bool isKnown = isHead && std::ranges::any_of(tools_, [&scan](const Tool& tool) {
                         return scan.take('"' + tool.name + '"');
                       });
  if (!isKnown) return scan.isShort() || scan.atEnd() ? Reading::kMore : Reading::kNo;
  object_ = {.begin = object, .read = object, .nesting = {}};
  return Reading::kCall;
}

// Takes a call off what is held, which it begins with.
BareCallReader::Reading BareCallReader::read(std::vector<AnswerPart>& calls) {
  if (!object_)
    if (const Reading begun = begin(); begun != Reading::kCall) return begun;
  bool isWhole = false;
  while (!isWhole && object_->read < held_.size())
    isWhole = object_->nesting.endsWith(held_[object_->read++]);
  if (!isWhole) return Reading::kMore;
  const Object object = *std::exchange(object_, std::nullopt);
  const auto call = OrderedJson::parse(held_.begin() + static_cast<std::ptrdiff_t>(object.begin),
                                       held_.begin() + static_cast<std::ptrdiff_t>(object.read),
                                       nullptr, /*allow_exceptions=*/false);
  if (!call.is_object() || !call.contains("name") || !call["name"].is_string()) return Reading::kNo;
  const auto name = call["name"].get<std::string>();
  const auto tool = std::ranges::find(tools_, name, &Tool::name);
  if (tool == tools_.end()) return Reading::kNo;  // the name stands there twice
  std::string arguments;
  for (const char* key : {"arguments", "parameters"})
    if (call.contains(key) && call[key].is_object() && arguments.empty())
      arguments = call[key].dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  if (arguments.empty() && tool->parameters.empty() && call.size() == 1) arguments = "{}";
  if (arguments.empty()) return Reading::kNo;
  held_.erase(0, object.read);
  if (isBehindCall_ && !several_) return Reading::kCall;
  calls.push_back({Kind::kCall, name});
  calls.push_back({Kind::kArguments, arguments});
  calls.push_back({Kind::kCallEnd});
  isBehindCall_ = true;
  return Reading::kCall;
}

}  // namespace waferpair::inference
