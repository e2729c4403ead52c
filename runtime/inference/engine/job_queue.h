// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which job computes next. This is the policy alone, without threads: Engine holds the lock
// around it.
//
// The queue is asked again before every step of the model, so more urgent jobs preempt others
// between two steps. In order:
//   1. cancelled jobs, to be ended (they cost no step),
//   2. interactive before background; but after kInteractiveTurns in a row background jobs that
//      could run have one,
//   3. jobs that have begun before those that have not: all of one priority share the step, up to a
//      given number,
//   4. the client whose last job began longest ago, and of its jobs the oldest.
// A job that was held takes no part until another has ended, nor does any of its priority begin.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/inference/ids.h"

namespace waferpair::inference {

enum class Priority { kInteractive, kBackground };

// A job as the policy knows it. Guarded by the queue's lock.
struct QueuedJob {
  JobId id = 0;
  ClientId client = 0;
  Priority priority = Priority::kBackground;
  // Not empty: a newer job of the same client and document, as urgent or more, replaces it.
  std::string document;
  bool givesWay = false;  // to completions of other engines, with which it shares cores
  bool begun = false;
  bool held = false;
  bool cancelled = false;
  bool stale = false;  // cancelled because its document moved on before it began
  virtual ~QueuedJob() = default;
};

struct QueueDepth {
  int running = 0;      // begun and not ended
  int interactive = 0;  // waiting
  int background = 0;   // waiting
  bool operator==(const QueueDepth&) const = default;
};

// The jobs whose turn it is.
struct Turn {
  std::vector<std::shared_ptr<QueuedJob>> jobs;
  bool cancelled = false;  // they are to be ended
};

// Not thread-safe.
class JobQueue {
 public:
  // Cancels older jobs of the same client and document that are no more urgent.
  void add(std::shared_ptr<QueuedJob> job);
  // Marks for the worker; of an unknown job, nothing. True if there was one.
  bool cancel(JobId id);
  void cancelAllOf(ClientId client);
  void cancelAll();
  // The document moved on: its job is of no use unless it has begun.
  void cancelUnbegun(ClientId client, const std::string& document);

  // Puts into `turn` the jobs that should have the next step, at most `most`, or should be ended;
  // none if there are no jobs. Marks the former as begun.
  void pick(int most, Turn& turn);
  // Holds a job that cannot go on beside the others under way. At least one is not held.
  void hold(JobId id);
  // Returns the jobs that have not begun and are not cancelled, in the order in which they will
  // begin if none comes or goes.
  std::vector<std::shared_ptr<QueuedJob>> waiting() const;
  void remove(JobId id);

  static constexpr int kInteractiveTurns = 31;

  bool empty() const { return jobs_.empty(); }
  // There is one that does not give way.
  bool isAtWork() const;
  QueueDepth depth() const;

 private:
  bool canRun(Priority priority) const;
  Priority nextPriority();
  std::shared_ptr<QueuedJob> nextToBegin(Priority priority) const;

  std::vector<std::shared_ptr<QueuedJob>> jobs_;  // in order of arrival
  std::map<ClientId, std::uint64_t> lastBegin_;   // of clients with jobs here
  std::uint64_t begins_ = 0;
  int interactiveTurns_ = 0;  // in a row, while background jobs could run
};

}  // namespace waferpair::inference
