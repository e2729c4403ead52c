// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/connect_check.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "runtime/lsp/framing.h"
#include "runtime/server/core/proof.h"
#include "runtime/server/core/token_file.h"
#include "runtime/waferctl/server_socket.h"

extern char** environ;

namespace waferpair::waferctl {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using base::Json;
using Clock = std::chrono::steady_clock;

// A model that is not in memory is loaded first.
constexpr std::chrono::seconds kPatience{120};
constexpr std::chrono::milliseconds kBetween{200};  // questions to a language server
constexpr std::size_t kMostAnswer = std::size_t{16} << 20;

std::string elapsed(Clock::time_point since) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - since);
  return std::to_string(ms.count()) + " ms";
}

// One request over a connection of its own.
class Asking {
 public:
  explicit Asking(const Connection& to) : to_(to), stream_(context_) {
    // "http://HOST:PORT", as connect makes it.
    std::string_view rest = to.address;
    rest.remove_prefix(rest.find("//") + 2);
    const std::size_t colon = rest.rfind(':');
    host_ = std::string(rest.substr(0, colon));
    port_ = static_cast<std::uint16_t>(std::stoi(std::string(rest.substr(colon + 1))));
  }

  base::Result<Json> ask(http::verb method, const std::string& path, const std::string& body) {
    request_ = {method, path, 11};
    request_.set(http::field::host, host_ + ":" + std::to_string(port_));
    if (!path.starts_with(server::kProofFolder))
      request_.set(http::field::authorization, "Bearer " + to_.token);
    request_.set(http::field::content_type, "application/json");
    request_.body() = body;
    request_.prepare_payload();
    parser_.body_limit(kMostAnswer);
    stream_.expires_after(kPatience);
    stream_.async_connect(tcp::endpoint(asio::ip::make_address(host_), port_),
                          [this](Failure error) { onConnected(error); });
    context_.run();
    if (stranger_) return tl::unexpected(*stranger_);
    if (failure_)
      return base::fail(
          "waferd at " + to_.address + " cannot be asked: " + failure_.message() + ".",
          "See whether it runs: waferctl status.");
    const auto& answer = parser_.get();
    Json told = Json::parse(answer.body(), nullptr, /*allow_exceptions=*/false);
    if (answer.result() == http::status::ok && !told.is_discarded()) return told;
    std::string what = "status " + std::to_string(answer.result_int());
    std::string remedy = "See docs/protocol.md.";
    if (told.is_object() && told.contains("error") && told["error"].is_object()) {
      what = told["error"].value("message", what);
      remedy = told["error"].value("remedy", remedy);
    }
    return base::fail("waferd answers " + path + ": " + what, remedy);
  }

 private:
  using Failure = boost::system::error_code;

  void onConnected(Failure error) {
    if (error) return end(error);
    if (auto own = requireOwnServer(stream_.socket().remote_endpoint()); !own) {
      stranger_ = own.error();
      return end({});
    }
    http::async_write(stream_, request_, [this](Failure failed, std::size_t) {
      if (failed) return end(failed);
      http::async_read(stream_, buffer_, parser_, [this](Failure last, std::size_t) { end(last); });
    });
  }
  void end(Failure error) {
    failure_ = error;
    stream_.close();
  }

  const Connection& to_;
  asio::io_context context_;
  beast::tcp_stream stream_;
  std::string host_;
  std::uint16_t port_ = 0;
  http::request<http::string_body> request_;
  beast::flat_buffer buffer_;
  http::response_parser<http::string_body> parser_;
  Failure failure_;
  std::optional<base::Error> stranger_;  // why nothing is sent there
};

base::Result<std::string> checkHttp(const Connection& to, const std::string& path,
                                    const Json& body) {
  const auto begun = Clock::now();
  const auto told = Asking(to).ask(http::verb::post, path, body.dump());
  if (!told) return tl::unexpected(told.error());
  return "POST " + path + " was answered in " + elapsed(begun) + ".";
}

// `waferctl lsp`, as an editor starts it.
class LanguageServer {
 public:
  ~LanguageServer() {
    if (input_ >= 0) close(input_);
    if (output_ >= 0) close(output_);
    if (pid_ <= 0) return;
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }

