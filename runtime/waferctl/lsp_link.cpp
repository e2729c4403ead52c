// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/lsp_link.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <csignal>
#include <deque>
#include <filesystem>
#include <istream>
#include <thread>
#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"
#include "runtime/waferctl/server_socket.h"

extern char** environ;

namespace waferpair::waferctl {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace event = protocol::event;
namespace field = protocol::field;
namespace fs = std::filesystem;
namespace request = protocol::request;
namespace websocket = beast::websocket;
using Failure = boost::system::error_code;

constexpr int kLongestWaitSeconds = 30;
constexpr int kPatienceMs = 5000;   // with a server that is asked to end
constexpr int kCompetingLines = 6;  // as the editor of the program asks (completion_provider.h)

}  // namespace

// A connection. Its handlers keep it alive; what they tell goes nowhere once it is dropped.
class LspLink::Session : public std::enable_shared_from_this<LspLink::Session> {
 public:
  Session(asio::io_context& context, LspLink* link) : socket_(context), link_(link) {}

  void open(const server::RunningServer& server) {
    asio::async_connect(
        socket_.next_layer(), endpointsOf(server),
        [self = shared_from_this(), server](Failure error, const tcp::endpoint& at) {
          if (error) return self->fail(error);
          if (!requireOwnServer(at)) return self->fail(asio::error::access_denied);
          self->socket_.set_option(showToken(server));
          self->handshake(hostOf(at));
        });
  }

  void send(std::string text) {
    unsent_.push_back(std::move(text));
    if (unsent_.size() == 1) write();
  }

  void drop() {
    link_ = nullptr;
    Failure ignored;
    socket_.next_layer().close(ignored);
  }

 private:
  void handshake(const std::string& host) {
    Failure ignored;
    socket_.next_layer().set_option(tcp::no_delay(true), ignored);
    socket_.async_handshake(host, std::string(protocol::kSocketPath),
                            [self = shared_from_this()](Failure error) {
                              if (error) return self->fail(error);
                              self->read();
                            });
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](Failure error, std::size_t) {
      if (error) return self->fail(error);
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      if (self->link_) self->link_->read(text);
      if (self->link_) self->read();
    });
  }

  void write() {
    socket_.async_write(asio::buffer(unsent_.front()),
                        [self = shared_from_this()](Failure error, std::size_t) {
                          if (error) return self->fail(error);
                          self->unsent_.pop_front();
                          if (!self->unsent_.empty()) self->write();
                        });
  }

  void fail(const Failure& error) {
    if (LspLink* link = std::exchange(link_, nullptr))
      link->lose("The connection to waferd failed: " + error.message() + ".");
  }

  websocket::stream<tcp::socket> socket_;
  beast::flat_buffer buffer_;
  std::deque<std::string> unsent_;
  LspLink* link_;
};

