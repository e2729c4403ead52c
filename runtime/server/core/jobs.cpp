// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/jobs.h"

#include <cassert>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

std::optional<Problem> Jobs::refusal() const {
  if (!hub_->engine()) return hub_->notReady();
  if (underWay_ < kMost) return std::nullopt;
  return Problem(protocol::error_code::kLimitExceeded,
                 {std::to_string(kMost) + " completions and responses are under way.",
                  "Wait for some to end, or cancel them."});
}

void Jobs::cancel(inference::JobId job) {
  if (hub_->engine()) hub_->engine()->cancel(job);
}

void Jobs::cancelAll() {
  if (underWay_ > 0) hub_->engine()->cancelAllOf(client_);
}

inference::JobCallbacks Jobs::whileOwned(const std::weak_ptr<void>& owner,
                                         inference::JobCallbacks listener) {
  assert(!owner.expired());
  inference::JobCallbacks callbacks;
  callbacks.onText = [owner, hear = std::move(listener.onText)](std::string text) {
    if (const auto alive = owner.lock()) hear(std::move(text));
  };
  callbacks.onDone = [this, owner,
                      hear = std::move(listener.onDone)](const inference::JobReport& report) {
    const auto alive = owner.lock();
    if (!alive) return;
    --underWay_;
    hear(report);
  };
  if (listener.onBegin)
    callbacks.onBegin = [owner, hear = std::move(listener.onBegin)] {
      if (const auto alive = owner.lock()) hear();
    };
  return callbacks;
}

}  // namespace waferpair::server
