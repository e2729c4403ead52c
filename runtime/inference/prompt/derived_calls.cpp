// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/derived_calls.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace waferpair::inference {
namespace {

// Texts that are looked for in what is rendered; ids are of a form that all templates take.
constexpr std::string_view kAsked = "needle7text";
constexpr std::string_view kSaid = "needle7said";
constexpr std::string_view kTool = "needle7tool", kOtherTool = "needle8tool";
constexpr std::string_view kId = "needle7id", kOtherId = "needle8id";
// Arguments, in the order in which templates that sort them have them.
constexpr std::string_view kKeys[] = {"needle7key", "needle8key", "needle9key"};
constexpr std::string_view kValues[] = {"needle7value", "needle8value", "70707"};
constexpr std::string_view kBlankBytes = " \t\r\n";

std::string_view trimmedLeft(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlankBytes), text.size()));
}

std::string_view trimmedRight(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlankBytes) + 1);
}

bool isBlank(std::string_view text) { return trimmedLeft(text).empty(); }

std::string_view between(std::string_view text, std::size_t first, std::size_t last) {
  return text.substr(first, last - first);
}

// Where the one stops being the other, but not within a tag or a marker.
std::size_t commonBeginning(std::string_view one, std::string_view other) {
  std::size_t common = 0;
  while (common < one.size() && common < other.size() && one[common] == other[common]) ++common;
  const std::string_view before = one.substr(0, common);
  for (const auto& [open, close] : {std::pair('<', '>'), std::pair('[', ']')}) {
    const std::size_t begun = before.rfind(open);
    if (begun != before.npos && before.find(close, begun) == before.npos) common = begun;
  }
  return common;
}

std::size_t commonEnd(std::string_view one, std::string_view other) {
  std::size_t common = 0;
  while (common < std::min(one.size(), other.size()) &&
         one[one.size() - 1 - common] == other[other.size() - 1 - common])
    ++common;
  return common;
}

// Ids are whatever the model makes up.
std::string withoutIds(std::string_view text) {
  std::string wild(text);
  for (const std::string_view id : {kId, kOtherId})
    for (std::size_t at; (at = wild.find(id)) != wild.npos;)
      wild.replace(at, id.size(), 1, grammar::kIdMark);
  return wild;
}

// What stands at the same place of a first and a second call: where only numbers differ, they count
// the calls, and are as ids.
std::string withoutCount(std::string_view first, std::string_view second) {
  if (first == second) return std::string(first);
  constexpr std::string_view kDigits = "0123456789";
  const auto isNumber = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of(kDigits) == text.npos;
  };
  const std::size_t end = commonEnd(first, second);
  const std::size_t begin =
      static_cast<std::size_t>(std::ranges::mismatch(first.substr(0, first.size() - end),
                                                     second.substr(0, second.size() - end))
                                   .in1 -
                               first.begin());
  if (!isNumber(first.substr(begin, first.size() - end - begin)) ||
      !isNumber(second.substr(begin, second.size() - end - begin)))
    return std::string(first);
  return std::string(first.substr(0, begin)) + grammar::kIdMark +
         std::string(first.substr(first.size() - end));
}

// Where a call stands in a text.
struct CallPlace {
  std::size_t name, behindName, arguments, end;
};

// The name, and behind it arguments as JSON, that begin with the key.
std::optional<CallPlace> placeOfNamed(std::string_view text, std::size_t from,
                                      std::string_view tool, std::string_view key) {
  const std::size_t name = text.find(tool, from);
  if (name == text.npos) return std::nullopt;
  const std::size_t behind = name + tool.size(), at = text.find(key, behind);
  if (at == text.npos) return std::nullopt;
  const std::size_t open = text.rfind('{', at);
  if (open == text.npos || open < behind ||
      between(text, behind, open).find('{') != std::string_view::npos)
    return std::nullopt;
  if (between(text, open + 1, at).find_first_not_of(" \t\r\n\"") != text.npos) return std::nullopt;
  const std::size_t close = text.find('}', at);
  if (close == text.npos) return std::nullopt;
  return CallPlace{name, behind, open, close + 1};
}

