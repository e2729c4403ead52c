// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of what became of suggestions. Values.
#pragma once

#include <QMap>
#include <QtGlobal>
#include <optional>

namespace waferpair::editor {

// Times that things took, as counts in steps of 15 %: of any number of them, a median or the like
// is known to half a step.
class LatencyCounts {
 public:
  void add(double milliseconds);
  // The time that this share of them, 0 to 1, took at most; nothing: there are none.
  std::optional<double> percentile(double share) const;

  LatencyCounts& operator+=(const LatencyCounts& other);
  bool operator==(const LatencyCounts&) const = default;

  // The number of times in each step, for a file.
  const QMap<int, qint64>& steps() const { return steps_; }
  // Steps and counts that cannot be are left out.
  static LatencyCounts fromSteps(const QMap<int, qint64>& steps);

 private:
  QMap<int, qint64> steps_;
};

struct SuggestionFigures {
  qint64 shown = 0;
  qint64 accepted = 0;    // some of it, or all
  qint64 retained = 0;    // of the accepted: all that was accepted was there a while later
  qint64 dismissed = 0;   // by key
  LatencyCounts latency;  // from the key to the first picture

  SuggestionFigures& operator+=(const SuggestionFigures& other);
  bool operator==(const SuggestionFigures&) const = default;
};

}  // namespace waferpair::editor
