// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the time from a key to its picture, in a 50,000-line C++ file while suggestions stream
// into the ghost: once in our editor, once in QScintilla's stock widget with nothing streaming. Run
// it with QT_QPA_PLATFORM=offscreen where there is no display. Caret blinking is off; nothing is
// skipped.
#include <Qsci/qsciscintilla.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "editor/ghost/ghost_text.h"
#include "editor/widget/code_editor.h"
#include "tests/editor/suggesting_editor.h"

namespace waferpair::editor {
namespace {

constexpr int kLines = 50000;
constexpr int kKeys = 800;
constexpr int kKeyEveryMs = 25;
constexpr double kLimitP50Ms = 1;  // the project's own limits
constexpr double kLimitP99Ms = 8;

QByteArray cppFile(int lines) {
  QByteArray text;
  for (int line = 0, function = 0; line < lines; ++function) {
    const QByteArray n = QByteArray::number(function);
    text += "// Adds up what belongs to group " + n + ".\n";
    text += "static int sum" + n + "(const std::vector<int>& values, int limit) {\n";
    text += "  int total = " + n + ";\n";
    text += "  for (size_t i = 0; i < values.size() && total < limit; ++i) {\n";
    text += "    total += values[i] * 0x1F; /* weighted */\n";
    text += "    if (values[i] == 'a') printf(\"group %d: %s\\n\", total, \"text\");\n";
    text += "  }\n  return total;\n}\n\n";
    line += 10;
  }
  return text;
}

// Answers each request with an endless stream, three tokens a millisecond.
class StreamingProvider : public CompletionProvider {
 public:
  StreamingProvider() {
    timer_.setInterval(2);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, [this] {
      static const QByteArray tokens = "for (int i = 0; i < count; ++i) {\n  total += x[i];\n}\n";
      const qsizetype at = (sent_ * 24) % tokens.size();
      ++sent_;
      Q_EMIT completionText(current_, (tokens + tokens).mid(at, 24));
    });
  }
  RequestId requestCompletion(const CompletionQuery&) override {
    sent_ = 0;
    timer_.start();
    return ++current_;
  }
  void cancelCompletion(RequestId id) override {
    if (id == current_) timer_.stop();
  }
  QString silenceReason(const DocumentId&) const override { return {}; }
  qint64 pieces() const { return sent_; }

 private:
  QTimer timer_;
  RequestId current_ = 0;
  qint64 sent_ = 0;
};

// Counts pictures of a widget: a paint event has been handled when the filter is left.
template <typename Editor>
class Painted : public Editor {
 public:
  long pictures = 0;