// The name, and behind it all keys and values in their order; `arguments` is the first key.
struct TaggedCall : CallPlace {
  std::string_view keyEnd, jsonKeyEnd;  // between a key and its value
  std::string_view next;                // between a value and the next key
};
std::optional<TaggedCall> placeOfTagged(std::string_view text, std::size_t from) {
  const std::size_t name = text.find(kTool, from);
  if (name == text.npos) return std::nullopt;
  TaggedCall call{{name, name + kTool.size(), 0, name + kTool.size()}, {}, {}, {}};
  for (std::size_t i = 0; i < std::size(kKeys); ++i) {
    const std::size_t key = text.find(kKeys[i], call.end);
    if (key == text.npos) return std::nullopt;
    const std::size_t behindKey = key + kKeys[i].size(), value = text.find(kValues[i], behindKey);
    if (value == text.npos) return std::nullopt;
    const bool isJson = i + 1 == std::size(kKeys);
    std::string_view& keyEnd = isJson ? call.jsonKeyEnd : call.keyEnd;
    if (i == 1 && keyEnd != between(text, behindKey, value)) return std::nullopt;
    keyEnd = between(text, behindKey, value);
    if (i == 0)
      call.arguments = key;
    else if (i > 1 && call.next != between(text, call.end, key))
      return std::nullopt;
    else
      call.next = between(text, call.end, key);
    call.end = value + kValues[i].size();
  }
  return call;
}

class Derivation {
 public:
  Derivation(const TrialRendering& render, const std::optional<ThinkingTags>& thinking)
      : render_(render), thinking_(thinking) {
    const ChatMessage talk[] = {user_, {.role = ChatRole::kAssistant, .text = std::string(kSaid)}};
    begun_ = render_({talk, 1}, tools_, true);
    const std::string said = render_(talk, tools_, false);
    if (const std::size_t at = said.find(kSaid); at != said.npos)
      ended_ = said.substr(at + kSaid.size());
  }

  std::optional<DerivedCalls> derived() const {
    if (!ended_) return std::nullopt;
    auto calls = named();
    return calls ? calls : tagged();
  }

 private:
  static ToolCall callOf(std::string_view id, std::string_view tool, std::size_t arguments) {
    std::string text = "{";
    for (std::size_t i = 0; i < arguments; ++i) {
      const bool isJson = i + 1 == std::size(kKeys);
      const std::string value(kValues[i]);
      text += (i > 0 ? ", \"" : "\"") + std::string(kKeys[i]) +
              "\": " + (isJson ? value : "\"" + value + "\"");
    }
    return {.id = std::string(id), .name = std::string(tool), .arguments = text + "}"};
  }
  std::string rendered(std::vector<ToolCall> calls) const {
    const ChatMessage talk[] = {user_, {.role = ChatRole::kAssistant, .calls = std::move(calls)}};
    return render_(talk, tools_, false);
  }

  // Sets what stands in front of the name, and behind the call, which are of what is rendered of
  // one call. False: no call could be told from text by that.
  bool setAround(DerivedCalls& calls, std::string_view before, std::string_view behind) const {
    if (thinking_)
      if (const std::size_t thought = before.rfind(thinking_->close); thought != before.npos)
        before.remove_prefix(thought + thinking_->close.size());
    before = trimmedLeft(before);
    // A tag, or a marker, is told apart from text by itself.
    const char close = before.starts_with('<') ? '>' : before.starts_with('[') ? ']' : '\0';
    const std::size_t tag = close == '\0' ? before.npos : before.find(close);
    const std::size_t size = tag == before.npos ? before.size() : tag + 1;
    calls.opening = before.substr(0, size);
    calls.lead = withoutIds(before.substr(size));
    // What ends a message is none of the call.
    calls.closing =
        withoutIds(trimmedRight(behind.substr(0, behind.size() - commonEnd(*ended_, behind))));
    return !calls.opening.empty() && withoutIds(calls.opening) == calls.opening;
  }
  void setJoint(DerivedCalls& calls, std::string_view joint) const {
    const std::string_view ended = trimmedRight(trimmedLeft(*ended_));
    if (ended.empty() || joint.find(ended) == joint.npos) calls.joint = withoutIds(joint);
    if (calls.joint.ends_with(grammar::kIdMark)) calls.joint.clear();
  }

