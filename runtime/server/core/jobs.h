// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs of one client, a session or an HTTP request: the one way on which the server gives the
// engine work. It holds each client to a number of jobs, brings their news to where the baton is
// (job_news.h), and cancels what is under way when the client is gone.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/hub.h"
#include "runtime/server/core/job_news.h"

namespace waferpair::server {

// Used with the server's baton only.
class Jobs {
 public:
  static constexpr int kMost = 64;  // under way at once

  explicit Jobs(std::shared_ptr<Hub> hub) : hub_(std::move(hub)), client_(hub_->nextClient()) {}
  ~Jobs() { cancelAll(); }
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // The id by which the engine knows the client.
  inference::ClientId client() const { return client_; }

  // Returns why no further job is taken on now: there is no model, or too many are under way.
  std::optional<Problem> refusal() const;

  // Submits a job; there must be no refusal(). `listener` hears the job's news with the baton,
  // after its present holder is done; not once `owner`, in which this lives, is gone; and `owner`
  // lives while it hears them.
  template <typename Request>
  inference::JobId submit(Request request, const std::weak_ptr<void>& owner,
                          inference::JobCallbacks listener) {
    request.client = client_;
    ++underWay_;
    const inference::JobId job = hub_->engine()->submit(
        std::move(request), JobNews::relay(hub_->baton(), whileOwned(owner, std::move(listener))));
    hub_->workBegan();
    return job;
  }

  // Cancels a job; does nothing if it has ended. The job's last news comes all the same.
  void cancel(inference::JobId job);
  void cancelAll();

 private:
  inference::JobCallbacks whileOwned(const std::weak_ptr<void>& owner,
                                     inference::JobCallbacks listener);

  const std::shared_ptr<Hub> hub_;
  const inference::ClientId client_;
  int underWay_ = 0;
};

}  // namespace waferpair::server
