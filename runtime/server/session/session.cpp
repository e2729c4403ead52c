// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/session.h"

#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/file_name.h"
#include "runtime/server/core/version.h"
#include "runtime/server/session/shadow.h"

namespace waferpair::server {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
namespace code = protocol::error_code;
namespace event = protocol::event;

constexpr std::size_t kMaxUnread = std::size_t{16} << 20;
constexpr std::size_t kMaxJobs = 64;
constexpr std::size_t kKeptBuffer = std::size_t{1} << 20;
constexpr std::chrono::seconds kHandshake{10};
constexpr std::chrono::seconds kGoodbye{2};

}  // namespace

Session::Session(std::shared_ptr<Hub> hub, beast::tcp_stream stream)
    : hub_(std::move(hub)),
      client_(hub_->nextClient()),
      socket_(std::move(stream)),
      outbox_(Framing::kMessages, kMaxUnread),
      closing_(hub_->executor()) {}

void Session::start(const Request& upgrade) {
  // The WebSocket has its own timeouts. None while it is open: an idle session costs nothing, and a
  // client on this computer that dies closes its socket.
  beast::get_lowest_layer(socket_).expires_never();
  websocket::stream_base::timeout timeouts{};
  timeouts.handshake_timeout = kHandshake;
  timeouts.idle_timeout = websocket::stream_base::none();
  timeouts.keep_alive_pings = false;
  socket_.set_option(timeouts);
  socket_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
    response.set(beast::http::field::server, std::string(kServerName));
  }));
  socket_.read_message_max(kMaxMessageBytes);
  socket_.auto_fragment(false);
  socket_.async_accept(upgrade, [self = shared_from_this()](ErrorCode error) {
    if (error) return self->end();
    self->greet();
    self->read();
  });
}

void Session::greet() {
  if (hub_->ending()) return shutDown();  // what only members were told
  // Not before: nothing may be written until the upgrade is answered.
  hub_->join(this, /*session=*/true);
  outbox_.onPush([this] { write(); });
  Json ready = hub_->stateJson();
  ready["type"] = event::kSessionReady;
  ready["protocol"] = protocol::kProtocolVersion;
  ready["server"] = kServerName;
  outbox_.push(event::kSessionReady, dump(ready));
  hub_->log().line("session " + std::to_string(client_) + " opened");
}

void Session::read() {
  socket_.async_read(incoming_, [self = shared_from_this()](ErrorCode error, std::size_t) {
    self->onRead(error);
  });
}

void Session::onRead(ErrorCode error) {
  if (error) return end();
  received_ = Clock::now();
  if (!open_) {
    // It is being closed; what the client still says is no longer heard.
  } else if (socket_.got_text()) {
    const auto bytes = incoming_.cdata();
    follow({static_cast<const char*>(bytes.data()), bytes.size()});
  } else {
    refuse({std::string(code::kMalformedJson), "", "A binary message was sent.",
            "Send JSON as text; only the server sends binary frames."});
  }
  incoming_.consume(incoming_.size());
  if (incoming_.capacity() > kKeptBuffer) incoming_.shrink_to_fit();
  read();
}

void Session::write() {
  if (!open_) return;
  if (outbox_.overflowed()) return close(websocket::close_code::policy_error, "reader too slow");
  if (!outbox_.take(outgoing_)) return;
  socket_.binary(outgoing_.binary);
  socket_.async_write(boost::asio::buffer(outgoing_.bytes),
                      [self = shared_from_this()](ErrorCode error, std::size_t) {
                        if (error) return self->end();
                        self->outbox_.written();
                        if (self->outbox_.idle() && self->telemetry_) self->telemetry_->drained();
                        self->write();
                      });
}

// Requests.

void Session::follow(std::string_view text) {
  auto message = parseMessage(text);
  if (!message)
    return refuse(message.error().problem, message.error().id, message.error().responseId);
  std::visit([this](auto& parsed) { handle(parsed); }, *message);
}

void Session::refuse(const Problem& problem, const Json& id, const std::string& responseId) {
  outbox_.push(event::kError, errorEvent(problem, id, responseId));
}

void Session::handle(DocumentOpen& message) {
  const std::string uri = message.uri;
  if (const auto opened = documents_.open(std::move(message)); !opened)
    return refuse(opened.error());
  tellEngine(uri);
}

