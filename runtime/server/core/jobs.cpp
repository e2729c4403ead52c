// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/jobs.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

std::optional<Problem> Jobs::refusal(const HostedModel& model) const {
  if (auto refusal = Models::refusal(model)) return refusal;
  if (underWay_.size() < kMost) return std::nullopt;
  return Problem(protocol::error_code::kLimitExceeded,
                 {std::to_string(kMost) + " completions and responses are under way.",
                  "Wait for some to end, or cancel them."});
}

void Jobs::cancel(Ticket ticket) {
  const auto found = underWay_.find(ticket);
  if (found == underWay_.end()) return;
  UnderWay& job = found->second;
  if (job.job == 0) return endWaiting(job, inference::StopReason::kCancelled, nullptr);
  if (inference::Engine* engine = job.model->engine()) engine->cancel(job.job);
}

void Jobs::cancelAll() {
  for (const auto& [ticket, job] : std::map(underWay_)) cancel(ticket);
}

std::pair<const HostedModel*, inference::JobId> Jobs::jobOf(Ticket ticket) const {
  const auto found = underWay_.find(ticket);
  if (found == underWay_.end() || found->second.job == 0) return {};
  return {found->second.model.get(), found->second.job};
}

// Whether a job that waited for its model is given to its engine.
bool Jobs::begins(Ticket ticket, const base::Error* failure) {
  const auto found = underWay_.find(ticket);
  if (found == underWay_.end() || found->second.ending) return false;
  if (!failure) return true;
  endWaiting(found->second, inference::StopReason::kNotLoaded, failure);
  return false;
}

// Its news comes later, as that of all jobs.
void Jobs::endWaiting(UnderWay& job, inference::StopReason reason, const base::Error* error) {
  if (job.ending) return;
  job.ending = true;
  inference::JobReport report;
  report.reason = reason;
  if (error) report.error = *error;
  job.end(report);
}

void Jobs::watchWaits(const std::weak_ptr<void>& owner) {
  if (isWatching_) return;
  isWatching_ = true;
  waits_.expires_after(kTellWaits);
  waits_.async_wait([this, owner](const boost::system::error_code& ended) {
    const auto alive = owner.lock();
    if (ended || !alive) return;
    isWatching_ = false;
    tellWaits();
    if (std::ranges::any_of(underWay_, [](const auto& job) { return !!job.second.onWait; }))
      watchWaits(owner);
  });
}

// Who hears of a wait may end jobs.
void Jobs::tellWaits() {
  std::vector<Ticket> waiting;
  for (const auto& [ticket, job] : underWay_)
    if (job.onWait && !job.ending) waiting.push_back(ticket);
  for (const Ticket ticket : waiting) {
    const auto found = underWay_.find(ticket);
    if (found == underWay_.end() || !found->second.onWait) continue;
    const UnderWay& job = found->second;
    const OnWait tell = job.onWait;
    tell({.isForModel = job.job == 0, .loaded = job.model->progress()});
  }
}

inference::JobCallbacks Jobs::whileOwned(Ticket ticket, const std::weak_ptr<void>& owner,
                                         inference::JobCallbacks listener) {
  assert(!owner.expired());
  inference::JobCallbacks callbacks;
  callbacks.onText = [owner, hear = std::move(listener.onText)](std::string text) {
    if (const auto alive = owner.lock()) hear(std::move(text));
  };
  callbacks.onDone = [this, ticket, owner,
                      hear = std::move(listener.onDone)](const inference::JobReport& report) {
    const auto alive = owner.lock();
    if (!alive) return;
    if (report.templateProblem)
      hub_->log().line("chat template not run, its style is followed: " +
                       report.templateProblem->what);
    underWay_.erase(ticket);
    hear(report);
  };
  if (listener.onBegin)
    callbacks.onBegin = [this, ticket, owner, hear = std::move(listener.onBegin)] {
      const auto alive = owner.lock();
      if (!alive) return;
      if (const auto found = underWay_.find(ticket); found != underWay_.end())
        found->second.onWait = {};
      hear();
    };
  if (listener.onPrompt)
    callbacks.onPrompt =
        [owner, hear = std::move(listener.onPrompt)](const inference::PromptProgress& progress) {
          if (const auto alive = owner.lock()) hear(progress);
        };
  if (listener.onChances)
    callbacks.onChances =
        [owner, hear = std::move(listener.onChances)](std::vector<inference::TokenChance> chances) {
          if (const auto alive = owner.lock()) hear(std::move(chances));
        };
  return callbacks;
}

}  // namespace waferpair::server
