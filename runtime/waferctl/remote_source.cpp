// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/remote_source.h"

#include <boost/asio/connect.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <filesystem>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"
#include "runtime/waferctl/server_socket.h"

namespace waferpair::waferctl {
namespace {

namespace beast = boost::beast;
namespace event = protocol::event;
namespace field = protocol::field;
namespace request = protocol::request;
namespace websocket = beast::websocket;

void addSampling(Json& message, const inference::SamplingOptions& sampling) {
  message[field::sampling::kTemperature.name] = sampling.temperature;
  message[field::sampling::kTopK.name] = sampling.topK;
  message[field::sampling::kTopP.name] = sampling.topP;
  message[field::sampling::kSeed.name] = sampling.seed;
}

// Returns a server's error as one of ours.
tl::unexpected<base::Error> failure(const Json& error) {
  return base::fail(error.value(field::failure::kMessage.name, ""),
                    error.value(field::failure::kRemedy.name, ""));
}

}  // namespace

class RemoteSource::Socket {
 public:
  base::Result<void> open(const server::RunningServer& server) {
    boost::system::error_code error;
    const tcp::endpoint endpoint =
        boost::asio::connect(stream_.next_layer(), endpointsOf(server), error);
    if (!error) stream_.next_layer().set_option(tcp::no_delay(true), error);
    if (error) return broken(error);
    if (auto own = requireOwnServer(endpoint); !own) return own;
    stream_.set_option(showToken(server));
    websocket::response_type response;
    const std::string path(protocol::kSocketPath);
    stream_.handshake(response, hostOf(endpoint), path, error);
    if (response.result() == beast::http::status::unauthorized)
      return base::fail("waferd on port " + std::to_string(server.port) + " refuses the token.",
                        "Name its token file with --token-file.");
    return error ? broken(error) : base::Result<void>{};
  }

  base::Result<void> write(const std::string& text) {
    boost::system::error_code error;
    stream_.write(boost::asio::buffer(text), error);
    return error ? broken(error) : base::Result<void>{};
  }

  base::Result<std::string> read() {
    boost::system::error_code error;
    beast::flat_buffer buffer;
    stream_.read(buffer, error);
    if (error) return tl::unexpected(broken(error).error());
    return beast::buffers_to_string(buffer.data());
  }

 private:
  static base::Result<void> broken(const boost::system::error_code& error) {
    return base::fail("The connection to waferd failed: " + error.message() + ".",
                      "See whether it still runs: waferctl status.");
  }

  boost::asio::io_context context_;
  websocket::stream<tcp::socket> stream_{context_};
};

RemoteSource::RemoteSource() : socket_(std::make_unique<Socket>()) {}
RemoteSource::~RemoteSource() = default;

base::Result<std::unique_ptr<Source>> RemoteSource::connect(const server::RunningServer& server) {
  auto source = std::unique_ptr<RemoteSource>(new RemoteSource);
  source->port_ = server.port;
  if (auto opened = source->socket_->open(server); !opened) return tl::unexpected(opened.error());
  if (auto ready = source->awaitModel(); !ready) return tl::unexpected(ready.error());
  return source;
}

base::Result<Json> RemoteSource::status(const server::RunningServer& server) {
  RemoteSource source;
  if (auto opened = source.socket_->open(server); !opened) return tl::unexpected(opened.error());
  if (auto asked = source.send({{field::message::kType, request::kStatusGet}}); !asked)
    return tl::unexpected(asked.error());
  return source.await(event::kStatus);
}

std::string RemoteSource::name() const { return "waferd on port " + std::to_string(port_); }

base::Result<void> RemoteSource::awaitModel() {
  for (;;) {  // session.ready, then status whenever the state changes
    const auto message = next();
    if (!message) return tl::unexpected(message.error());
    const std::string state = message->value(field::state::kState.name, "");
    if (state == protocol::state::kReady) {
      model_ = message->value(field::state::kModel.name, Json::object());
      return {};
    }
    if (state == protocol::state::kFailed)
      return failure(message->value(field::state::kError.name, Json::object()));
  }
}

base::Result<void> RemoteSource::send(const Json& message) {
  return socket_->write(server::dump(message));
}

base::Result<Json> RemoteSource::next() {
  auto text = socket_->read();
  if (!text) return tl::unexpected(text.error());
  Json message = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!message.is_object())
    return base::fail(name() + " sent something that is not a JSON object.",
                      "Use waferd and waferctl of the same version.");
  if (message.value(field::message::kType.name, "") == event::kError)
    return failure(message.value(field::error::kError.name, Json::object()));
  return message;
}