  std::optional<DerivedCalls> named() const {
    const std::string one = rendered({callOf(kId, kTool, 1)});
    const std::string_view text = one;
    const std::size_t from = commonBeginning(text, begun_);
    const auto place = placeOfNamed(text, from, kTool, kKeys[0]);
    DerivedCalls calls;
    if (!place || !setAround(calls, between(text, from, place->name), text.substr(place->end)))
      return std::nullopt;
    const std::string_view behindName = between(text, place->behindName, place->arguments);
    calls.between = withoutIds(behindName);
    const std::string both = rendered({callOf(kId, kTool, 1), callOf(kOtherId, kOtherTool, 1)});
    const auto first = placeOfNamed(both, from, kTool, kKeys[0]);
    const auto second = first ? placeOfNamed(both, first->end, kOtherTool, kKeys[0]) : std::nullopt;
    if (!second) return calls;
    setJoint(calls, between(both, first->end, second->name));
    calls.between = withoutCount(calls.between,
                                 withoutIds(between(both, second->behindName, second->arguments)));
    return calls;
  }

  std::optional<DerivedCalls> tagged() const {
    const std::string one = rendered({callOf(kId, kTool, std::size(kKeys))});
    const std::string_view text = one;
    const std::size_t from = commonBeginning(text, begun_);
    const auto place = placeOfTagged(text, from);
    if (!place) return std::nullopt;
    DerivedCalls calls;
    calls.tagged = true;
    const std::string_view front = between(text, place->behindName, place->arguments);
    calls.key = front.substr(std::min(front.rfind('<'), front.size()));
    calls.between = front.substr(0, front.size() - calls.key.size());
    calls.keyEnd = place->keyEnd;
    calls.jsonKeyEnd = place->jsonKeyEnd;
    std::string_view next = place->next;
    if (calls.key.empty() || calls.keyEnd.empty() || calls.jsonKeyEnd.empty() ||
        !next.ends_with(calls.key))
      return std::nullopt;
    next.remove_suffix(calls.key.size());
    calls.valueEnd = next.substr(0, next.rfind('>') + 1);
    calls.behindValue = next.substr(calls.valueEnd.size());
    if (calls.valueEnd.find('<') == std::string::npos || !isBlank(calls.behindValue))
      return std::nullopt;
    std::string_view behind = text.substr(place->end);
    if (!takeValueEnd(calls, behind) || !setAround(calls, between(text, from, place->name), behind))
      return std::nullopt;
    // A call ends with a tag, and its name stands behind one.
    if (calls.closing.find('>') == std::string::npos || !calls.closing.starts_with('<') ||
        calls.closing.starts_with(calls.key) ||
        (calls.opening + calls.lead).find('<') == std::string::npos)
      return std::nullopt;
    const std::string both =
        rendered({callOf(kId, kTool, std::size(kKeys)), callOf(kOtherId, kOtherTool, 1)});
    const auto first = placeOfTagged(both, from);
    const std::size_t second = first ? both.find(kOtherTool, first->end) : both.npos;
    if (second == both.npos) return calls;
    std::string_view joint = between(both, first->end, second);
    if (takeValueEnd(calls, joint)) setJoint(calls, joint);
    return calls;
  }

  // Takes the end of a value from the front of a text. False: there is none.
  static bool takeValueEnd(const DerivedCalls& calls, std::string_view& text) {
    if (!text.starts_with(calls.valueEnd)) return false;
    text.remove_prefix(calls.valueEnd.size());
    if (text.starts_with(calls.behindValue)) text.remove_prefix(calls.behindValue.size());
    return true;
  }

  const TrialRendering& render_;
  const std::optional<ThinkingTags>& thinking_;
  const ChatMessage user_{.text = std::string(kAsked)};
  const Tool tools_[2] = {
      {.name = std::string(kTool), .description = "It looks.", .parameters = {}},
      {.name = std::string(kOtherTool), .description = "It looks.", .parameters = {}}};
  std::string begun_;                 // with the beginning of the assistant's message
  std::optional<std::string> ended_;  // what stands behind the text of a message
};

}  // namespace

std::optional<DerivedCalls> deriveCalls(const TrialRendering& render,
                                        const std::optional<ThinkingTags>& thinking) {
  return Derivation(render, thinking).derived();
}

}  // namespace waferpair::inference