  base::Result<void> start(const std::string& program) {
    int in[2];
    int out[2];
    if (pipe2(in, O_CLOEXEC) != 0) return failed(program);
    input_ = in[1];
    if (pipe2(out, O_CLOEXEC) != 0) {
      close(in[0]);
      return failed(program);
    }
    output_ = out[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    const std::array<const char*, 3> arguments = {program.c_str(), "lsp", nullptr};
    errno = posix_spawn(&pid_, program.c_str(), &actions, nullptr,
                        const_cast<char* const*>(arguments.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    if (errno == 0) return {};
    pid_ = -1;
    return failed(program);
  }

  bool send(const Json& message) {
    std::string text = lsp::frame(message.dump());
    std::string_view rest = text;
    while (!rest.empty()) {
      const ssize_t put = write(input_, rest.data(), rest.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      rest.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
  }

  // The result of the request with that id, or nothing: it ended, or says nothing until then.
  std::optional<Json> resultOf(int id, Clock::time_point until) {
    for (;;) {
      const auto body = frames_.next();
      if (!body) return std::nullopt;
      if (*body) {
        const Json message = Json::parse(**body, nullptr, /*allow_exceptions=*/false);
        if (message.is_object() && message.contains("id") && message["id"] == id)
          return message.value("result", Json());
        continue;
      }
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
      pollfd waiting{output_, POLLIN, 0};
      if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) <= 0) return std::nullopt;
      std::array<char, 16 << 10> buffer;
      const ssize_t got = read(output_, buffer.data(), buffer.size());
      if (got <= 0) return std::nullopt;
      frames_.feed({buffer.data(), static_cast<std::size_t>(got)});
    }
  }

 private:
  static base::Result<void> failed(const std::string& program) {
    return base::fail(program + " lsp cannot be started: " + std::strerror(errno) + ".",
                      "Install waferctl and waferd in one folder.");
  }

  int input_ = -1, output_ = -1;
  pid_t pid_ = -1;
  lsp::FrameReader frames_;
};

Json request(int id, const char* method, Json parameters) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(parameters)}};
}

Json notification(const char* method, Json parameters) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}};
}

// There is no suggestion until the model is in memory, so it asks until one comes: by key, however
// unsure the model is.
base::Result<std::string> checkLanguageServer(const Connection& to) {
  LanguageServer server;
  if (auto started = server.start(to.waferctl); !started) return tl::unexpected(started.error());
  const auto until = Clock::now() + kPatience;
  const auto silent = [] {
    return base::fail("waferctl lsp gave no suggestion.",
                      "See what it says: the editor's log of language servers has it.");
  };
  const Json document = {{"uri", "file:///waferpair-check.c"}};
  Json opened = document;
  opened.update({{"languageId", "c"}, {"version", 1}, {"text", "int main(int argc, "}});
  const Json asked = {{"textDocument", document},
                      {"position", {{"line", 0}, {"character", 19}}},
                      {"context", {{"triggerKind", 1}}}};
  const Json abilities = {{"textDocument", {{"inlineCompletion", Json::object()}}}};
  if (!server.send(
          request(1, "initialize",
                  {{"processId", getpid()}, {"rootUri", nullptr}, {"capabilities", abilities}})) ||
      !server.resultOf(1, until) || !server.send(notification("initialized", Json::object())) ||
      !server.send(notification("textDocument/didOpen", {{"textDocument", opened}})))
    return silent();
  for (int id = 2; Clock::now() < until; ++id) {
    const auto begun = Clock::now();
    if (!server.send(request(id, "textDocument/inlineCompletion", asked))) return silent();
    const auto result = server.resultOf(id, until);
    if (!result) return silent();
    const Json items = result->is_object() ? result->value("items", Json::array()) : *result;
    if (items.is_array() && !items.empty())
      return "waferctl lsp suggested something in " + elapsed(begun) + ".";
    std::this_thread::sleep_for(kBetween);
  }
  return silent();
}

}  // namespace

base::Result<void> requireProof(const Connection& to) {
  const auto nonce = server::randomToken();
  if (!nonce) return tl::unexpected(nonce.error());
  const auto told = getJson(to, std::string(server::kProofFolder) + *nonce);
  if (!told) return tl::unexpected(told.error());
  const std::size_t colon = to.address.rfind(':');
  const auto port = static_cast<std::uint16_t>(std::stoi(to.address.substr(colon + 1)));
  const Json proof = told->value("user_proof", Json());
  if (proof.is_string() && server::equalInConstantTime(proof.get<std::string>(),
                                                       server::proofOf(to.token, *nonce, port)))
    return {};
  return base::fail("The program at " + to.address +
                        " does not prove that it is your waferd: "
                        "the token is not sent to it.",
                    "See which run: waferctl status.");
}

base::Result<Json> getJson(const Connection& to, const std::string& path) {
  return Asking(to).ask(http::verb::get, path, {});
}

base::Result<std::string> checkRequest(FirstRequest first, const Connection& to) {
  switch (first) {
    case FirstRequest::kLanguageServer:
      return checkLanguageServer(to);
    case FirstRequest::kInfill:
      return checkHttp(
          to, "/infill",
          {{"input_prefix", "int main(int argc, "}, {"input_suffix", ""}, {"n_predict", 1}});
    case FirstRequest::kChat:
      return checkHttp(to, "/v1/chat/completions",
                       {{"model", to.model},
                        {"max_tokens", 1},
                        {"messages", Json::array({{{"role", "user"}, {"content", "Hi"}}})}});
    case FirstRequest::kResponses:
      break;
  }
  return checkHttp(
      to, "/v1/responses",
      {{"model", to.model}, {"max_output_tokens", 1}, {"store", false}, {"input", "int main"}});
}

}  // namespace waferpair::waferctl
