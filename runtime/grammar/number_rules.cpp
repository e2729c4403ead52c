// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/number_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::grammar {
namespace {

constexpr std::size_t kMostDecimals = 15;
constexpr double kMostWhole = static_cast<double>(JsonRules::kMostInteger);

// The digits behind the point, without zeros at the end; nothing where there are too many.
std::optional<std::string> decimalsOf(double value) {
  std::array<char, 512> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (end.ec != std::errc()) return std::nullopt;
  const std::string_view digits(text.data(), end.ptr);
  const std::size_t point = digits.find('.');
  if (point == digits.npos) return std::string();
  std::string decimals(digits.substr(point + 1));
  if (decimals.size() > kMostDecimals) return std::nullopt;
  return decimals;
}

// Makes numbers of 0 or more, in alternatives.
class Magnitudes {
 public:
  Magnitudes(Builder& builder, JsonRules& json) : builder_(builder), json_(json) {}

  // False where a bound has too many digits.
  bool addBetween(double low, bool above, double high, bool below) {
    if (!(low <= high)) return true;
    high = std::min(high, kMostWhole);
    low = std::min(low, kMostWhole);
    const double lowWhole = std::floor(low), highWhole = std::floor(high);
    const auto lowDecimals = decimalsOf(low), highDecimals = decimalsOf(high);
    if (!lowDecimals || !highDecimals) return false;
    const bool fromWhole = lowDecimals->empty() && !above;
    if (lowWhole == highWhole) {
      addFractions(lowWhole, *lowDecimals, above, *highDecimals, below, /*capped=*/true);
      return true;
    }
    const double first = fromWhole ? lowWhole : lowWhole + 1;
    if (!fromWhole) addFractions(lowWhole, *lowDecimals, above, {}, false, /*capped=*/false);
    if (first <= highWhole - 1)
      all_.push_back(joined({whole(first, highWhole - 1), builder_.optional(fraction())}));
    addFractions(highWhole, {}, false, *highDecimals, below, /*capped=*/true);
    return true;
  }
  const std::vector<Sequence>& all() const { return all_; }

 private:
  Sequence whole(double low, double high) {
    return json_.integerBetween(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high));
  }
  Sequence digit(char from, char to) {
    return builder_.characters(
        {{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)}});
  }
  Sequence anyDigits(std::size_t behind) {
    return builder_.repeat(digit('0', '9'), 0, static_cast<int>(kMostDecimals - behind));
  }
  Sequence fraction() { return joined({builder_.literal("."), digit('0', '9'), anyDigits(1)}); }

  // Of the numbers with this whole part those whose decimals are above `low` and, with `capped`,
  // below `high`, or these themselves where `above` and `below` do not say otherwise.
  void addFractions(double wholePart, const std::string& low, bool above, const std::string& high,
                    bool below, bool capped) {
    std::vector<Sequence> behind, decimals;
    if (low.empty() && !above && (!capped || !high.empty() || !below)) {
      behind.push_back({});
      if (capped && high.empty()) behind.push_back(builder_.literal(".0"));
    }
    addDecimals({}, low, above, high, below, capped, decimals);
    if (!decimals.empty())
      behind.push_back(joined({builder_.literal("."), builder_.anyOf(decimals)}));
    if (!behind.empty())
      all_.push_back(joined({whole(wholePart, wholePart), builder_.anyOf(behind)}));
  }

  // The same for decimals that begin with `begun`; `low` and `high` are what is left of the bounds
  // behind that.
  void addDecimals(const std::string& begun, const std::string& low, bool above,
                   const std::string& high, bool below, bool capped, std::vector<Sequence>& all) {
    if (begun.size() >= kMostDecimals || (capped && high.empty())) return;
    const char from = low.empty() ? '0' : low[0];
    const char to = capped ? high[0] : '9';
    if (from > to) return;
    const std::string lowRest = low.empty() ? low : low.substr(1);
    const std::string highRest = capped ? high.substr(1) : high;
    const bool mayBeLow = lowRest.empty() && !above;  // these digits, and none behind them
    const bool mayBeHigh = !highRest.empty() || !below;
    const auto exactly = [&](char one) { all.push_back(builder_.literal(begun + one)); };
    const auto freely = [&](char first, char last) {
      all.push_back(
          joined({builder_.literal(begun), digit(first, last), anyDigits(begun.size() + 1)}));
    };
    if (capped && from == to) {
      if (mayBeLow && mayBeHigh) exactly(from);
      return addDecimals(begun + from, lowRest, above, highRest, below, true, all);
    }
    if (mayBeLow)
      freely(from, from);
    else
      addDecimals(begun + from, lowRest, above, {}, false, /*capped=*/false, all);
    const char lastFree = static_cast<char>(capped ? to - 1 : to);
    if (from < lastFree) freely(static_cast<char>(from + 1), lastFree);
    if (!capped) return;
    if (mayBeHigh) exactly(to);
    addDecimals(begun + to, {}, false, highRest, below, true, all);
  }

  Builder& builder_;
  JsonRules& json_;
  std::vector<Sequence> all_;
};

}  // namespace

