// SPDX-License-Identifier: GPL-3.0-or-later
// A server of its own with a tiny model, and any bytes as what comes over a connection: as HTTP, as
// frames behind a WebSocket's handshake, or each line as a message in a frame that is right. The
// first byte says which; $TOKEN stands for the server's. Whatever comes, the server lets go of the
// client.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/server.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;

namespace {

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

template <typename Value>
Value orDie(base::Result<Value> result) {
  if (!result) die(result.error().message());
  return std::move(*result);
}

// A server that lives as long as the program.
class RunningServer {
 public:
  RunningServer() {
    std::string folder = (std::filesystem::temp_directory_path() / "fuzz.XXXXXX").string();
    if (!mkdtemp(folder.data())) die("no temporary folder");
    const std::string model = folder + "/tiny.gguf";
    if (const auto written = test::writeTinyModel(model, {.layers = 1}); !written)
      die(written.error().message());
    server_ =
        orDie(server::Server::listen(context_, log_, {.port = 0, .tokenFile = folder + "/token"}));
    auto compiled = orDie(inference::CompiledModel::load(model, {.threads = 1}));
    server_->hub().models().add(orDie(inference::Engine::make(std::move(compiled), {})));
    token_ = server_->hub().token();
    std::filesystem::remove_all(folder);
    std::thread([this] { context_.run(); }).detach();
  }
  const std::string& token() const { return token_; }

  // Sends all of it and waits until the server has hung up.
  void talk(std::string_view bytes) const {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
      die("the server cannot be reached");
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    while (!bytes.empty()) {
      const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) break;  // it has heard enough
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    shutdown(fd, SHUT_WR);
    char answer[4096];
    ssize_t got = 0;
    while ((got = recv(fd, answer, sizeof(answer), 0)) > 0) continue;
    if (got < 0 && errno == EAGAIN) die("the server does not hang up");
    close(fd);
  }

 private:
  boost::asio::io_context context_{1};
  server::Log log_;
  std::unique_ptr<server::Server> server_;
  std::string token_;
};

std::string handshake(const std::string& token) {
  return "GET /v1/session HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
         "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer " +
         token + "\r\n\r\n";
}

// A whole text message; masked, as clients' must be, with zeros.
std::string frame(std::string_view text) {
  std::string bytes = "\x81\xfe";
  bytes += static_cast<char>(text.size() >> 8 & 0xff);
  bytes += static_cast<char>(text.size() & 0xff);
  return bytes.append(4, '\0').append(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto* server = new RunningServer;
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (text.find(".wptrace") != text.npos) return 0;  // would be recorded, wherever it says
  for (std::size_t at; (at = text.find("$TOKEN")) != text.npos;)
    text.replace(at, 6, server->token());
  if (data[0] % 3 == 0) {
    server->talk(text);
  } else if (data[0] % 3 == 1) {
    server->talk(handshake(server->token()) + text);
  } else {
    std::string bytes = handshake(server->token());
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min({text.find('\n', at), text.size(), at + 0xffff});
      bytes += frame(std::string_view(text).substr(at, end - at));
      at = end + (end < text.size() && text[end] == '\n' ? 1 : 0);
    }
    server->talk(bytes);
  }
  return 0;
}