void Session::handle(const DocumentChange& message) {
  const auto changed = documents_.change(message);
  if (!changed) return refuse(changed.error());
  tellEngine(message.uri);
}

void Session::tellEngine(const std::string& uri) {
  if (hub_->engine()) hub_->engine()->documentChanged(client_, uri, documents_.all().at(uri).text);
}

void Session::handle(const DocumentClose& message) {
  const auto closed = documents_.close(message);
  if (!closed) return refuse(closed.error());
  if (!hub_->engine()) return;
  hub_->engine()->documentClosed(client_, message.uri);
  for (const auto& [id, completion] : completions_)
    if (completion.uri == message.uri) hub_->engine()->cancel(completion.job);
}

std::optional<Problem> Session::noJobs() const {
  if (!hub_->engine()) return hub_->notReady();
  if (completions_.size() + responses_.size() < kMaxJobs) return std::nullopt;
  return Problem{std::string(code::kLimitExceeded), "",
                 std::to_string(kMaxJobs) + " completions and responses are under way.",
                 "Wait for some to end, or cancel them."};
}

void Session::handle(const CompletionCreate& message) {
  if (completions_.count(message.id))
    return refuse({std::string(code::kIdInUse), "id",
                   "Completion " + dump(message.id) + " is still under way.",
                   "Use another id, or wait for its completion.done."},
                  message.id);
  const auto found = documents_.find(message.uri);
  if (!found) return refuse(found.error(), message.id);
  const Document& document = **found;
  if (message.version > document.version)
    return refuse({std::string(code::kVersionConflict), "version",
                   "version " + std::to_string(message.version) + " of " + message.uri +
                       " is not known; the latest is " + std::to_string(document.version) + ".",
                   "Send document.change first."},
                  message.id);
  if (const auto problem = noJobs()) return refuse(*problem, message.id);

  inference::Engine& engine = *hub_->engine();
  Completion completion{message.uri, message.version, message.offset, 0, {}, 0};
  if (message.version < document.version) {
    inference::JobReport stale;
    stale.reason = inference::StopReason::kStale;
    return sendDone(message.id, completion, stale);
  }
  if (const auto fits = Documents::checkOffset(document, message.uri, message.offset, "offset");
      !fits)
    return refuse(fits.error(), message.id);

  completion.deltaHead = dump({{"type", event::kCompletionDelta},
                               {"id", message.id},
                               {"version", message.version},
                               {"offset", message.offset}});
  completion.deltaHead.pop_back();
  completion.deltaHead += ",\"text\":\"";

  const inference::PromptWindow window = engine.window(document.text, message.offset);
  inference::CompletionRequest request;
  request.client = client_;
  request.document = message.uri;
  request.fileName = fileNameOf(message.uri);
  request.prefix = window.prefix;
  request.suffix = window.suffix;
  request.above = window.above;
  request.below = window.below;
  request.fromStart = window.fromStart;
  request.healing = message.healing;
  request.checks = message.checks;
  request.limits = {.maxTokens = message.maxTokens,
                    .maxLines = message.maxLines,
                    .sampling = message.sampling,
                    .stop = message.stop,
                    .received = received_,
                    .minProbability = message.minProbability,
                    .speculation = message.speculation};
  const Json id = message.id;
  inference::JobCallbacks callbacks;
  callbacks.onText = whileAlive(weak_from_this(), [id](Session& self, const std::string& text) {
    self.completionText(id, text);
  });
  callbacks.onDone =
      whileAlive(weak_from_this(), [id](Session& self, const inference::JobReport& report) {
        self.completionEnded(id, report);
      });
  completion.job = hub_->submit(std::move(request), std::move(callbacks));
  completions_.emplace(id, std::move(completion));
}

void Session::handle(const CompletionCancel& message) {
  const auto found = completions_.find(message.id);
  if (found != completions_.end()) hub_->engine()->cancel(found->second.job);
}

