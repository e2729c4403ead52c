// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a model is quick enough to suggest as one types, by what its last suggestions took.
#pragma once

#include <QVector>
#include <algorithm>
#include <optional>

namespace waferpair::gui {

class TypingPace {
 public:
  void add(double firstTokenMs) {
    last_.append(firstTokenMs);
    if (last_.size() > kLooked) last_.removeFirst();
  }
  void clear() { last_.clear(); }

  // How many seconds its first word takes, where that is too long; nothing where it is not, or too
  // little is known.
  std::optional<double> slowSeconds() const {
    if (last_.size() < kLooked) return std::nullopt;
    QVector<double> sorted = last_;
    std::sort(sorted.begin(), sorted.end());
    const double median = sorted[kLooked / 2];
    return median > kSlowMs ? std::optional(median / 1000) : std::nullopt;
  }

 private:
  static constexpr qsizetype kLooked = 5;
  // One has typed on by then.
  static constexpr double kSlowMs = 1'000;

  QVector<double> last_;
};

}  // namespace waferpair::gui
