// SPDX-License-Identifier: GPL-3.0-or-later
// The client of a session, as the session's features see it: how to tell it something, and the
// state that it shares with all others. It is used with the server's baton only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runtime/server/core/events.h"
#include "runtime/server/core/hub.h"
#include "runtime/server/core/jobs.h"
#include "runtime/server/core/outbox.h"
#include "runtime/server/session/experiment_bench.h"
#include "runtime/server/session/shadow_planner.h"
#include "runtime/server/session/trace_recorder.h"

namespace waferpair::server {

// The state that all sessions of a server share.
struct Commons {
  explicit Commons(std::shared_ptr<Hub> hub) : hub(std::move(hub)) {}

  const std::shared_ptr<Hub> hub;
  // The recorder of the session that records at present, if one does.
  std::weak_ptr<TraceRecorder> recording;
  const std::shared_ptr<ShadowPlanner> planner =
      std::make_shared<ShadowPlanner>(hub, [this] { return recording.lock() != nullptr; });
  ExperimentBench bench{hub->executor()};
};

class Client {
 public:
  Client(std::shared_ptr<Commons> commons, std::size_t mostUnread)
      : commons_(std::move(commons)),
        outbox_(Framing::kMessages, mostUnread),
        jobs_(commons_->hub) {}

  // The session, of which this is a part; news that comes later is heard only while the session is
  // there.
  void belongsTo(std::weak_ptr<void> session) { session_ = std::move(session); }
  const std::weak_ptr<void>& session() const { return session_; }

  Commons& commons() { return *commons_; }
  Hub& hub() const { return *commons_->hub; }
  Models& models() const { return hub().models(); }
  // The first model's; null unless it is ready.
  inference::Engine* engine() const { return hub().engine(); }
  Outbox& outbox() { return outbox_; }
  Jobs& jobs() { return jobs_; }
  // The id by which the engines know the client.
  inference::ClientId id() const { return jobs_.client(); }

  // The time when the message in hand was read.
  inference::Clock::time_point received() const { return received_; }
  void messageRead() { received_ = inference::Clock::now(); }

  // Errors are told with the status that HTTP would have, as OpenAI's sockets do.
  void tellErrorsAsOpenAi() { openAiErrors_ = true; }
  // `event` has all fields but its type.
  void tell(std::string_view type, Json event = Json::object());
  // `id` and `responseId` name the request to blame; null and empty when unknown.
  void refuse(const Problem& problem, const Json& id = nullptr, const std::string& responseId = {});

 private:
  const std::shared_ptr<Commons> commons_;
  std::weak_ptr<void> session_;
  Outbox outbox_;
  Jobs jobs_;
  inference::Clock::time_point received_;
  bool openAiErrors_ = false;
};

}  // namespace waferpair::server