void Session::handle(const ResponseCreate& message) {
  if (responses_.count(message.id))
    return refuse(
        {std::string(code::kIdInUse), "id", "Response " + message.id + " is still under way.",
         "Use another id, or wait for its last event."},
        nullptr, message.id);
  if (const auto problem = noJobs()) return refuse(*problem, nullptr, message.id);
  const bool follows = !message.previousResponseId.empty();
  if (follows && message.previousResponseId != lastResponse_)
    return refuse({std::string(code::kPreviousResponseNotFound), "previous_response_id",
                   "Response " + message.previousResponseId + " is not kept.",
                   "Send the whole input: a session keeps only its latest completed response."},
                  nullptr, message.id);
  const inference::ModelCard& card = hub_->engine()->model().card();
  auto prompt = responsePrompt(message, card, follows ? &lastPrompt_ : nullptr);
  if (!prompt) return refuse(prompt.error(), nullptr, message.id);

  auto request = generationRequest(message, *prompt, *hub_, received_);
  if (!request) return refuse(request.error(), nullptr, message.id);
  request->client = client_;
  ResponseStream stream(message, card, &outbox_);
  const std::string id = stream.id();
  Response& response =
      responses_.emplace(id, Response{std::move(stream), std::move(*prompt), 0}).first->second;

  inference::JobCallbacks callbacks;
  callbacks.onBegin =
      whileAlive(weak_from_this(), [id](Session& self) { self.responses_.at(id).stream.begun(); });
  callbacks.onText = whileAlive(weak_from_this(), [id](Session& self, const std::string& text) {
    self.responses_.at(id).stream.text(text);
  });
  callbacks.onDone = whileAlive(
      weak_from_this(),
      [id](Session& self, const inference::JobReport& report) { self.responseEnded(id, report); });
  // Its news are heard on this thread, so they come after this event.
  response.job = hub_->submit(std::move(*request), std::move(callbacks));
  response.stream.created();
}

void Session::handle(const ResponseCancel& message) {
  const auto found = responses_.find(message.responseId);
  if (found != responses_.end()) hub_->engine()->cancel(found->second.job);
}

void Session::handle(const TelemetrySubscribe& message) {
  telemetryHz_ = message.hz;
  if (telemetry_)
    telemetry_->setRate(telemetryHz_);
  else
    startTelemetry();
}

void Session::handle(const TelemetryUnsubscribe&) {
  telemetryHz_ = 0;
  telemetry_.reset();
}

void Session::handle(const TraceStart& message) {
  if (!hub_->engine()) return refuse(hub_->notReady());
  if (const auto running = hub_->recording.lock())
    return refuse({std::string(code::kTraceFailed), "file",
                   "A trace is being recorded already, into " + running->path() + ".",
                   "Stop that one first: one is recorded at a time."});
  auto started = TraceRecorder::start(hub_->engine()->model(), message.file);
  if (!started)
    return refuse(
        {std::string(code::kTraceFailed), "file", started.error().what, started.error().remedy});
  hub_->recording = trace_ = std::move(*started);
  outbox_.push(event::kTraceStarted,
               dump({{"type", event::kTraceStarted}, {"file", message.file}}));
}

void Session::handle(const TraceStop&) {
  if (!trace_)
    return refuse({std::string(code::kTraceFailed), "", "This session records no trace.",
                   "Send trace.start first."});
  const std::string file = trace_->path();
  const auto written = endTrace();
  if (!written)
    return refuse(
        {std::string(code::kTraceFailed), "", written.error().what, written.error().remedy});
  Json stopped = traceJson(file, *written);
  stopped["type"] = event::kTraceStopped;
  outbox_.push(event::kTraceStopped, dump(stopped));
}

base::Result<trace::Written> Session::endTrace() {
  hub_->recording.reset();
  return std::exchange(trace_, nullptr)->stop();
}

void Session::handle(const ShadowSet& message) { wantShadow(message); }

void Session::handle(const ShadowClear&) { wantShadow(std::nullopt); }

void Session::wantShadow(std::optional<ShadowSet> wanted) {
  hub_->wantShadow(std::move(wanted),
                   whileAlive(weak_from_this(),
                              [](Session& self, const Problem& problem) { self.refuse(problem); }));
}

void Session::handle(const ShadowList&) {
  if (!hub_->engine()) return refuse(hub_->notReady());
  hub_->listShapes(whileAlive(weak_from_this(), [](Session& self, const Json& shapes) {
    self.outbox_.push(event::kShadowShapes,
                      dump({{"type", event::kShadowShapes}, {"shapes", shapes}}));
  }));
}

