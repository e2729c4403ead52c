// SPDX-License-Identifier: GPL-3.0-or-later
// How fast a model reads prompts on this computer, and how long a prompt may be that is read while
// somebody waits for the first word behind it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace waferpair::inference {

class ReadingPace {
 public:
  // Until something was measured, a pace is assumed as of two cores.
  explicit ReadingPace(std::uint64_t parameters)
      : perSecond_(kProductsASecond / static_cast<double>(std::max<std::uint64_t>(1, parameters))) {
  }

  // So many tokens of a prompt were read in that time.
  void add(int tokens, double ms) {
    if (tokens < kFewest || ms <= 0) return;  // the step's own cost
    const double now = tokens / ms * 1000;
    perSecond_ = isMeasured_ ? perSecond_ + kNew * (now - perSecond_) : now;
    isMeasured_ = true;
  }

  double perSecond() const { return perSecond_; }  // tokens
  bool isSlow(int tokens) const { return tokens > kPatience * perSecond_; }

  // Sizes of short prompts, in tokens: powers of two.
  static constexpr std::size_t kShortestBrief = 64, kLongestBrief = 1024;
  // The one that is read soon enough.
  std::size_t soon() const {
    const double tokens =
        std::clamp(kSoon * perSecond_, double{kShortestBrief}, double{kLongestBrief});
    return std::bit_floor(static_cast<std::size_t>(tokens));
  }

 private:
  static constexpr double kProductsASecond = 2e11;
  static constexpr int kFewest = 16;
  static constexpr double kNew = 0.25;                    // share of the latest measurement
  static constexpr double kPatience = 0.25, kSoon = 0.3;  // seconds

  double perSecond_;
  bool isMeasured_ = false;
};

}  // namespace waferpair::inference
