// SPDX-License-Identifier: GPL-3.0-or-later
// Holds what the connections of one server share: the token, the models and one another's
// existence. It is used with the server's baton only.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/aside.h"
#include "runtime/server/core/baton.h"
#include "runtime/server/core/hosted_model.h"
#include "runtime/server/core/log.h"
#include "runtime/server/core/models.h"
#include "runtime/server/core/problem.h"
#include "runtime/server/core/stored_responses.h"

namespace waferpair::server {

// A callback that runs handler(object, arguments...), unless the object is gone by then.
template <typename Object, typename Handler>
auto whileAlive(std::weak_ptr<Object> object, Handler handler) {
  return [object, handler](auto... arguments) {
    if (const auto alive = object.lock()) handler(*alive, std::move(arguments)...);
  };
}

// Owned by a shared_ptr.
class Hub {
 public:
  // A connection. Registered from join() to leave().
  class Member {
   public:
    // A model's state is another one, or how far it is loaded; or it is no longer offered.
    virtual void modelChanged(HostedModel& /*model*/) {}
    // It has an engine.
    virtual void modelLoaded(HostedModel& /*model*/) {}
    // It has an engine still, and who keeps anything of that lets go of it before this returns.
    virtual void modelLeaves(HostedModel& /*model*/) {}
    virtual void shadowChanged() {}
    // The model has been given a job.
    virtual void workBegan(HostedModel& /*model*/) {}
    // The server ends: say goodbye and end soon.
    virtual void shutDown() = 0;

   protected:
    ~Member() = default;
  };

  Hub(Baton baton, std::string token, Log& log);

  const Baton& baton() const { return baton_; }
  boost::asio::any_io_executor executor() const { return baton_.executor(); }
  const std::string& token() const { return token_; }
  Log& log() const { return log_; }
  inference::Clock::time_point startedAt() const { return startedAt_; }

  Models& models() const { return *models_; }
  StoredResponses& responses() const { return *responses_; }
  Aside& aside() { return aside_; }
  // The first model's engine; null unless it is ready.
  inference::Engine* engine() const;
  // The reason why there is no such engine.
  Problem notReady() const;
  std::string_view state() const;  // of the first model: protocol::state

  // Gives the first model a shadow, or none where it is null, and tells every member. There is an
  // engine.
  void setShadow(std::shared_ptr<wafer::Program> shadow);
  // A job has been submitted (jobs.h).
  void workBegan(HostedModel& model) { tellAll(&Member::workBegan, model); }

  inference::ClientId nextClient() { return ++lastClient_; }
  // Sessions count as users of the server; plain HTTP requests do not.
  void join(Member* member, bool session);
  void leave(Member* member);
  int sessions() const { return static_cast<int>(sessions_.size()); }
  int members() const { return static_cast<int>(members_.size()); }
  // Called when the number of sessions changes.
  void onSessions(std::function<void()> changed) { sessionsChanged_ = std::move(changed); }

  // Ends all jobs and tells every member.
  void shutDown();
  bool ending() const { return ending_; }  // since shutDown()

 private:
  template <typename... About>
  void tellAll(void (Member::*what)(About&...), About&... about);
  void onNews(HostedModel& model, Models::News news);
  void shareMemory(const HostedModel& model);

  Baton baton_;
  std::string token_;
  Log& log_;
  inference::Clock::time_point startedAt_ = inference::Clock::now();
  const std::shared_ptr<Models> models_;
  const std::shared_ptr<StoredResponses> responses_;
  Aside aside_;
  std::set<Member*> members_;
  std::set<Member*> sessions_;  // part of members_
  std::function<void()> sessionsChanged_;
  inference::ClientId lastClient_ = 0;
  bool ending_ = false;
};

}  // namespace waferpair::server
