// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a project's tests from their runs. Values.
#pragma once

#include <QHash>
#include <QSet>

#include "workbench/testing/test_outcome.h"

namespace waferpair::workbench {

// A test, and what became of it with each of its data.
struct TestResult {
  TestId id;
  QVector<TestOutcome> parts;  // not empty; at most kMostParts

  static constexpr qsizetype kMostParts = 1000;

  TestState state() const;
  qint64 ms() const;        // of all parts; negative: it is not known
  QString message() const;  // what is wrong with the parts that failed, or were skipped
  QString output() const;
  // The first part that failed and knows where; null: there is none.
  const TestOutcome* place() const;
};

class TestResults {
 public:
  // These are to be run: what was known of them, and of what is in them, is forgotten.
  void begin(const QVector<TestId>& wanted);
  // All are.
  void beginAll();
  void take(const TestOutcome& outcome);
  // What was to be run and has not told is not run.
  void end();
  // What is known of these, and of what is in them, is forgotten.
  void forget(const TestId& group);
  void clear();

  // Null: it was not run.
  const TestResult* of(const TestId& id) const;
  // Of itself, not of what is in it; kRunning also where it waits for its turn.
  TestState state(const TestId& id) const;
  const QHash<QString, TestResult>& all() const { return results_; }
  // Tests, not groups, that have failed.
  QVector<TestId> failed() const;

 private:
  QHash<QString, TestResult> results_;  // by key
  QVector<TestId> waiting_;
  bool allWait_ = false;
};

}  // namespace waferpair::workbench
