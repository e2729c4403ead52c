// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what a language server costs a key: the time from a key to its picture in the window,
// in a C++ file of 5,000 lines, without a server and with clangd at work on each key, by turns.
// The thread's own time is shown, too: clangd itself takes the processor, whoever edits.
//
// Needs clangd in the PATH. Run it with QT_QPA_PLATFORM=offscreen where there is no display.
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QKeyEvent>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

#include "gui/documents/editor_tabs.h"
#include "gui/shell/main_window.h"
#include "gui/store/folder_trust.h"
#include "gui/store/settings.h"
#include "gui/workbench/language_tools.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

constexpr int kLines = 5'000;
constexpr int kKeysPerRound = 200;
constexpr int kRounds = 4;  // with and without
constexpr int kKeyPauseMs = 30;
constexpr int kServerPatienceMs = 120'000;

QByteArray fileOfLines(int lines) {
  QByteArray text;
  for (int line = 0, function = 0; line < lines; line += 8, ++function) {
    const QByteArray n = QByteArray::number(function);
    text += "static int sum" + n + "(const int* values, int count, int limit) {\n";
    text += "  int total = " + n + ";\n";
    text += "  for (int i = 0; i < count && total < limit; ++i) {\n";
    text += "    total += values[i] * 31;  // weighted\n";
    text += "    if (values[i] == 'a') total += sizeof(\"text\");\n";
    text += "  }\n  return total;\n}\n";
  }
  return text;
}

double cpuMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

struct KeyTimes {
  std::vector<double> wall;
  std::vector<double> thread;
};

// Tells when a widget has been painted.
class PaintWatch : public QObject {
 public:
  explicit PaintWatch(QWidget* watched) { watched->installEventFilter(this); }
  bool painted = false;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) painted = true;
    return false;
  }
};

void typeRound(editor::CodeEditor* editor, KeyTimes* times) {
  const QByteArray text = "total = total + values[count] * limit; ";
  PaintWatch watch(editor->viewport());
  QElapsedTimer grid;
  grid.start();
  for (int i = 0; i < kKeysPerRound; ++i) {
    while (grid.elapsed() < qint64{i} * kKeyPauseMs)
      QCoreApplication::processEvents(QEventLoop::AllEvents, 2);
    const bool breaksLine = i % 39 == 38;
    const QString typed =
        breaksLine ? QStringLiteral("\r") : QString(QLatin1Char(text[i % text.size()]));
    QKeyEvent press(QEvent::KeyPress, breaksLine ? Qt::Key_Return : Qt::Key_A, {}, typed);
    watch.painted = false;
    QElapsedTimer clock;
    clock.start();
    const double before = cpuMs();
    QCoreApplication::sendEvent(editor, &press);
    while (!watch.painted) QCoreApplication::processEvents();
    times->thread.push_back(cpuMs() - before);
    times->wall.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
  }
}

double percentileOf(std::vector<double> values, int percent) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, values.size() * static_cast<size_t>(percent) / 100)];
}

bool waitFor(const std::function<bool()>& done) {
  QElapsedTimer clock;
  clock.start();
  while (!done() && clock.elapsed() < kServerPatienceMs)
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  return done();
}

void printRow(const char* name, const std::vector<double>& without,
              const std::vector<double>& with) {
  for (const int percent : {50, 99}) {
    const double before = percentileOf(without, percent), after = percentileOf(with, percent);
    std::printf("%-12s p%d: %6.2f ms without, %6.2f ms with clangd, ratio %.2f\n", name, percent,
                before, after, after / before);
  }
}

int measure() {
  QTemporaryDir profile, project;
  const QString path = project.filePath(QStringLiteral("a.cpp"));
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(fileOfLines(kLines)) < 0) return 1;
  file.close();
  MainWindow window(
      {profile.filePath(QStringLiteral("config")), profile.filePath(QStringLiteral("state"))},
      nullptr);
  window.parts().trust->trustAllForNow();
  window.resize(1200, 800);
  window.show();
  window.start({project.path(), path});
  LanguageTools* tools = window.parts().languages;
  workbench::LanguageService* service = tools->service();
  if (!waitFor([&] { return !service->offers().isEmpty(); })) {
    std::printf("clangd is not in the PATH.\n");
    return 1;
  }
  window.parts().trust->agree(service->offers().constFirst().start);
  Document* document = window.parts().tabs->current();
  document->editor()->goToLine(kLines / 2);
  KeyTimes without, with;
  for (int round = 0; round < 2 * kRounds; ++round) {
    const bool on = round % 2 == 1;
    Preferences preferences = window.parts().settings->get();
    preferences.languageServers = on;
    window.parts().settings->set(preferences);
    // What was typed is wrong, so it has something to say once it is done.
    const auto isAtWork = [&] { return !service->diagnostics(document->id()).isEmpty(); };
    if (on && !waitFor(isAtWork)) {
      std::printf("clangd says nothing.\n");
      return 1;
    }
    typeRound(document->editor(), on ? &with : &without);
  }
  std::printf("%d keys each, a key every %d ms, %d lines\n", kRounds * kKeysPerRound, kKeyPauseMs,
              kLines);
  printRow("to picture", without.wall, with.wall);
  printRow("thread", without.thread, with.thread);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QApplication::setCursorFlashTime(0);
  return measure();
}
