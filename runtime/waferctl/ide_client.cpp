// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/ide_client.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "runtime/base/private_folder.h"
#include "runtime/protocol/automation.h"

namespace waferpair::waferctl {
namespace {

using Json = nlohmann::json;

constexpr const char* kStart = "Start one with: waferpair --automation";

int connectTo(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

}  // namespace

base::Result<std::string> findIdeSocket() {
  const auto folder = base::privateFolder("Name the socket with --socket.");
  if (!folder) return tl::unexpected(folder.error());
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(*folder, error)) {
    if (!protocol::automationProcess(entry.path().filename().string())) continue;
    // A window that was killed leaves its socket, to which nobody listens.
    const int fd = connectTo(entry.path().string());
    if (fd < 0) continue;
    close(fd);
    found.push_back(entry.path().string());
  }
  if (found.empty()) return base::fail("No window of yours lets itself be driven.", kStart);
  if (found.size() == 1) return found.front();
  std::string all;
  for (const std::string& path : found) all += "\n  " + path;
  return base::fail("Several windows let themselves be driven:" + all + "\n",
                    "Choose one with --socket.");
}

base::Result<IdeClient> IdeClient::connect(const std::string& path) {
  const int fd = connectTo(path);
  if (fd < 0)
    return base::fail("No window answers at " + path + ": " + std::strerror(errno) + ".", kStart);
  IdeClient client(fd);
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid())
    return base::fail("Who listens at " + path + " is another user.", "Name another socket.");
  return client;
}

IdeClient::IdeClient(IdeClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      lastId_(other.lastId_),
      unread_(std::move(other.unread_)) {}

IdeClient::~IdeClient() {
  if (fd_ >= 0) close(fd_);
}

base::Result<Json> IdeClient::call(const std::string& method, const Json& params) {
  const Json request = {
      {"jsonrpc", "2.0"}, {"id", ++lastId_}, {"method", method}, {"params", params}};
  const std::string line = request.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t put = send(fd_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return base::fail("The window hung up.", kStart);
    sent += static_cast<std::size_t>(put);
  }
  const auto text = readLine();
  if (!text) return tl::unexpected(text.error());
  const Json answer = Json::parse(*text, nullptr, false);
  if (!answer.is_object())
    return base::fail("The window's answer is not understood.", "Is it a window of Waferpair?");
  if (const auto error = answer.find("error"); error != answer.end() && error->is_object()) {
    const auto data = error->value("data", Json::object());
    return base::fail(error->value("message", "The window refused."), data.value("remedy", ""));
  }
  return answer.value("result", Json());
}

base::Result<std::string> IdeClient::readLine() {
  for (;;) {
    if (const std::size_t end = unread_.find('\n'); end != unread_.npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    char buffer[1 << 16];
    const ssize_t got = recv(fd_, buffer, sizeof(buffer), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return base::fail("The window ended before it answered.", kStart);
    unread_.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace waferpair::waferctl