void Session::handle(const StatusGet&) {
  std::map<inference::JobId, Json> mine;
  for (const auto& [id, completion] : completions_) mine[completion.job] = {{"id", id}};
  for (const auto& [id, response] : responses_) mine[response.job] = {{"response_id", id}};
  outbox_.push(event::kStatus, dump(hub_->statusJson(std::move(mine))));
}

// News of jobs.

void Session::completionText(const Json& id, std::string_view text) {
  Completion& completion = completions_.at(id);
  if (outbox_.grow(completion.lastDelta, text)) return;
  completion.lastDelta =
      outbox_.pushText(event::kCompletionDelta, completion.deltaHead, text, "\"}");
}

void Session::completionEnded(const Json& id, const inference::JobReport& report) {
  const auto found = completions_.find(id);
  const Completion completion = std::move(found->second);
  completions_.erase(found);
  if (report.reason == inference::StopReason::kFailed ||
      report.reason == inference::StopReason::kInputTooLong) {
    Problem problem = problemOf(report);
    problem.field.clear();  // a completion has no input
    refuse(problem, id);
  }
  sendDone(id, completion, report);
}

void Session::sendDone(const Json& id, const Completion& completion,
                       const inference::JobReport& report) {
  outbox_.push(event::kCompletionDone,
               dump({{"type", event::kCompletionDone},
                     {"id", id},
                     {"version", completion.version},
                     {"offset", completion.offset},
                     {"reason", reasonName(report.reason)},
                     {"probability", orNull(report.probability)},
                     {"usage", usageJson(report)},
                     {"timings", timingsJson(report, hub_->engine()->model().card())}}));
}

void Session::responseEnded(const std::string& id, const inference::JobReport& report) {
  const auto found = responses_.find(id);
  Response& response = found->second;
  response.stream.ended(report);
  if (response.stream.completed()) {
    lastResponse_ = id;
    lastPrompt_ = std::move(response.prompt);
    addOutput(lastPrompt_, response.stream.text());
  }
  responses_.erase(found);
}

void Session::startTelemetry() {
  if (telemetryHz_ == 0 || telemetry_ || !hub_->engine()) return;
  const inference::Engine& engine = *hub_->engine();
  outbox_.push(event::kTelemetryLayout,
               dump({{"type", event::kTelemetryLayout},
                     {"layout", layoutJson(shownLayout(engine.model()))}}));
  telemetry_ = std::make_shared<TelemetryFeed>(hub_->executor(), engine, outbox_, hub_->startedAt(),
                                               telemetryHz_);
  telemetry_->start();
}

// News of the server.

void Session::modelChanged() {
  for (const auto& [uri, document] : documents_.all()) tellEngine(uri);
  outbox_.push(event::kStatus, dump(hub_->statusJson()));
  startTelemetry();
}

void Session::shadowChanged() {
  const auto shadow = hub_->engine()->model().shadow();
  outbox_.push(event::kShadowChanged,
               dump({{"type", event::kShadowChanged}, {"shadow", shadowJson(shadow.get())}}));
  telemetry_.reset();
  startTelemetry();  // the layout is another one
}

void Session::workBegan() {
  if (telemetry_) telemetry_->wake();
}

void Session::shutDown() { close(websocket::close_code::going_away, "the server ends"); }

void Session::close(websocket::close_code reasonCode, std::string_view reason) {
  if (!open_) return;
  open_ = false;
  hub_->log().line("session " + std::to_string(client_) + " closed: " + std::string(reason));
  if (hub_->engine()) hub_->engine()->cancelAllOf(client_);
  telemetry_.reset();
  const websocket::close_reason told(reasonCode, beast::string_view(reason.data(), reason.size()));
  socket_.async_close(told, [self = shared_from_this()](ErrorCode) { self->end(); });
  closing_.expires_after(kGoodbye);
  closing_.async_wait([self = shared_from_this()](ErrorCode error) {
    if (!error) beast::get_lowest_layer(self->socket_).close();
  });
}

void Session::end() {
  if (ended_) return;
  ended_ = true;
  open_ = false;
  if (hub_->engine()) hub_->engine()->clientLeft(client_);
  telemetry_.reset();
  if (trace_) {
    if (const auto written = endTrace(); !written) hub_->log().line(written.error().message());
  }
  closing_.cancel();
  beast::get_lowest_layer(socket_).close();
  hub_->leave(this);
  hub_->log().line("session " + std::to_string(client_) + " ended");
}

}  // namespace waferpair::server
