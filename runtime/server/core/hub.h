// SPDX-License-Identifier: GPL-3.0-or-later
// What the connections of one server share: the token, the model and one another's existence. With
// the server's baton only.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/baton.h"
#include "runtime/server/core/events.h"
#include "runtime/server/core/log.h"
#include "runtime/server/session/client_message.h"
#include "runtime/server/session/job_news.h"
#include "runtime/server/session/trace_recorder.h"

namespace waferpair::server {

// A callback that runs handler(object, arguments...), unless the object is gone by then.
template <typename Object, typename Handler>
auto whileAlive(std::weak_ptr<Object> object, Handler handler) {
  return [object, handler](auto... arguments) {
    if (const auto alive = object.lock()) handler(*alive, std::move(arguments)...);
  };
}

// Owned by a shared_ptr.
class Hub : public std::enable_shared_from_this<Hub> {
 public:
  // A connection. Registered from join() to leave().
  class Member {
   public:
    virtual void modelChanged() {}
    virtual void shadowChanged() {}
    virtual void workBegan() {}
    // The server ends: say goodbye and end soon.
    virtual void shutDown() = 0;

   protected:
    ~Member() = default;
  };

  Hub(Baton baton, std::string token, Log& log);

  boost::asio::any_io_executor executor() const { return baton_.executor(); }
  const std::string& token() const { return token_; }
  Log& log() const { return log_; }
  inference::Clock::time_point startedAt() const { return startedAt_; }

  // The state of the model: loading until one of these is called.
  void modelReady(std::unique_ptr<inference::Engine> engine);
  void modelFailed(base::Error error);
  // Null unless ready; then it stays as long as this.
  inference::Engine* engine() const { return engine_.get(); }
  // Of the engine's model; made when first asked for, as few clients want their text in a form.
  const std::shared_ptr<const inference::TokenTrie>& tokenTrie();
  // Why there is no engine.
  Problem notReady() const;
  std::string_view state() const;  // protocol::state

  // Plans the wanted shadow (or none) on a thread of its own, one wish after another, gives it to
  // the model and tells every member. `refused` hears on the executor why not.
  void wantShadow(std::optional<ShadowSet> wanted, std::function<void(const Problem&)> refused);

  // `answer` hears the catalogue of shapes (shapesJson) on the executor. There is an engine.
  void listShapes(std::function<void(const Json&)> answer);

  // state, model, shadow and error: what session.ready and status have in common.
  Json stateJson() const;
  // `mine` is how the one who asks calls its jobs: it is told where those that wait stand.
  Json statusJson(std::map<inference::JobId, Json> mine = {}) const;
  std::string metrics() const;  // Prometheus text

  // Gives the engine work. The job's news come with the baton, after whoever has it now is done.
  template <typename Request>
  inference::JobId submit(Request request, inference::JobCallbacks listener) {
    const inference::JobId job =
        engine_->submit(std::move(request), JobNews::relay(baton_, std::move(listener)));
    tellAll(&Member::workBegan);
    return job;
  }

  inference::ClientId nextClient() { return ++lastClient_; }
  // Sessions count as users of the server; plain HTTP requests do not.
  void join(Member* member, bool session);
  void leave(Member* member);
  int sessions() const { return static_cast<int>(sessions_.size()); }
  int members() const { return static_cast<int>(members_.size()); }
  // What a session records now, if one does.
  std::weak_ptr<TraceRecorder> recording;
  // Called when the number of sessions changes.
  void onSessions(std::function<void()> changed) { sessionsChanged_ = std::move(changed); }

  // Ends all jobs and tells every member.
  void shutDown();
  bool ending() const { return ending_; }  // since shutDown()

 private:
  void tellAll(void (Member::*what)());
  // Why it cannot be, if it cannot.
  std::optional<Problem> setShadow(std::shared_ptr<wafer::Program> shadow);

  Baton baton_;
  std::string token_;
  Log& log_;
  inference::Clock::time_point startedAt_ = inference::Clock::now();
  std::unique_ptr<inference::Engine> engine_;
  std::shared_ptr<const inference::TokenTrie> tokenTrie_;
  std::optional<base::Error> failure_;
  std::set<Member*> members_;
  std::set<Member*> sessions_;  // part of members_
  std::function<void()> sessionsChanged_;
  inference::ClientId lastClient_ = 0;
  int shadowsWanted_ = 0;  // and not answered yet
  bool ending_ = false;
  Json shapes_;  // the catalogue; null until first asked for
  boost::asio::thread_pool planner_{1};
};

}  // namespace waferpair::server
