// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs of one client, a session or an HTTP request: the one way on which the server gives the
// engines work. It holds each client to a number of jobs, has those of a model that is not in
// memory wait until it is, brings their news to where the baton is (job_news.h), and cancels what
// is under way when the client is gone.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/hub.h"
#include "runtime/server/core/job_news.h"

namespace waferpair::server {

// A job that has not begun waits for this.
struct JobWait {
  bool isForModel = false;  // that is being loaded; else for other work of its engine
  double loaded = 0;        // of that model: the share of it
};

// Used with the server's baton only.
class Jobs {
 public:
  static constexpr int kMost = 64;  // under way at once
  static constexpr std::chrono::seconds kTellWaits{1};

  // A job of this client; never 0.
  using Ticket = std::uint64_t;
  // Finishes a request once its model is ready, or reports how it ends without having been asked.
  template <typename Request>
  using Prepare =
      std::function<std::optional<inference::JobReport>(Request& request, HostedModel& model)>;

  // It is called for a job that waits, every kTellWaits until that begins or ends.
  using OnWait = std::function<void(const JobWait&)>;

  explicit Jobs(std::shared_ptr<Hub> hub)
      : hub_(std::move(hub)), client_(hub_->nextClient()), waits_(hub_->executor()) {}
  ~Jobs() { cancelAll(); }
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // The id by which the engines know the client.
  inference::ClientId client() const { return client_; }

  // Returns why no further job of the model is taken on now: it cannot be used, or too many jobs
  // are under way.
  std::optional<Problem> refusal(const HostedModel& model) const;

  // Submits a job; there must be no refusal(). `prepare` is called at once if the model is ready.
  // `listener` hears the job's news with the baton, after its present holder is done; not once
  // `owner`, in which this lives, is gone; and `owner` lives while it hears them. The model stays
  // in memory until the job has ended. `onWait` may be empty.
  template <typename Request>
  Ticket submit(const std::shared_ptr<HostedModel>& model, Request request,
                const std::weak_ptr<void>& owner, inference::JobCallbacks listener,
                Prepare<Request> prepare = {}, OnWait onWait = {}) {
    const Ticket ticket = ++lastTicket_;
    bool givesWay = false;
    if constexpr (requires { request.givesWay; }) givesWay = request.givesWay;
    auto callbacks = JobNews::relay(hub_->baton(), whileOwned(ticket, owner, std::move(listener)));
    const bool mayWait = onWait != nullptr;
    underWay_[ticket] = {.model = model, .end = callbacks.onDone, .onWait = std::move(onWait)};
    if (mayWait) watchWaits(owner);
    request.client = client_;
    hub_->models().whenLoaded(
        model, [this, ticket, owner, callbacks, model, givesWay, request = std::move(request),
                prepare = std::move(prepare)](const base::Error* failure) mutable {
          const auto alive = owner.lock();
          if (!alive || !begins(ticket, failure)) return;
          if (prepare) {
            if (const auto report = prepare(request, *model)) return callbacks.onDone(*report);
          }
          // Who hears of the end may unload the model.
          callbacks.onDone = [use = model->use(), done = std::move(callbacks.onDone)](
                                 const inference::JobReport& report) mutable {
            use.reset();
            done(report);
          };
          underWay_.at(ticket).job =
              model->engine()->submit(std::move(request), std::move(callbacks));
          if (!givesWay) hub_->workBegan(*model);
        });
    return ticket;
  }

  // Cancels a job; does nothing if it has ended. The job's last news comes all the same.
  void cancel(Ticket ticket);
  void cancelAll();

  // The model of a job, and how its engine calls it; null and 0 while it waits for that, or has
  // ended.
  std::pair<const HostedModel*, inference::JobId> jobOf(Ticket ticket) const;

 private:
  struct UnderWay {
    std::shared_ptr<HostedModel> model;
    inference::JobId job = 0;  // 0: it waits for its model
    std::function<void(const inference::JobReport&)> end = {};
    bool ending = false;  // the engine will not hear of it
    OnWait onWait = {};   // empty once it has begun
  };

  bool begins(Ticket ticket, const base::Error* failure);
  void endWaiting(UnderWay& job, inference::StopReason reason, const base::Error* error);
  void watchWaits(const std::weak_ptr<void>& owner);
  void tellWaits();
  inference::JobCallbacks whileOwned(Ticket ticket, const std::weak_ptr<void>& owner,
                                     inference::JobCallbacks listener);

  const std::shared_ptr<Hub> hub_;
  const inference::ClientId client_;
  Ticket lastTicket_ = 0;
  std::map<Ticket, UnderWay> underWay_;
  boost::asio::steady_timer waits_;  // until those that wait are told next
  bool isWatching_ = false;          // it runs
};

}  // namespace waferpair::server
