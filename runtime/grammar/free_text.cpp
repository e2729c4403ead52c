// SPDX-License-Identifier: GPL-3.0-or-later
// A rule for each beginning of an opening, which is what the text ends with so far (Aho and
// Corasick 1975): so a byte leads to one rule, and text of any length is matched without a stack.
#include "runtime/grammar/free_text.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <map>
#include <string>

namespace waferpair::grammar {
namespace {

class FreeText {
 public:
  FreeText(Builder& builder, std::span<const std::string_view> openings, Openings where,
           const std::optional<Sequence>& then, bool mayEnd)
      : builder_(builder), openings_(openings), where_(where), then_(then), mayEnd_(mayEnd) {
    for (const std::string_view opening : openings)
      for (const char c : opening) letters_.set(static_cast<std::uint8_t>(c));
  }

  Sequence make() {
    for (const std::string_view opening : openings_) {
      assert(!opening.empty());
      for (std::size_t size = 0; size < opening.size(); ++size)
        rules_.try_emplace(opening.substr(0, size), 0);
    }
    for (auto& [begun, rule] : rules_) rule = builder_.addRule("text " + std::string(begun));
    free_ = rules_.at("");
    if (where_ == Openings::kAtStart) free_ = builder_.addRule("text");
    for (const auto& [begun, rule] : rules_) add(std::string(begun), rule);
    if (where_ == Openings::kAtStart) {
      builder_.addAlternative(free_, joined(builder_.byte(ByteSet().set()), free_));
      builder_.addAlternative(free_, {});
    }
    return {Builder::ruleSymbol(rules_.at(""))};
  }

 private:
  static Sequence joined(Sequence first, std::int32_t rule) {
    first.push_back(Builder::ruleSymbol(rule));
    return first;
  }

  // The ways to go on where the text ends with `begun`.
  void add(const std::string& begun, std::int32_t rule) {
    std::map<std::int32_t, ByteSet> next;  // by rule
    next[free_] = ~letters_;
    for (int byte = 0; byte < 256; ++byte) {
      if (!letters_.test(static_cast<std::size_t>(byte))) continue;
      const std::string longer = begun + static_cast<char>(byte);
      if (!endsWithOpening(longer)) {
        next[after(longer)].set(static_cast<std::size_t>(byte));
      } else if (then_) {
        Sequence opened = builder_.byte(ByteSet().set(static_cast<std::size_t>(byte)));
        opened.insert(opened.end(), then_->begin(), then_->end());
        builder_.addAlternative(rule, opened);
      }
    }
    for (const auto& [to, bytes] : next)
      if (bytes.any()) builder_.addAlternative(rule, joined(builder_.byte(bytes), to));
    if (mayEnd_) builder_.addAlternative(rule, {});
  }

  bool endsWithOpening(std::string_view text) const {
    return std::ranges::any_of(openings_, [&](std::string_view opening) {
      return where_ == Openings::kAtStart ? text == opening : text.ends_with(opening);
    });
  }

  // The rule of the longest end of `text` that begins an opening.
  std::int32_t after(std::string_view text) const {
    for (std::size_t from = 0;; ++from) {
      const auto found = rules_.find(text.substr(from));
      if (found != rules_.end()) return from == text.size() ? free_ : found->second;
      if (where_ == Openings::kAtStart) return free_;
    }
  }

  Builder& builder_;
  std::span<const std::string_view> openings_;
  Openings where_;
  const std::optional<Sequence>& then_;
  bool mayEnd_;
  ByteSet letters_;                                 // that occur in openings
  std::map<std::string_view, std::int32_t> rules_;  // by what the text ends with
  std::int32_t free_ = 0;                           // nothing is begun
};

}  // namespace

Sequence freeText(Builder& builder, std::span<const std::string_view> openings, Openings where,
                  const std::optional<Sequence>& then) {
  return FreeText(builder, openings, where, then, /*mayEnd=*/true).make();
}

Sequence textUpTo(Builder& builder, std::string_view opening, const Sequence& then) {
  return FreeText(builder, {&opening, 1}, Openings::kAnywhere, then, /*mayEnd=*/false).make();
}

}  // namespace waferpair::grammar
