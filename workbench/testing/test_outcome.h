// SPDX-License-Identifier: GPL-3.0-or-later
// What became of a test that was run. Values.
#pragma once

#include "workbench/testing/test_item.h"

namespace waferpair::workbench {

enum class TestState { kNotRun, kRunning, kPassed, kSkipped, kFailed };

inline constexpr qsizetype kMostOfOutput = 64 << 10;  // UTF-16 units of what one test printed

struct TestOutcome {
  TestId id;
  TestState state = TestState::kNotRun;
  qint64 ms = -1;   // negative: it is not known
  QString message;  // what is wrong, or why it was skipped; may have several lines
  QString path;     // absolute: where it went wrong; empty: that is not known
  int line = 0;     // from 1
  QString output;   // of the test alone
  QString part;     // of a test that is run with several data: which of them

  bool operator==(const TestOutcome&) const = default;
};

// Returns the worse of two, the one that there is more to say about.
inline TestState worse(TestState a, TestState b) { return a > b ? a : b; }

}  // namespace waferpair::workbench