void NumberBounds::atLeast(double bound, bool above) {
  if (bound < low) return;
  aboveLow = bound > low ? above : aboveLow || above;
  low = bound;
}

void NumberBounds::atMost(double bound, bool below) {
  if (bound > high) return;
  belowHigh = bound < high ? below : belowHigh || below;
  high = bound;
}

std::optional<Sequence> numberBetween(Builder& builder, JsonRules& json, const NumberBounds& b) {
  Magnitudes negative(builder, json), positive(builder, json);
  if (b.low < 0) {
    const bool reachesZero = b.high >= 0;  // which is written without a sign
    if (!negative.addBetween(reachesZero ? 0 : -b.high, reachesZero || b.belowHigh, -b.low,
                             b.aboveLow))
      return std::nullopt;
  }
  if (b.high >= 0) {
    const bool fromZero = b.low < 0;
    if (!positive.addBetween(fromZero ? 0 : b.low, !fromZero && b.aboveLow, b.high, b.belowHigh))
      return std::nullopt;
  }
  std::vector<Sequence> all = positive.all();
  if (!negative.all().empty())
    all.push_back(joined({builder.literal("-"), builder.anyOf(negative.all())}));
  if (all.empty()) return std::nullopt;
  return builder.anyOf(all);
}

std::optional<Sequence> multiplesOf(Builder& builder, std::int64_t of) {
  if (of < 1 || of > kMostMultiple) return std::nullopt;
  // For each number of digits that may follow, a rule for each remainder of those before; none
  // where no multiple comes of it.
  constexpr std::int32_t kNone = -1;
  std::vector<std::int32_t> behind(static_cast<std::size_t>(of), kNone);
  const auto goOn = [&](std::int32_t& rule, std::int64_t remainder, int from) {
    for (int digit = from; digit < 10; ++digit) {
      const auto next = static_cast<std::size_t>((remainder * 10 + digit) % of);
      if (behind[next] == kNone) continue;
      if (rule == kNone) rule = builder.addRule("remainder " + std::to_string(remainder));
      builder.addAlternative(rule, joined({builder.literal(std::to_string(digit)),
                                           {Builder::ruleSymbol(behind[next])}}));
    }
  };
  for (int left = 0; left < JsonRules::kMostDigits && !builder.tooLarge(); ++left) {
    std::vector<std::int32_t> here(behind.size(), kNone);
    here[0] = builder.addRule("remainder 0");
    builder.addAlternative(here[0], {});
    for (std::int64_t i = 0; i < of; ++i) goOn(here[static_cast<std::size_t>(i)], i, 0);
    behind = std::move(here);
  }
  std::int32_t begin = builder.addRule("multiple");
  goOn(begin, 0, 1);
  return builder.anyOf({builder.literal("0"), joined({builder.optional(builder.literal("-")),
                                                      {Builder::ruleSymbol(begin)}})});
}

}  // namespace waferpair::grammar
