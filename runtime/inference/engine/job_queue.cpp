// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/job_queue.h"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>
#include <utility>

namespace waferpair::inference {

void JobQueue::add(std::shared_ptr<QueuedJob> job) {
  if (!job->document.empty()) {
    // What reads ahead is for the next one, and ends none that somebody waits for.
    for (auto& other : jobs_)
      if (other->client == job->client && other->document == job->document &&
          job->priority <= other->priority)
        other->cancelled = true;
  }
  // A client that comes (back) waits as if it had just been served, so that leaving and coming
  // again gains nothing.
  lastBegin_.try_emplace(job->client, begins_);
  jobs_.push_back(std::move(job));
}

bool JobQueue::cancel(JobId id) {
  for (auto& job : jobs_) {
    if (job->id != id) continue;
    job->cancelled = true;
    return true;
  }
  return false;
}

void JobQueue::cancelAllOf(ClientId client) {
  for (auto& job : jobs_)
    if (job->client == client) job->cancelled = true;
}

void JobQueue::cancelAll() {
  for (auto& job : jobs_) job->cancelled = true;
}

void JobQueue::cancelUnbegun(ClientId client, const std::string& document) {
  for (auto& job : jobs_) {
    if (job->client != client || job->document != document || job->begun || job->cancelled)
      continue;
    job->cancelled = job->stale = true;
  }
}

void JobQueue::pick(int most, Turn& turn) {
  turn.jobs.clear();
  for (const auto& job : jobs_)
    if (job->cancelled) turn.jobs.push_back(job);
  turn.cancelled = !turn.jobs.empty();
  if (turn.cancelled || jobs_.empty()) return;

  const Priority priority = nextPriority();
  bool held = false;
  for (const auto& job : jobs_) {
    if (!job->begun || job->priority != priority) continue;
    held = held || job->held;
    if (!job->held) turn.jobs.push_back(job);
  }
  if (held || std::ssize(turn.jobs) >= most) return;
  // One in a turn: to make its prompt takes time, for which what is more urgent would have to wait.
  auto next = nextToBegin(priority);
  if (!next) return;
  next->begun = true;
  lastBegin_[next->client] = ++begins_;
  turn.jobs.push_back(std::move(next));
}

bool JobQueue::canRun(Priority priority) const {
  bool waits = false, held = false;
  for (const auto& job : jobs_) {
    if (job->priority != priority) continue;
    if (job->begun && !job->held) return true;
    (job->held ? held : waits) = true;
  }
  return waits && !held;
}

Priority JobQueue::nextPriority() {
  const bool interactive = canRun(Priority::kInteractive);
  const bool background = canRun(Priority::kBackground);
  if (interactive && background && ++interactiveTurns_ <= kInteractiveTurns)
    return Priority::kInteractive;
  interactiveTurns_ = 0;
  return background ? Priority::kBackground : Priority::kInteractive;
}

// Null where none of them waits.
std::shared_ptr<QueuedJob> JobQueue::nextToBegin(Priority priority) const {
  const std::shared_ptr<QueuedJob>* best = nullptr;
  const auto rank = [this](const QueuedJob& job) {
    return std::pair(lastBegin_.at(job.client), job.id);
  };
  for (const auto& job : jobs_) {
    if (job->begun || job->priority != priority) continue;
    if (!best || rank(*job) < rank(**best)) best = &job;
  }
  return best ? *best : nullptr;
}

void JobQueue::hold(JobId id) {
  for (const auto& job : jobs_)
    if (job->id == id) job->held = true;
}

// pick() until none is left, without doing it.
std::vector<std::shared_ptr<QueuedJob>> JobQueue::waiting() const {
  std::map<ClientId, std::uint64_t> served = lastBegin_;
  std::uint64_t begins = begins_;
  std::vector<std::shared_ptr<QueuedJob>> order;
  for (const Priority priority : {Priority::kInteractive, Priority::kBackground}) {
    std::map<ClientId, std::deque<std::shared_ptr<QueuedJob>>> jobs;
    for (const auto& job : jobs_)
      if (!job->begun && !job->cancelled && job->priority == priority)
        jobs[job->client].push_back(job);
    // The clients' turns: when each was last served, and its oldest job.
    std::set<std::tuple<std::uint64_t, JobId, ClientId>> turns;
    for (const auto& [client, own] : jobs)
      turns.emplace(served.at(client), own.front()->id, client);
    while (!turns.empty()) {
      const ClientId client = std::get<2>(*turns.begin());
      turns.erase(turns.begin());
      auto& own = jobs[client];
      order.push_back(std::move(own.front()));
      own.pop_front();
      served[client] = ++begins;
      if (!own.empty()) turns.emplace(begins, own.front()->id, client);
    }
  }
  return order;
}

void JobQueue::remove(JobId id) {
  const auto job = std::find_if(jobs_.begin(), jobs_.end(),
                                [id](const auto& candidate) { return candidate->id == id; });
  if (job == jobs_.end()) return;
  const ClientId client = (*job)->client;
  jobs_.erase(job);
  for (const auto& other : jobs_) other->held = false;
  const bool more = std::any_of(jobs_.begin(), jobs_.end(),
                                [client](const auto& other) { return other->client == client; });
  if (!more) lastBegin_.erase(client);
}

bool JobQueue::isAtWork() const {
  return std::ranges::any_of(jobs_, [](const auto& job) { return !job->givesWay; });
}

QueueDepth JobQueue::depth() const {
  QueueDepth depth;
  for (const auto& job : jobs_) {
    if (job->begun)
      ++depth.running;
    else if (job->priority == Priority::kInteractive)
      ++depth.interactive;
    else
      ++depth.background;
  }
  return depth;
}

}  // namespace waferpair::inference