 protected:
  void paintEvent(QPaintEvent* event) override {
    Editor::paintEvent(event);
    ++pictures;
  }
};

// Wall time is what a user waits for; the thread's own time is the same figure without whatever
// else this machine does meanwhile.
struct Times {
  std::vector<double> wall;
  std::vector<double> thread;
};

double threadMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

template <typename Editor>
Times typeKeys(Editor* editor, int keys) {
  Times times;
  QElapsedTimer grid;
  grid.start();
  const QByteArray text = "for (value : items) x = y;";
  for (int i = 0; i < keys; ++i) {
    // Everything else happens between keys, as it does between a person's.
    while (grid.elapsed() < qint64(i) * kKeyEveryMs)
      QCoreApplication::processEvents(QEventLoop::AllEvents, 2);
    const bool newline = i % 40 == 39;
    const char c = text[i % text.size()];
    QKeyEvent press(QEvent::KeyPress, newline ? int(Qt::Key_Return) : int(Qt::Key_A), {},
                    newline ? QStringLiteral("\r") : QString(QLatin1Char(c)));
    const long before = editor->pictures;
    QElapsedTimer clock;
    clock.start();
    const double thread = threadMs();
    QCoreApplication::sendEvent(editor, &press);
    while (editor->pictures == before) QCoreApplication::processEvents();
    times.thread.push_back(threadMs() - thread);
    times.wall.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
  }
  std::sort(times.wall.begin(), times.wall.end());
  std::sort(times.thread.begin(), times.thread.end());
  return times;
}

double percentile(const std::vector<double>& sorted, int percent) {
  return sorted[std::min(sorted.size() - 1, sorted.size() * static_cast<size_t>(percent) / 100)];
}

template <typename Editor>
void show(Editor* editor) {
  editor->resize(1000, 800);
  editor->SendScintilla(QsciScintillaBase::SCI_SETCARETPERIOD, 0UL, 0L);
  editor->show();
  editor->setFocus();
  QCoreApplication::processEvents();
}

Times measureStock(const QByteArray& text) {
  Painted<QsciScintilla> stock;
  stock.setUtf8(true);
  stock.setText(QString::fromUtf8(text));
  show(&stock);
  stock.SendScintilla(QsciScintillaBase::SCI_GOTOLINE, static_cast<unsigned long>(kLines / 2), 0L);
  return typeKeys(&stock, kKeys / 4);
}

int run() {
  const QByteArray text = cppFile(kLines);
  std::printf("C++ file of %d lines, %.1f MB; a key every %d ms; times in ms of this host\n",
              kLines, static_cast<double>(text.size()) / 1e6, kKeyEveryMs);

  Painted<CodeEditor> editor;
  StreamingProvider provider;
  SuggestingEditor suggesting(&editor, &provider, nullptr);
  show(&editor);
  QElapsedTimer clock;
  clock.start();
  editor.setText(text);
  editor.setLanguage(QStringLiteral("C++"));
  editor.viewport()->repaint();
  std::printf("text set to first picture       %8.1f\n",
              static_cast<double>(clock.nsecsElapsed()) / 1e6);
  clock.start();
  editor.highlightAll();
  const double all = static_cast<double>(clock.nsecsElapsed()) / 1e9;
  std::printf("highlighting the whole file     %8.1f   %.0f lines/s\n", all * 1e3, kLines / all);

  editor.goToLine(kLines / 2);
  const Times quiet = typeKeys(&editor, kKeys / 2);
  suggesting.open(QStringLiteral("/bench/file.cpp"));
  qint64 ghosts = 0;
  std::vector<double> firstGhost;
  QObject::connect(&suggesting.controller, &SuggestionController::firstGhostShown,
                   [&](double milliseconds) { firstGhost.push_back(milliseconds); });
  QObject::connect(editor.ghost(), &GhostText::painted, [&] { ++ghosts; });
  const Times streaming = typeKeys(&editor, kKeys);
  std::sort(firstGhost.begin(), firstGhost.end());

  const Times stock = measureStock(text);
  const auto row = [](const char* name, const Times& times) {
    std::printf("%-31s %8.2f %8.2f %8.2f %12.2f %8.2f\n", name, percentile(times.wall, 50),
                percentile(times.wall, 99), times.wall.back(), percentile(times.thread, 50),
                percentile(times.thread, 99));
  };
  std::printf("%-31s %8s %8s %8s %12s %8s\n", "key to painted", "p50", "p99", "max", "thread p50",
              "p99");
  row("  suggestions streaming", streaming);
  std::printf("  %-29s %8.2f %8.2f\n", "limit", kLimitP50Ms, kLimitP99Ms);
  row("  nothing streaming", quiet);
  row("  stock widget, no highlighting", stock);
  std::printf("  stock / ours (streaming)      %8.1fx\n",
              percentile(stock.wall, 50) / percentile(streaming.wall, 50));
  if (!firstGhost.empty()) {
    std::printf("%-31s %8.2f %8.2f\n", "key to first ghost, model 2 ms", percentile(firstGhost, 50),
                percentile(firstGhost, 99));
  }
  std::printf("ghosts painted %lld\n", static_cast<long long>(ghosts));
  const bool held = percentile(streaming.wall, 50) <= kLimitP50Ms &&
                    percentile(streaming.wall, 99) <= kLimitP99Ms;
  std::printf("limits %s\n", held ? "held" : "NOT held");
  return 0;
}

}  // namespace
}  // namespace waferpair::editor

int main(int argc, char** argv) {
  const QApplication application(argc, argv);
  return waferpair::editor::run();
}
