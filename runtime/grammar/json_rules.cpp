// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/json_rules.h"

#include <algorithm>
#include <cstdio>

namespace waferpair::grammar {
namespace {

constexpr std::uint32_t kControl = 0x1f;

// Returns the escape of a character that a string cannot hold as it is.
std::string escaped(std::uint32_t character) {
  switch (character) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  char text[7];
  std::snprintf(text, sizeof text, "\\u%04x", character & kControl);
  return text;
}

}  // namespace

Sequence joined(const std::vector<Sequence>& parts) {
  Sequence all;
  for (const Sequence& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

template <typename Make>
Sequence JsonRules::rule(const char* name, Make make) {
  const auto [it, isNew] = rules_.try_emplace(name);
  if (isNew) {
    const std::int32_t index = it->second = builder_.addRule(name);
    builder_.addAlternative(index, make());
    return {Builder::ruleSymbol(index)};
  }
  return {Builder::ruleSymbol(it->second)};
}

Sequence JsonRules::oneOf(std::string_view all) {
  std::vector<CharacterRange> ranges;
  for (const char c : all) {
    const auto character = static_cast<std::uint32_t>(c);
    ranges.push_back({character, character});
  }
  return builder_.characters(ranges);
}

Sequence JsonRules::space() {
  return rule("space", [&] {
    return builder_.anyOf(
        {{},
         builder_.literal(" "),
         joined({builder_.literal("\n"), builder_.repeat(builder_.literal(" "), 0, 32)})});
  });
}

Sequence JsonRules::character() {
  return rule("character", [&] {
    const Sequence hex = builder_.characters({{'0', '9'}, {'a', 'f'}, {'A', 'F'}});
    const Sequence highest =
        builder_.characters({{'0', '9'}, {'a', 'c'}, {'e', 'f'}, {'A', 'C'}, {'E', 'F'}});
    const Sequence d = builder_.characters({{'d', 'd'}, {'D', 'D'}});
    const Sequence low = builder_.characters({{'0', '7'}});
    return builder_.anyOf(
        {builder_.characters(complement({{0, kControl}, {'"', '"'}, {'\\', '\\'}})),
         joined({builder_.literal("\\"), oneOf("\"\\/bfnrt")}),
         joined({builder_.literal("\\u"), highest, hex, hex, hex}),
         joined({builder_.literal("\\u"), d, low, hex, hex}),
         joined({builder_.literal("\\u"), d, oneOf("89abAB"), hex, hex, builder_.literal("\\u"), d,
                 oneOf("cdefCDEF"), hex, hex})});
  });
}

Sequence JsonRules::characterOf(const std::vector<CharacterRange>& ranges) {
  std::vector<CharacterRange> others = complement(ranges);
  others.insert(others.end(), {{0, kControl}, {'"', '"'}, {'\\', '\\'}});
  std::vector<Sequence> all;
  if (const auto plain = complement(others); !plain.empty())
    all.push_back(builder_.characters(plain));
  const std::vector<CharacterRange> sorted = merged(ranges);
  const auto escape = [&](std::uint32_t character) {
    for (const CharacterRange& range : sorted)
      if (range.first <= character && character <= range.last)
        all.push_back(builder_.literal(escaped(character)));
  };
  for (std::uint32_t control = 0; control <= kControl; ++control) escape(control);
  escape('"');
  escape('\\');
  return all.empty() ? Sequence() : builder_.group(builder_.anyOf(all));
}

Sequence JsonRules::quoted(const Sequence& characters) {
  return joined({builder_.literal("\""), characters, builder_.literal("\"")});
}

Sequence JsonRules::string(int least, int most) {
  return quoted(builder_.repeat(character(), least, most));
}

Sequence JsonRules::anyString() {
  return rule("string", [&] { return string(0, Builder::kNoLimit); });
}

Sequence JsonRules::digits(int count) {
  return builder_.repeat(builder_.characters({{'0', '9'}}), count, count);
}

Sequence JsonRules::integer() {
  return rule("integer", [&] {
    const Sequence digit = builder_.characters({{'0', '9'}});
    return joined({builder_.optional(builder_.literal("-")),
                   builder_.anyOf({builder_.literal("0"),
                                   joined({builder_.characters({{'1', '9'}}),
                                           builder_.repeat(digit, 0, kMostDigits - 1)})})});
  });
}

Sequence JsonRules::integerBetween(std::int64_t low, std::int64_t high) {
  std::vector<Sequence> all;
  if (low < 0)
    all.push_back(
        joined({builder_.literal("-"), magnitudes(std::max<std::int64_t>(1, -high), -low)}));
  if (high >= 0) all.push_back(magnitudes(std::max<std::int64_t>(0, low), high));
  return builder_.anyOf(all);
}

// Returns the numbers without sign, by number of digits.
Sequence JsonRules::magnitudes(std::int64_t low, std::int64_t high) {
  std::vector<Sequence> all;
  std::int64_t first = 0;  // the least of so many digits
  for (std::int64_t end = 10; first <= high; first = end, end *= 10) {
    const std::int64_t from = std::max(first, low), to = std::min(end - 1, high);
    if (from <= to) all.push_back(digitsBetween(std::to_string(from), std::to_string(to)));
  }
  return builder_.anyOf(all);
}

// Two numbers of equally many digits, leading zeros among them.
Sequence JsonRules::digitsBetween(const std::string& low, const std::string& high) {
  if (low.empty()) return {};
  const std::size_t rest = low.size() - 1;
  if (low == std::string(low.size(), '0') && high == std::string(high.size(), '9'))
    return digits(static_cast<int>(low.size()));
  const auto digit = [&](char from, char to) {
    return builder_.characters(
        {{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)}});
  };
  if (low[0] == high[0])
    return joined({digit(low[0], low[0]), digitsBetween(low.substr(1), high.substr(1))});
  std::vector<Sequence> all;
  all.push_back(
      joined({digit(low[0], low[0]), digitsBetween(low.substr(1), std::string(rest, '9'))}));
  if (low[0] + 1 < high[0])
    all.push_back(joined({digit(static_cast<char>(low[0] + 1), static_cast<char>(high[0] - 1)),
                          digits(static_cast<int>(rest))}));
  all.push_back(
      joined({digit(high[0], high[0]), digitsBetween(std::string(rest, '0'), high.substr(1))}));
  return builder_.anyOf(all);
}

Sequence JsonRules::number() {
  return rule("number", [&] {
    const Sequence digit = builder_.characters({{'0', '9'}});
    return joined(
        {integer(),
         builder_.optional(joined({builder_.literal("."), builder_.repeat(digit, 1, kMostDigits)})),
         builder_.optional(
             joined({oneOf("eE"), builder_.optional(oneOf("+-")), builder_.repeat(digit, 1, 2)}))});
  });
}

Sequence JsonRules::boolean() {
  return builder_.anyOf({builder_.literal("true"), builder_.literal("false")});
}

Sequence JsonRules::null() { return builder_.literal("null"); }

Sequence JsonRules::anyValue() {
  return rule("value", [&] {
    return builder_.anyOf({anyString(), number(), boolean(), null(),
                           array(anyValue(), 0, Builder::kNoLimit), object(anyValue())});
  });
}

Sequence JsonRules::array(const Sequence& item, int least, int most) {
  const Sequence next = joined({builder_.literal(","), space(), item});
  const int others = most == Builder::kNoLimit ? most : most - 1;
  Sequence items = most == 0
                       ? Sequence()
                       : joined({item, builder_.repeat(next, std::max(0, least - 1), others)});
  if (least == 0) items = builder_.optional(items);
  return joined({builder_.literal("["), space(), items, space(), builder_.literal("]")});
}

Sequence JsonRules::object(const Sequence& value) {
  const Sequence member = joined({anyString(), builder_.literal(":"), space(), value});
  const Sequence next = joined({builder_.literal(","), space(), member});
  return braces(builder_.optional(joined({member, builder_.repeat(next, 0, Builder::kNoLimit)})));
}

Sequence JsonRules::braces(const Sequence& members) {
  return joined({builder_.literal("{"), space(), members, space(), builder_.literal("}")});
}

}  // namespace waferpair::grammar
