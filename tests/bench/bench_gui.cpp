// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what a user of the window feels, in the real window with the real model server: how soon
// it is up, how soon a key is painted while the wafer view animates and tokens stream, how soon a
// suggestion follows a key, what it costs when nothing happens. All of it is host time.
//
//   bench_gui [--model FILE.gguf] [--keys N]
//
// Needs waferd beside it. Runs under any Qt platform (QT_QPA_PLATFORM=offscreen, or Xvfb).
#include <time.h>
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <functional>

#include "editor/assist/suggestion_controller.h"
#include "editor/widget/code_editor.h"
#include "gui/automation/input.h"
#include "gui/automation/tour_report.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/theme.h"
#include "gui/model/runtime_memory.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "gui/wafer/wafer_dock.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

constexpr int kFileLines = 50'000;
constexpr int kStarts = 5;
constexpr int kKeyPauseMs = 30;  // a burst of quick typing
constexpr int kGhostKeys = 40;
constexpr int kGhostWaitMs = 1'000;
constexpr int kIdleMs = 10'000;
const char kTyped[] = "int total = 0; for (int i = 0; i < count; ++i) { total += values[i]; } ";

double monotonicMs() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void spin(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, Qt::PreciseTimer, &loop, &QEventLoop::quit);
  loop.exec();
}

bool waitUntil(int milliseconds, const std::function<bool()>& done) {
  QElapsedTimer clock;
  clock.start();
  while (!done() && clock.elapsed() < milliseconds) spin(5);
  return done();
}

// CPU time that a process has used so far, in ms; 0 when it is gone.
double cpuMs(qint64 pid) {
  QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
  if (!file.open(QFile::ReadOnly)) return 0;
  const QByteArray stat = file.readAll();
  const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
  constexpr qsizetype kUser = 11, kSystem = 12;  // fields 14 and 15 of proc(5)
  if (fields.size() <= kSystem) return 0;
  return (fields[kUser].toDouble() + fields[kSystem].toDouble()) * 1e3 /
         static_cast<double>(::sysconf(_SC_CLK_TCK));
}

QByteArray manyLines() {
  QByteArray text = "#include <vector>\n\n";
  for (int i = 0; text.count('\n') < kFileLines && i < kFileLines; ++i)
    text += QStringLiteral(
                "// Adds up part %1 of the values.\nint sum%1(const std::vector<int>& values) {\n"
                "  int total = %1;\n  for (int value : values) {\n"
                "    if (value > %1) total += value * \"%1\"[0];\n  }\n  return total;\n}\n\n")
                .arg(i)
                .toUtf8();
  return text;
}

void row(const char* what, const QString& measured, const char* limit, bool met) {
  std::printf("%-58s %22s   limit %-12s %s\n", what, qPrintable(measured), limit,
              met ? "met" : "MISSED");
  std::fflush(stdout);
}

QString ms(double value) { return QString::number(value, 'f', 2) + " ms"; }

// The child of a start measurement: the same steps as main(), then it says when what was there.
int startAndReport(double begun, const QString& folder, const QString& model) {
  RuntimeService runtime(rememberedCommand(AppPaths::forUser(), model));
  MainWindow window(AppPaths::forUser(), &runtime);
  QObject::connect(&window, &MainWindow::painted, [&] {
    std::printf("painted %.2f\n", monotonicMs() - begun);
    window.start({folder});
  });
  QObject::connect(&runtime, &RuntimeService::stateChanged, [&] {
    if (runtime.state() == RuntimeService::State::kFailed) QCoreApplication::exit(1);
    if (runtime.state() != RuntimeService::State::kReady) return;
    std::printf("ready %.2f\n", monotonicMs() - begun);
    QCoreApplication::quit();
  });
  window.show();
  return QApplication::exec();
}

