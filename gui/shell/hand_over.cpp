// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/hand_over.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QCryptographicHash>
#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "gui/store/app_paths.h"
#include "runtime/base/file_lock.h"
#include "runtime/base/private_folder.h"

namespace waferpair::gui {
namespace {

constexpr int kWindowPatienceMs = 5'000;  // for a window that hangs
constexpr int kOthersMs = 300;            // for the others, once one has answered
constexpr int kTurnMs = 3'000;
constexpr int kTurnPauseMs = 20;
constexpr qsizetype kMostWindows = 64;

// A descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// A connection to a window.
struct WindowLink {
  Descriptor socket;
  QByteArray read = {};  // no whole line yet
  std::optional<WindowGreeting> greeting = std::nullopt;
  bool isGone = false;
};

enum class Connected { kYes, kDead, kNo };

Connected connectTo(const QByteArray& path, Descriptor* socket) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (static_cast<std::size_t>(path.size()) >= sizeof(address.sun_path)) return Connected::kNo;
  std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
  *socket = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  // EAGAIN: so many wait already that the window must hang.
  if (::connect(socket->get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    return errno == ECONNREFUSED ? Connected::kDead : Connected::kNo;
  ucred peer = {};
  socklen_t size = sizeof(peer);
  const bool isOurs = ::getsockopt(socket->get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
                      peer.uid == ::geteuid();
  return isOurs ? Connected::kYes : Connected::kNo;
}

// Removes what a window left that did not end in order.
void removeDead(const QByteArray& path) {
  struct stat info = {};
  if (::lstat(path.constData(), &info) == 0 && S_ISSOCK(info.st_mode) && info.st_uid == ::geteuid())
    ::unlink(path.constData());
}

// Connections to all windows of the profile, the one used last first.
std::vector<WindowLink> connectToAll(const QString& prefix) {
  const QFileInfo names(prefix + u'*');
  const QFileInfoList files =
      QDir(names.path()).entryInfoList({names.fileName()}, QDir::System | QDir::Hidden, QDir::Time);
  std::vector<WindowLink> links;
  for (const QFileInfo& file : files) {
    if (!file.fileName().endsWith(QLatin1String(".sock"))) continue;
    if (static_cast<qsizetype>(links.size()) == kMostWindows) break;
    const QByteArray path = QFile::encodeName(file.filePath());
    Descriptor socket;
    switch (connectTo(path, &socket)) {
      case Connected::kYes:
        links.push_back({std::move(socket)});
        break;
      case Connected::kDead:
        removeDead(path);
        break;
      case Connected::kNo:
        break;
    }
  }
  return links;
}

// Reads what is there. Nothing: no whole line yet, or the other end is gone.
std::optional<QByteArray> readLine(WindowLink& link) {
  char bytes[4096];
  for (;;) {
    const qsizetype end = link.read.indexOf('\n');
    if (end >= 0) {
      const QByteArray line = link.read.left(end + 1);
      link.read.remove(0, end + 1);
      return line;
    }
    const ssize_t count = ::recv(link.socket.get(), bytes, sizeof(bytes), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::nullopt;
    if (count <= 0 || link.read.size() + count > kLongestOpenLine) {
      link.isGone = true;
      return std::nullopt;
    }
    link.read.append(bytes, count);
  }
}

// The next line; nothing if the time is over or the window gone.
std::optional<QByteArray> waitForLine(WindowLink& link, QDeadlineTimer deadline) {
  for (;;) {
    if (auto line = readLine(link)) return line;
    if (link.isGone || deadline.hasExpired()) return std::nullopt;
    pollfd wanted = {link.socket.get(), POLLIN, 0};
    (void)::poll(&wanted, 1, static_cast<int>(deadline.remainingTime()));
  }
}

// Lets the windows greet, and drops those that do not.
void readGreetings(std::vector<WindowLink>& links) {
  QDeadlineTimer deadline(kWindowPatienceMs);
  bool answered = false;
  for (;;) {
    std::vector<pollfd> wanted;
    for (WindowLink& link : links) {
      if (!link.greeting && !link.isGone) {
        if (const auto line = readLine(link)) {
          link.greeting = parseGreeting(*line);
          link.isGone = !link.greeting;
        }
      }
      if (link.greeting && !std::exchange(answered, true))
        deadline = std::min(deadline, QDeadlineTimer(kOthersMs));
      if (!link.greeting && !link.isGone) wanted.push_back({link.socket.get(), POLLIN, 0});
    }
    if (wanted.empty()) return;
    if (deadline.hasExpired()) break;
    (void)::poll(wanted.data(), wanted.size(), static_cast<int>(deadline.remainingTime()));
  }
  if (!answered)
    std::fputs("waferpair: a window that runs does not answer; this opens another one.\n", stderr);
}

bool sendAll(int socket, QByteArrayView bytes, QDeadlineTimer deadline) {
  while (!bytes.isEmpty()) {
    const ssize_t count =
        ::send(socket, bytes.data(), static_cast<std::size_t>(bytes.size()), MSG_NOSIGNAL);
    if (count > 0) {
      bytes = bytes.sliced(count);
      continue;
    }
    if (errno == EINTR) continue;
    if ((errno != EAGAIN && errno != EWOULDBLOCK) || deadline.hasExpired()) return false;
    pollfd wanted = {socket, POLLOUT, 0};
    (void)::poll(&wanted, 1, static_cast<int>(deadline.remainingTime()));
  }
  return true;
}

// Sends the request, and waits where it says so. Nothing: the window did not take it.
std::optional<int> ask(WindowLink& link, const OpenRequest& request, QDeadlineTimer patience) {
  if (!sendAll(link.socket.get(), openRequestLine(request), patience)) return std::nullopt;
  const auto line = waitForLine(link, patience);
  if (!line) return std::nullopt;
  const QJsonObject answer = QJsonDocument::fromJson(*line).object();
  const QString problem = answer.value(u"problem").toString();
  if (!problem.isEmpty()) std::fprintf(stderr, "waferpair: %s\n", qPrintable(problem));
  if (!answer.value(u"taken").toBool()) return problem.isEmpty() ? std::nullopt : std::optional(1);
  if (!request.wait) return problem.isEmpty() ? 0 : 1;
  const auto end = waitForLine(link, QDeadlineTimer(QDeadlineTimer::Forever));
  if (end) return QJsonDocument::fromJson(*end).object().value(u"status").toInt(1) == 0 ? 0 : 1;
  std::fputs("waferpair: the window was gone before the file was closed.\n", stderr);
  return 1;
}

}  // namespace

QString windowSocketPrefix(const AppPaths& paths) {
  const auto folder = base::privateFolder("");
  if (!folder) return {};
  const QByteArray profile =
      QFile::encodeName(paths.config) + '\0' + QFile::encodeName(paths.state);
  const QByteArray name =
      QCryptographicHash::hash(profile, QCryptographicHash::Sha1).toHex().left(16);
  return QStringLiteral("%1/editor-%2-").arg(QString::fromStdString(*folder), QLatin1String(name));
}

std::unique_ptr<base::FileLock> takeTurn(const QString& prefix) {
  if (prefix.isEmpty()) return nullptr;
  const std::string path = QFile::encodeName(prefix + QStringLiteral("start")).toStdString();
  const QDeadlineTimer deadline(kTurnMs);
  for (;;) {
    auto lock = base::FileLock::create(path);
    if (!lock) lock = base::FileLock::take(path);
    if (lock) return std::make_unique<base::FileLock>(std::move(*lock));
    const bool isTaken = errno == EWOULDBLOCK || errno == EEXIST || errno == ENOENT;
    if (!isTaken || deadline.hasExpired()) return nullptr;
    QThread::msleep(kTurnPauseMs);
  }
}

std::optional<int> handOver(const OpenRequest& request, const QString& prefix) {
  if (prefix.isEmpty()) return std::nullopt;
  std::vector<WindowLink> links = connectToAll(prefix);
  readGreetings(links);
  links.erase(std::remove_if(links.begin(), links.end(),
                             [](const WindowLink& link) { return !link.greeting || link.isGone; }),
              links.end());
  while (!links.empty()) {
    QList<WindowGreeting> windows;
    for (const WindowLink& link : links) windows.append(*link.greeting);
    const qsizetype chosen = chooseWindow(request, windows);
    if (chosen < 0) return std::nullopt;
    if (const auto code = ask(links[chosen], request, QDeadlineTimer(kWindowPatienceMs)))
      return code;
    links.erase(links.begin() + chosen);  // it is just closing, or hangs by now
  }
  return std::nullopt;
}

int handOverToNew(const OpenRequest& request, const QStringList& arguments) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    std::fprintf(stderr, "waferpair: no window can be opened: %s.\n", std::strerror(errno));
    return 1;
  }
  WindowLink link{Descriptor(ends[0])};
  Descriptor theirs(ends[1]);
  QList<QByteArray> bytes{"waferpair", "--handed-over", QByteArray::number(ends[1])};
  for (const QString& argument : arguments) bytes.append(argument.toLocal8Bit());
  std::vector<char*> argv;
  for (QByteArray& argument : bytes) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    // Ctrl+C in a terminal is for who waits, not for the window.
    ::setsid();
    ::fcntl(ends[1], F_SETFD, 0);
    ::execv("/proc/self/exe", argv.data());
    ::_exit(127);
  }
  theirs = Descriptor();
  if (child < 0) {
    std::fprintf(stderr, "waferpair: no window can be opened: %s.\n", std::strerror(errno));
    return 1;
  }
  // How long a start takes, nobody knows; if it fails, the connection ends.
  const QDeadlineTimer never(QDeadlineTimer::Forever);
  if (waitForLine(link, never)) {
    if (const auto code = ask(link, request, never)) return *code;
  }
  std::fputs("waferpair: the window could not be opened.\n", stderr);
  return 1;
}

}  // namespace waferpair::gui