base::Result<Json> RemoteSource::complete(const CursorPlace& place, const TokenLimits& limits,
                                          const OnText& onText) {
  const std::string uri = "file://" + place.file;
  Json create = {{field::message::kType, request::kCompletionCreate},
                 {field::completion_create::kId, 1},
                 {field::completion_create::kUri, uri},
                 {field::completion_create::kVersion, 1},
                 {field::completion_create::kOffset, place.offset},
                 {field::completion_create::kMaxTokens, limits.maxTokens}};
  if (limits.maxLines > 0) create[field::completion_create::kMaxLines.name] = limits.maxLines;
  addSampling(create, limits.sampling);
  if (!limits.speculation) create[field::completion_create::kSpeculation.name] = false;
  const Json open = {{field::message::kType, request::kDocumentOpen},
                     {field::document_open::kUri, uri},
                     {field::document_open::kVersion, 1},
                     {field::document_open::kText, place.text}};
  for (const Json& message : {open, create}) {
    if (auto sent = send(message); !sent) return tl::unexpected(sent.error());
  }
  for (;;) {
    const auto message = next();
    if (!message) return message;
    const std::string type = message->value(field::message::kType.name, "");
    if (type == event::kCompletionDelta)
      onText(message->value(field::completion_delta::kText.name, ""));
    if (type != event::kCompletionDone) continue;
    if (auto sent = send(
            {{field::message::kType, request::kDocumentClose}, {field::document_close::kUri, uri}});
        !sent)
      return tl::unexpected(sent.error());
    namespace field = field::completion_done;
    return Json{{field::kReason, (*message)[field::kReason.name]},
                {field::kUsage, (*message)[field::kUsage.name]},
                {field::kTimings, (*message)[field::kTimings.name]}};
  }
}

base::Result<Json> RemoteSource::generate(const std::string& prompt, const TokenLimits& limits,
                                          const OnText& onText) {
  Json create = {{field::message::kType, request::kResponseCreate},
                 {field::response_create::kInput, prompt},
                 {field::response_create::kMaxOutputTokens, limits.maxTokens}};
  if (limits.chat)
    create[field::response_create::kInput.name] =
        Json::array({{{"role", "user"}, {"content", prompt}}});
  addSampling(create, limits.sampling);
  if (!limits.speculation) create[field::response_create::kSpeculation.name] = false;
  if (auto sent = send(create); !sent) return tl::unexpected(sent.error());
  for (;;) {
    const auto message = next();
    if (!message) return message;
    const std::string type = message->value(field::message::kType.name, "");
    if (type == event::kResponseOutputTextDelta)
      onText(message->value(field::response_output_text_delta::kDelta.name, ""));
    const bool ended = type == event::kResponseCompleted || type == event::kResponseIncomplete ||
                       type == event::kResponseCancelled || type == event::kResponseFailed;
    if (!ended) continue;
    const Json response = message->value(field::response_completed::kResponse.name, Json::object());
    if (type == event::kResponseFailed)
      return failure(response.value(field::error::kError.name, Json::object()));
    const Json details = response.value("incomplete_details", Json());
    const bool full = details.is_object() &&
                      details.value(field::completion_done::kReason.name, "") == "context_full";
    std::string_view reason = protocol::reason::kEndOfText;
    if (type == event::kResponseCancelled)
      reason = protocol::reason::kCancelled;
    else if (details.is_object())
      reason = full ? protocol::reason::kContextFull : protocol::reason::kMaxTokens;
    namespace field = field::completion_done;
    return Json{{field::kReason, reason},
                {field::kUsage, response.value(field::kUsage.name, Json())},
                {field::kTimings, response.value(field::kTimings.name, Json())}};
  }
}

base::Result<Json> RemoteSource::await(std::string_view type) {
  for (;;) {
    auto message = next();
    if (!message || message->value(field::message::kType.name, "") == type) return message;
  }
}

base::Result<void> RemoteSource::startTrace(const std::string& path) {
  const Json start = {{field::message::kType, request::kTraceStart},
                      {field::trace_start::kFile, std::filesystem::absolute(path).string()}};
  if (auto sent = send(start); !sent) return tl::unexpected(sent.error());
  if (auto started = await(event::kTraceStarted); !started) return tl::unexpected(started.error());
  return {};
}

base::Result<Json> RemoteSource::stopTrace() {
  if (auto sent = send({{field::message::kType, request::kTraceStop}}); !sent)
    return tl::unexpected(sent.error());
  return await(event::kTraceStopped);
}

}  // namespace waferpair::waferctl
