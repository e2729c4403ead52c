// SPDX-License-Identifier: GPL-3.0-or-later
// The story of one WebSocket connection.
//
//   start()      the upgrade is accepted and the client greeted (session.ready)
//   read()       one message after another; each is followed or refused, and the story goes on
//   write()      what the outbox holds, one frame at a time
//   end()        the client left, fell silent for good, or the server ends: its jobs end with it
//
// Jobs run on the engine's thread; their news are relayed here. Everything below happens with the
// server's baton.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "runtime/server/core/hub.h"
#include "runtime/server/core/outbox.h"
#include "runtime/server/dialects/response_prompt.h"
#include "runtime/server/dialects/response_stream.h"
#include "runtime/server/session/client_message.h"
#include "runtime/server/session/documents.h"
#include "runtime/server/session/telemetry_feed.h"
#include "runtime/server/session/trace_recorder.h"

namespace waferpair::server {

class Session : public std::enable_shared_from_this<Session>, private Hub::Member {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  // The request has been let in (access.h).
  Session(std::shared_ptr<Hub> hub, boost::beast::tcp_stream stream);
  void start(const Request& upgrade);

 private:
  using Clock = inference::Clock;
  using ErrorCode = boost::system::error_code;

  // A completion that was asked for and has not ended.
  struct Completion {
    std::string uri;
    std::int64_t version = 0;
    std::size_t offset = 0;
    inference::JobId job = 0;
    std::string deltaHead;  // everything of a delta event in front of its text
    Outbox::Ticket lastDelta = 0;
  };
  struct Response {
    ResponseStream stream;
    ResponsePrompt prompt;
    inference::JobId job = 0;
  };

  void greet();
  void read();
  void onRead(ErrorCode error);
  void write();

  void follow(std::string_view text);
  void handle(DocumentOpen& message);
  void handle(const DocumentChange& message);
  void tellEngine(const std::string& uri);  // what that document's text is now
  void handle(const DocumentClose& message);
  void handle(const CompletionCreate& message);
  void handle(const CompletionCancel& message);
  void handle(const ResponseCreate& message);
  void handle(const ResponseCancel& message);
  void handle(const TelemetrySubscribe& message);
  void handle(const TelemetryUnsubscribe& message);
  void handle(const TraceStart& message);
  void handle(const TraceStop& message);
  void handle(const ShadowSet& message);
  void handle(const ShadowClear& message);
  void handle(const ShadowList& message);
  void handle(const StatusGet& message);
  void refuse(const Problem& problem, const Json& id = nullptr, const std::string& responseId = {});
  // Why no further job is taken on now.
  std::optional<Problem> noJobs() const;

  void completionText(const Json& id, std::string_view text);
  void completionEnded(const Json& id, const inference::JobReport& report);
  void sendDone(const Json& id, const Completion& completion, const inference::JobReport& report);
  void responseEnded(const std::string& id, const inference::JobReport& report);
  void startTelemetry();
  base::Result<trace::Written> endTrace();
  void wantShadow(std::optional<ShadowSet> wanted);

  void modelChanged() override;
  void shadowChanged() override;
  void workBegan() override;
  void shutDown() override;
  void close(boost::beast::websocket::close_code code, std::string_view reason);
  void end();

  std::shared_ptr<Hub> hub_;
  inference::ClientId client_;
  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  boost::beast::flat_buffer incoming_;
  Outbox outbox_;
  Outbox::Frame outgoing_;
  boost::asio::steady_timer closing_;  // a client that does not close in time is dropped
  bool open_ = true;                   // until close() or end()
  bool ended_ = false;

  Documents documents_;
  std::map<Json, Completion> completions_;
  std::map<std::string, Response> responses_;
  // The latest response that completed: what previous_response_id may name.
  std::string lastResponse_;
  ResponsePrompt lastPrompt_;  // with its output
  double telemetryHz_ = 0;     // 0: not subscribed
  std::shared_ptr<TelemetryFeed> telemetry_;
  std::shared_ptr<TraceRecorder> trace_;  // that this session began and has not stopped
  Clock::time_point received_;            // when the message in hand was read
};

}  // namespace waferpair::server
