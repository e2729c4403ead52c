// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how soon a line that a model writes is seen, in the real window: from the moment that
// the line's last token has been written to the socket, by a server on a thread of its own that
// writes 1,000 tokens a second, to the end of the paint that has the line. All of it is host time.
//
//   bench_growing [ROUNDS [LINES]]
//
// Runs under any Qt platform (QT_QPA_PLATFORM=offscreen, or Xvfb).
#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QThread>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "editor/assist/hunks.h"
#include "gui/automation/input.h"
#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/theme.h"
#include "gui/pairing/edit_session.h"
#include "gui/pairing/growing_change.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "pairing/models/model_roster.h"
#include "tests/bench/window_bench.h"
#include "tests/pairing/scripted_model.h"

using namespace waferpair;
using namespace waferpair::bench;
using namespace waferpair::gui;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFunctions = 400;  // of five lines each
constexpr int kTokensOfLine = 10;
constexpr std::chrono::microseconds kToken(1000);
constexpr qint64 kPatienceMs = 60'000;

QByteArray function(int number) {
  const QByteArray digits = QByteArray::number(number);
  return "int value" + digits + "(int a) {\n  int b = a + " + digits + ";\n  return b;\n}\n\n";
}

QByteArray eventOf(const QByteArray& text) {
  const QByteArray json =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
  return QByteArray::number(json.size(), 16) + "\r\n" + json + "\r\n";
}

// Answers each request with a block of which so many lines come, a token each millisecond, and then
// nothing more until the other side hangs up.
class TokenServer : public QThread {
 public:
  explicit TokenServer(int lines) : lines_(lines) {
    start();
    while (port_ == 0) std::this_thread::yield();
  }
  ~TokenServer() override {
    isOver_ = true;
    wait();
  }
  QUrl base() const { return QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(port_.load())); }
  // When each line's last token was out, of the answer that comes.
  QVector<Clock::time_point> sent() const {
    const std::scoped_lock lock(mutex_);
    return sent_;
  }
  void forget() {
    const std::scoped_lock lock(mutex_);
    sent_.clear();
  }

 protected:
  void run() override {
    QTcpServer server;
    if (!server.listen(QHostAddress::LocalHost)) qFatal("no port");
    port_ = server.serverPort();
    while (!isOver_) {
      if (!server.waitForNewConnection(50)) continue;
      const std::unique_ptr<QTcpSocket> socket(server.nextPendingConnection());
      socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
      if (takeRequest(socket.get())) answer(socket.get());
      socket->abort();
    }
  }

 private:
  bool takeRequest(QTcpSocket* socket) const {
    QByteArray request;
    while (!isOver_ && socket->state() == QAbstractSocket::ConnectedState) {
      socket->waitForReadyRead(50);
      request += socket->readAll();
      const auto end = request.indexOf("\r\n\r\n");
      if (end < 0) continue;
      const QByteArray head = request.left(end).toLower();
      const auto field = head.indexOf("content-length:");
      const qint64 length = head.sliced(field + 15).split('\r').constFirst().trimmed().toLongLong();
      if (request.size() >= end + 4 + length) return true;
    }
    return false;
  }

  void answer(QTcpSocket* socket) {
    socket->write(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    auto next = Clock::now();
    const auto say = [&](const QByteArray& token) {
      next += kToken;
      std::this_thread::sleep_until(next);
      socket->write(eventOf(token));
      socket->flush();
    };
    for (const char* token : {"<<<<<<<", " SEARCH", "\\n", "int value100(int a) {", "\\n",
                              "  int b = a + 100;", "\\n", "=======", "\\n"})
      say(token);
    for (int line = 0; line < lines_ && !isOver_; ++line) {
      for (int token = 1; token < kTokensOfLine; ++token) say(" abc");
      say(";\\n");
      const std::scoped_lock lock(mutex_);
      sent_.append(Clock::now());
    }
    while (!isOver_ && socket->state() == QAbstractSocket::ConnectedState)
      socket->waitForReadyRead(20);
  }

  int lines_;
  std::atomic<quint16> port_ = 0;
  std::atomic<bool> isOver_ = false;
  mutable std::mutex mutex_;
  QVector<Clock::time_point> sent_;
};

// Notes when the paint is over that has a line for the first time.
class Paints : public QObject {
 public:
  Paints(QWidget* viewport, const GrowingChange* growing) : growing_(growing) {
    viewport->installEventFilter(this);
  }
  void forget() { painted_.clear(); }
  const QVector<Clock::time_point>& painted() const { return painted_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint) {
      qsizetype drawn = 0;
      for (const editor::Hunk& hunk : growing_->hunks()) drawn += hunk.text.count('\n');
      QMetaObject::invokeMethod(
          this,
          [this, drawn] {
            while (painted_.size() < drawn) painted_.append(Clock::now());
          },
          Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  const GrowingChange* growing_;
  QVector<Clock::time_point> painted_;
};

double msBetween(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

int main(int argc, char** argv) {
  const QTemporaryDir folder;
  useProfile(folder.path());
  const QApplication application(argc, argv);
  Theme::instance().apply(ThemeKind::kDark);
  const int rounds = argc > 1 ? std::max(1, atoi(argv[1])) : 100;
  const int lines = argc > 2 ? std::max(1, atoi(argv[2])) : 30;

  const QString path = folder.filePath(QStringLiteral("values.cpp"));
  QFile file(path);
  if (!file.open(QFile::WriteOnly)) qFatal("no file");
  for (int i = 0; i < kFunctions; ++i) file.write(function(i));
  file.close();

  TokenServer server(lines);
  MainWindow window(AppPaths::forUser(), nullptr);
  window.show();
  window.activateWindow();
  window.start({path});
  waitUntil([&] { return window.isActiveWindow(); });
  pairing::chooseScripted(window.parts().roster, server.base());

  Document* document = window.parts().tabs->current();
  QVector<double> ever, first, each;  // `ever`: of the program
  std::unique_ptr<Paints> paints;
  for (int round = 0; round <= rounds; ++round) {
    document->setFocus();
    document->editor()->selectAll();
    input::pressKey(&window, Qt::Key_K, Qt::ControlModifier);
    input::type(&window, QStringLiteral("make it long"));
    server.forget();
    input::pressKey(&window, Qt::Key_Return);
    const auto* session = document->findChild<EditSession*>();
    if (!paints)
      paints = std::make_unique<Paints>(document->editor()->viewport(), session->growing());
    paints->forget();
    waitUntil([&] { return paints->painted().size() >= lines; }, kPatienceMs);
    const auto sent = server.sent();
    for (int line = 0; line < lines; ++line)
      (line > 0     ? each
       : round == 0 ? ever
                    : first)
          .append(msBetween(sent[line], paints->painted()[line]));
    input::pressKey(&window, Qt::Key_Escape);
    waitUntil([&] { return session->run()->isOver(); });
    document->setFocus();
    while (session->growing()->isShown()) input::pressKey(&window, Qt::Key_Escape);
  }
  row("the same of the program's first change", ever);
  row("the first line's last token to its picture", first);
  if (!each.isEmpty()) row("a later line's last token to its picture", each);
  return 0;
}
