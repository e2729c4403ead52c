// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/testing/test_results.h"

#include <algorithm>

namespace waferpair::workbench {

TestState TestResult::state() const {
  TestState state = TestState::kNotRun;
  for (const TestOutcome& part : parts) {
    // One that is skipped with some of its data is not skipped.
    const bool isMixed = (state == TestState::kPassed && part.state == TestState::kSkipped) ||
                         (state == TestState::kSkipped && part.state == TestState::kPassed);
    state = isMixed ? TestState::kPassed : worse(state, part.state);
  }
  return state;
}

qint64 TestResult::ms() const {
  qint64 all = -1;
  for (const TestOutcome& part : parts)
    if (part.ms >= 0) all = std::max<qint64>(all, 0) + part.ms;
  return all;
}

QString TestResult::message() const {
  const TestState wanted = state();
  QStringList messages;
  for (const TestOutcome& part : parts) {
    if (part.state != wanted || part.message.isEmpty()) continue;
    messages.append(part.part.isEmpty() ? part.message
                                        : QStringLiteral("[%1] %2").arg(part.part, part.message));
  }
  return messages.join(u'\n').left(kMostOfOutput);
}

QString TestResult::output() const {
  QStringList outputs;
  for (const TestOutcome& part : parts)
    if (!part.output.isEmpty()) outputs.append(part.output);
  return outputs.join(u'\n').left(kMostOfOutput);
}

const TestOutcome* TestResult::place() const {
  const auto found = std::find_if(parts.begin(), parts.end(), [](const TestOutcome& part) {
    return part.state == TestState::kFailed && !part.path.isEmpty() && part.line > 0;
  });
  return found == parts.end() ? nullptr : &*found;
}

void TestResults::begin(const QVector<TestId>& wanted) {
  for (const TestId& each : wanted) forget(each);
  waiting_ = wanted;
  allWait_ = false;
}

void TestResults::beginAll() {
  results_.clear();
  waiting_.clear();
  allWait_ = true;
}

void TestResults::take(const TestOutcome& outcome) {
  const QString key = outcome.id.key();
  const auto known = results_.find(key);
  if (outcome.state == TestState::kNotRun) {  // how long it took, and nothing else
    if (known == results_.end()) return;
    for (TestOutcome& part : known->parts)
      if (part.part == outcome.part) part.ms = outcome.ms;
    return;
  }
  if (known == results_.end()) {
    results_.insert(key, {outcome.id, {outcome}});
    return;
  }
  QVector<TestOutcome>& parts = known->parts;
  const auto same = std::find_if(parts.begin(), parts.end(), [&](const TestOutcome& part) {
    return part.part == outcome.part || part.state == TestState::kRunning;
  });
  if (same != parts.end()) {
    // While it runs, CTest says more of how a program ended than it writes down.
    const bool keepsWords = outcome.id.framework == TestFramework::kCTest &&
                            same->state == outcome.state && !same->message.isEmpty();
    const QString words = keepsWords ? same->message : outcome.message;
    *same = outcome;
    same->message = words;
  } else if (parts.size() < TestResult::kMostParts) {
    parts.append(outcome);
  }
}

void TestResults::end() {
  waiting_.clear();
  allWait_ = false;
  results_.removeIf([](const std::pair<const QString&, TestResult&>& each) {
    return each.second.state() == TestState::kRunning;
  });
}

void TestResults::forget(const TestId& group) {
  results_.removeIf([&group](const std::pair<const QString&, TestResult&>& each) {
    return each.second.id.isIn(group);
  });
}

void TestResults::clear() {
  results_.clear();
  waiting_.clear();
  allWait_ = false;
}

const TestResult* TestResults::of(const TestId& id) const {
  const auto found = results_.constFind(id.key());
  return found == results_.cend() ? nullptr : &*found;
}

TestState TestResults::state(const TestId& id) const {
  if (const TestResult* known = of(id)) return known->state();
  const bool waits = allWait_ || std::any_of(waiting_.begin(), waiting_.end(),
                                             [&id](const TestId& each) { return id.isIn(each); });
  return waits ? TestState::kRunning : TestState::kNotRun;
}

QVector<TestId> TestResults::failed() const {
  QVector<TestId> failed;
  for (const TestResult& each : results_)
    if (each.state() == TestState::kFailed) failed.append(each.id);
  std::sort(failed.begin(), failed.end(),
            [](const TestId& a, const TestId& b) { return a.key() < b.key(); });
  return failed;
}

}  // namespace waferpair::workbench
