// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/orderly_end.h"

#include <fcntl.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QSemaphore>
#include <QSocketNotifier>
#include <QThread>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

namespace waferpair::gui {
namespace {

constexpr int kPatienceMs = 10'000;
constexpr std::array kSignals = {SIGTERM, SIGINT, SIGHUP};

// Set and read on its own thread; elsewhere, and while it is changed, under the mutex.
OrderlyEnd* current = nullptr;
std::mutex currentMutex;
std::array<int, 2> pipeEnds = {-1, -1};
std::array<struct sigaction, kSignals.size()> actionsBefore;
QtMessageHandler messagesBefore = nullptr;

// Does only what POSIX allows in a handler.
void passOn(int signal) {
  const int error = errno;
  const auto byte = static_cast<unsigned char>(signal);
  (void)!write(pipeEnds[1], &byte, 1);  // full: one is on its way already
  errno = error;
}

void atExit() {
  if (current) current->keepNow();
}

// The last that is heard of a lost Wayland connection: Qt calls _exit() next, which asks nobody, on
// the main thread or on the one that reads its events, whichever is first.
bool isLastWord(QtMsgType type, const QString& message) {
  return type == QtFatalMsg || (type != QtDebugMsg && type != QtInfoMsg &&
                                message.contains(QLatin1String("Wayland connection")));
}

// Called on a thread that ends the process when this returns; so it waits until the UI thread has
// kept everything, unless that one hangs.
void keepFromElsewhere() {
  const auto kept = std::make_shared<QSemaphore>();
  {
    const std::lock_guard alone(currentMutex);
    if (!current) return;
    QMetaObject::invokeMethod(
        current,
        [kept] {
          if (current) current->keepNow();
          kept->release();
        },
        Qt::QueuedConnection);
  }
  (void)kept->tryAcquire(1, kPatienceMs);
}

void onMessage(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  if (isLastWord(type, message)) {
    if (QThread::currentThread() != qApp->thread()) {
      keepFromElsewhere();
    } else if (current) {
      current->keepNow();
    }
  }
  if (messagesBefore) messagesBefore(type, context, message);
}

}  // namespace

OrderlyEnd::OrderlyEnd(std::function<void()> keep) : keep_(std::move(keep)) {
  Q_ASSERT(!current && QThread::currentThread() == qApp->thread());
  {
    const std::lock_guard alone(currentMutex);
    current = this;
  }
  messagesBefore = qInstallMessageHandler(onMessage);
  // This is registered after all that Qt has registered, and so runs before that.
  static const bool registered = std::atexit(atExit) == 0;
  Q_UNUSED(registered);

  if (pipe2(pipeEnds.data(), O_CLOEXEC | O_NONBLOCK) != 0) pipeEnds = {-1, -1};
  auto* notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
  connect(notifier, &QSocketNotifier::activated, this, &OrderlyEnd::onSignal);
  struct sigaction action = {};
  action.sa_handler = passOn;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &actionsBefore[i]);
    // Signals that nohup or a shell's background job has ignored stay ignored.
    if (pipeEnds[1] >= 0 && actionsBefore[i].sa_handler != SIG_IGN) {
      sigaction(kSignals[i], &action, nullptr);
    }
  }
}

OrderlyEnd::~OrderlyEnd() {
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &actionsBefore[i], nullptr);
  for (int& end : pipeEnds) {
    if (end >= 0) close(std::exchange(end, -1));
  }
  qInstallMessageHandler(messagesBefore);
  const std::lock_guard alone(currentMutex);
  current = nullptr;
}

void OrderlyEnd::keepNow() {
  if (std::exchange(busy_, true)) return;
  keep_();
  busy_ = false;
}

void OrderlyEnd::onSignal() {
  unsigned char signal = 0;
  if (read(pipeEnds[0], &signal, 1) != 1) return;
  keepNow();
  // The exit status is as a shell reports it. The objects of main() are destroyed in their order,
  // and waferd ends with them.
  QCoreApplication::exit(128 + signal);
}

}  // namespace waferpair::gui
