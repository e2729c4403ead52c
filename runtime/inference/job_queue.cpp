// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/job_queue.h"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>
#include <utility>

namespace waferpair::inference {

void JobQueue::add(std::shared_ptr<QueuedJob> job) {
  if (!job->document.empty()) {
    for (auto& other : jobs_)
      if (other->client == job->client && other->document == job->document) other->cancelled = true;
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

std::shared_ptr<QueuedJob> JobQueue::pick() {
  const auto rank = [this](const std::shared_ptr<QueuedJob>& job) {
    const std::uint64_t served = job->begun ? 0 : lastBegin_.at(job->client);
    return std::tuple(!job->cancelled, job->priority, !job->begun, served, job->id);
  };
  const auto best = std::min_element(
      jobs_.begin(), jobs_.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (best == jobs_.end()) return nullptr;
  if (!(*best)->begun && !(*best)->cancelled) {
    (*best)->begun = true;
    lastBegin_[(*best)->client] = ++begins_;
  }
  return *best;
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
    // Whose turn it is: when last served, and its oldest job.
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
  const bool more = std::any_of(jobs_.begin(), jobs_.end(),
                                [client](const auto& other) { return other->client == client; });
  if (!more) lastBegin_.erase(client);
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