void benchStart(const QString& folder, const QString& model) {
  QVector<double> painted, ready;
  for (int i = 0; i < kStarts; ++i) {
    QTemporaryDir profile;
    QProcess child;
    child.start(QCoreApplication::applicationFilePath(),
                {"--start", QString::number(monotonicMs(), 'f', 3), folder, profile.path(), model});
    child.waitForFinished(60'000);
    for (const QByteArray& line : child.readAllStandardOutput().split('\n')) {
      if (line.startsWith("painted ")) painted.append(line.mid(8).toDouble());
      if (line.startsWith("ready ")) ready.append(line.mid(6).toDouble());
    }
  }
  if (painted.isEmpty() || ready.isEmpty()) {
    std::printf("the program did not start\n");
    return;
  }
  const double up = quantile(painted, 0.5), usable = quantile(ready, 0.5);
  row("window up, p50 of 5 starts", ms(up), "150 ms", up <= 150);
  row("suggestions ready, p50 of 5 starts", ms(usable), "1000 ms", usable <= 1000);
}

void benchKeys(MainWindow& window, RuntimeService& runtime, int keys) {
  editor::CodeEditor* editor = window.parts().tabs->current()->editor();
  view::WaferView* wafer = window.findChild<view::WaferView*>();
  editor->goToLine(kFileLines / 2);
  input::click(editor->viewport(), editor->viewport()->rect().center());
  input::pressKey(editor, Qt::Key_End);
  input::pressKey(editor, Qt::Key_Return);
  if (wafer) wafer->setWave(true);
  quint64 decoded = 0;
  QObject context;
  QObject::connect(&runtime, &RuntimeService::telemetryFrame, &context,
                   [&](const protocol::TelemetryFrame& f) { decoded += f.intervalDecoded; });
  spin(500);

  const QByteArray typed(kTyped);
  QVector<double> painted;
  const int paintsBefore = wafer ? wafer->paintCount() : 0;
  QElapsedTimer clock;
  clock.start();
  for (int i = 0; i < keys; ++i) {
    if (i % typed.size() == 0) input::pressKey(editor, Qt::Key_Return);
    if (const auto took = input::typeAndPaint(editor->viewport(), typed[i % typed.size()]))
      painted.append(*took);
    spin(kKeyPauseMs);
  }
  const double seconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
  std::printf(
      "while typing: %llu tokens decoded (%.0f a second), wafer view %.1f frames/s, "
      "%lld of %d keys painted\n",
      static_cast<unsigned long long>(decoded), static_cast<double>(decoded) / seconds,
      wafer ? (wafer->paintCount() - paintsBefore) / seconds : 0.0,
      static_cast<long long>(painted.size()), keys);
  if (wafer) wafer->setWave(false);
  if (painted.isEmpty()) return;
  const double p50 = quantile(painted, 0.5), p99 = quantile(painted, 0.99);
  row("key to painted, p50, 50,000 lines, wave on, tokens streaming", ms(p50), "1 ms", p50 <= 1);
  row("key to painted, p99", ms(p99), "8 ms", p99 <= 8);
}

void benchGhost(MainWindow& window) {
  Document* document = window.parts().tabs->current();
  editor::CodeEditor* editor = document->editor();
  QVector<double> shown;
  QObject context;
  QObject::connect(document->suggestions(), &editor::SuggestionController::firstGhostShown,
                   &context, [&](double took) { shown.append(took); });
  const QByteArray typed(kTyped);
  for (int i = 0; i < kGhostKeys; ++i) {
    // Without the old ghost there is nothing to type through: each key asks anew.
    input::pressKey(editor, Qt::Key_Escape);
    if (i % 20 == 0) input::pressKey(editor, Qt::Key_Return);
    const qsizetype before = shown.size();
    input::type(editor, QChar(typed[i % typed.size()]));
    waitUntil(kGhostWaitMs, [&] { return shown.size() > before; });
  }
  if (shown.isEmpty()) {
    std::printf("no suggestion was shown\n");
    return;
  }
  const double p50 = quantile(shown, 0.5);
  std::printf("%lld of %d keys were followed by a suggestion; p90 %.1f ms\n",
              static_cast<long long>(shown.size()), kGhostKeys, quantile(shown, 0.9));
  row("key to first ghost token, warm, p50", ms(p50), "60 ms", p50 <= 60);
}

void benchIdle(MainWindow& window, const RuntimeService& runtime) {
  window.parts().tabs->current()->editor()->setFocus();
  spin(2'000);
  const QList<qint64> processes = {QCoreApplication::applicationPid(), runtime.processId()};
  double before = 0, after = 0;
  for (const qint64 pid : processes) before += cpuMs(pid);
  QElapsedTimer clock;
  clock.start();
  spin(kIdleMs);
  for (const qint64 pid : processes) after += cpuMs(pid);
  const double share = 100 * (after - before) / static_cast<double>(clock.elapsed());
  row("idle CPU, both processes, of one core, over 10 s", QString::number(share, 'f', 2) + " %",
      "1 %", share < 1);
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments.append(QString::fromLocal8Bit(argv[i]));
  const bool isStart = arguments.value(1) == "--start";
  const QTemporaryDir profile;
  useProfile(isStart ? arguments.value(4) : profile.path());
  QApplication app(argc, argv);
  Theme::instance().apply(ThemeKind::kDark);
  if (isStart)
    return startAndReport(arguments.value(2).toDouble(), arguments.value(3), arguments.value(5));
  const auto option = [&](const char* name) {
    const qsizetype at = arguments.indexOf(QLatin1String(name));
    return at < 0 ? QString() : arguments.value(at + 1);
  };
  const QString model = option("--model");
  const int keys = option("--keys").isEmpty() ? 400 : option("--keys").toInt();

  const QTemporaryDir project;
  const QString path = project.filePath("sums.cpp");
  QFile file(path);
  if (!file.open(QFile::WriteOnly) || file.write(manyLines()) < 0) return 1;
  file.close();
  benchStart(project.path(), model);

  RuntimeService runtime(rememberedCommand(AppPaths::forUser(), model));
  MainWindow window(AppPaths::forUser(), &runtime);
  window.resize(1600, 1000);
  window.show();
  window.start({project.path(), path});
  window.activateWindow();
  if (!waitUntil(60'000, [&] { return runtime.state() == RuntimeService::State::kReady; })) {
    std::printf("no model: %s\n", qPrintable(runtime.problem().message()));
    return 1;
  }
  std::printf("model %s, platform %s\n", qPrintable(runtime.figures().model),
              qPrintable(QGuiApplication::platformName()));
  spin(1'000);
  benchKeys(window, runtime, keys);
  benchGhost(window);
  benchIdle(window, runtime);
  std::printf("last completion: %.0f tokens/s host\n",
              runtime.figures().hostTokensPerSecond.value_or(0));
  // The text was changed and must not be asked about: leave without closing the window.
  std::fflush(stdout);
  return 0;
}