// A waferd that ends with this process.
class LspLink::OwnServer {
 public:
  explicit OwnServer(asio::io_context& context) : output_(context) {}
  ~OwnServer() {
    if (pid_ <= 0) return;
    kill(pid_, SIGTERM);
    for (int i = 0; i < kPatienceMs / 10; ++i) {
      if (waitpid(pid_, nullptr, WNOHANG) != 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  base::Result<void> start(const std::string& model) {
    std::error_code error;
    const std::string program =
        (fs::read_symlink("/proc/self/exe", error).parent_path() / "waferd").string();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return base::fail("waferd cannot be started: no pipe.");
    output_.assign(ends[0]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const std::string parent = std::to_string(getpid());
    const std::array<const char*, 6> arguments = {program.c_str(), "--model",      model.c_str(),
                                                  "--parent-pid",  parent.c_str(), nullptr};
    const int failed = posix_spawn(&pid_, program.c_str(), &actions, nullptr,
                                   const_cast<char* const*>(arguments.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failed == 0) return {};
    pid_ = -1;
    return base::fail(
        program + " cannot be started: " + std::generic_category().message(failed) + ".",
        "Install waferd beside waferctl.");
  }

  // Calls back with the server, or with nothing where it ended before it listened.
  void whenListening(std::function<void(std::optional<server::RunningServer>)> then) {
    asio::async_read_until(output_, said_, '\n', [this, then](Failure error, std::size_t) {
      if (error == asio::error::operation_aborted) return;
      std::string line;
      std::istream stream(&said_);
      std::getline(stream, line);
      const Json said = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (error || !said.is_object()) return then(std::nullopt);
      auto token = server::readToken(said.value("token_file", ""));
      if (!token) return then(std::nullopt);
      then(server::RunningServer{said.value("port", std::uint16_t{0}), std::move(*token)});
    });
  }

 private:
  asio::posix::stream_descriptor output_;
  asio::streambuf said_;
  pid_t pid_ = -1;
};

LspLink::LspLink(asio::io_context& context, const SourceFlags& flags)
    : context_(context), flags_(flags), timer_(context) {}

LspLink::~LspLink() {
  if (session_) session_->drop();
}

void LspLink::start(Events events) {
  events_ = std::move(events);
  look();
}

void LspLink::look() {
  own_.reset();
  if (flags_.model.empty()) {
    const auto found = findServer(flags_);
    if (!found) return lose(found.error().message());
    if (*found) return connect(**found);
  }
  const auto model = flags_.model.empty() ? defaultModel() : flags_.model;
  if (!model) return lose(model.error().message());
  own_ = std::make_unique<OwnServer>(context_);
  if (const auto started = own_->start(*model); !started) return lose(started.error().message());
  own_->whenListening([this](const std::optional<server::RunningServer>& server) {
    if (server) return connect(*server);
    lose("waferd ended before it listened. Start it by hand to see why: waferd --model FILE.");
  });
}

void LspLink::connect(const server::RunningServer& server) {
  session_ = std::make_shared<Session>(context_, this);
  session_->open(server);
}

void LspLink::lose(const std::string& why) {
  if (session_) session_->drop();
  session_.reset();
  ready_ = false;
  texts_.clear();
  timer_.expires_after(std::chrono::seconds(waitSeconds_));
  waitSeconds_ = std::min(2 * waitSeconds_, kLongestWaitSeconds);
  timer_.async_wait([this](Failure error) {
    if (!error) look();
  });
  events_.lost(why);
}

void LspLink::read(const std::string& text) {
  const Json message = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!message.is_object()) return lose("waferd sent something that is not a JSON object.");
  const std::string type = message.value(field::message::kType.name, "");
  if (const std::string state = message.value(field::state::kState.name, ""); !state.empty()) {
    if (state == protocol::state::kFailed) {
      const Json error = message.value(field::state::kError.name, Json::object());
      return lose(error.value(field::failure::kMessage.name, "") + " " +
                  error.value(field::failure::kRemedy.name, ""));
    }
    const bool ready = state == protocol::state::kReady;
    if (ready && !std::exchange(ready_, true)) {
      waitSeconds_ = 1;
      events_.ready();
    }
    return;
  }
  if (type == event::kCompletionDelta) {
    const auto found =
        texts_.find(message.value(field::completion_delta::kId.name, std::uint64_t{0}));
    if (found != texts_.end())
      found->second += message.value(field::completion_delta::kText.name, "");
    return;
  }
  // A request that was not accepted has an error in place of an end.
  if (type != event::kCompletionDone && type != event::kError) return;
  const Json id = message.value(field::completion_done::kId.name, Json());
  const auto found = id.is_number_unsigned() ? texts_.find(id.get<std::uint64_t>()) : texts_.end();
  if (found == texts_.end()) return;
  const std::uint64_t number = found->first;
  lsp::Suggestion suggestion{.text = std::move(found->second), .probability = {}, .timings = {}};
  texts_.erase(found);
  if (type == event::kError) {
    suggestion.text.clear();
  } else {
    namespace field = field::completion_done;
    const Json probability = message.value(field::kProbability.name, Json());
    if (probability.is_number()) suggestion.probability = probability.get<double>();
    suggestion.timings = message.value(field::kTimings.name, Json());
    const std::string reason = message.value(field::kReason.name, "");
    if (reason == protocol::reason::kCancelled || reason == protocol::reason::kStale ||
        reason == protocol::reason::kFailed)
      suggestion.text.clear();
  }
  events_.suggested(number, suggestion);
}

void LspLink::send(const Json& message) {
  if (session_) session_->send(server::dump(message));
}

void LspLink::open(const std::string& uri, const std::string& language, std::int64_t version,
                   const std::string& text) {
  Json message = {{field::message::kType, request::kDocumentOpen},
                  {field::document_open::kUri, uri},
                  {field::document_open::kVersion, version},
                  {field::document_open::kText, text}};
  if (!language.empty()) message[field::document_open::kLanguage.name] = language;
  send(message);
}

void LspLink::change(const std::string& uri, std::int64_t version,
                     const std::vector<lsp::Edit>& edits) {
  Json list = Json::array();
  for (const lsp::Edit& edit : edits)
    list.push_back({{field::edit::kStart, edit.start},
                    {field::edit::kEnd, edit.end},
                    {field::edit::kText, edit.text}});
  send({{field::message::kType, request::kDocumentChange},
        {field::document_change::kUri, uri},
        {field::document_change::kVersion, version},
        {field::document_change::kEdits, std::move(list)}});
}

void LspLink::close(const std::string& uri) {
  send({{field::message::kType, request::kDocumentClose}, {field::document_close::kUri, uri}});
}

void LspLink::ask(std::uint64_t id, const lsp::Wish& wish) {
  namespace create = field::completion_create;
  texts_.emplace(id, std::string());
  Json message = {{field::message::kType, request::kCompletionCreate},
                  {create::kId, id},
                  {create::kUri, wish.uri},
                  {create::kVersion, wish.version},
                  {create::kOffset, wish.offset},
                  {create::kMaxTokens, wish.maxTokens},
                  {create::kMinProbability, wish.minProbability},
                  {create::kAlternative, wish.alternative},
                  {create::kLines, kCompetingLines}};
  if (wish.maxLines > 0) message[create::kMaxLines.name] = wish.maxLines;
  send(message);
}

void LspLink::cancel(std::uint64_t id) {
  send({{field::message::kType, request::kCompletionCancel}, {field::completion_cancel::kId, id}});
}

}  // namespace waferpair::waferctl
