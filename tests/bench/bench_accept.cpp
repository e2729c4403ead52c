// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long the next suggestion takes to come once one is accepted, with what follows asked
// for ahead and without: in the real editor, which asks the real model server. At the end of every
// tenth line of each SOURCE a suggestion is asked for by key, looked at for a moment, and accepted;
// where another comes behind it, the time from the key to that one counts.
//
//   bench_accept [--model FILE.gguf] [--look MS] SOURCE...
//
// Both ways take turns at each place, so that what else the computer does meets both alike. Needs
// waferd beside it.
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFile>
#include <QKeyEvent>
#include <QSet>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <vector>

#include "editor/ghost/ghost_text.h"
#include "editor/widget/code_editor.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/model/runtime_memory.h"
#include "gui/store/app_paths.h"
#include "tests/editor/suggesting_editor.h"

using namespace waferpair;
using namespace waferpair::editor;

namespace {

constexpr int kPatienceMs = 30'000;  // only a hang takes that long
constexpr int kEachLines = 10;

// Hands everything on, and may be told that asking ahead costs something.
class Relay : public CompletionProvider {
 public:
  explicit Relay(CompletionProvider* real) : real_(real) {
    connect(real, &CompletionProvider::completionText, this, &Relay::completionText);
    connect(real, &CompletionProvider::availabilityChanged, this, &Relay::availabilityChanged);
    connect(real, &CompletionProvider::completionFinished, this,
            [this](quint64 request, CompletionEnd end) {
              open_.remove(request);
              Q_EMIT completionFinished(request, end);
            });
  }
  RequestId requestCompletion(const CompletionQuery& query) override {
    const RequestId request = real_->requestCompletion(query);
    if (request != 0) open_.insert(request);
    return request;
  }
  void cancelCompletion(RequestId request) override { real_->cancelCompletion(request); }
  QString silenceReason(const DocumentId& id) const override { return real_->silenceReason(id); }
  bool mayAskAhead() const override { return asksAhead; }

  bool isIdle() const { return open_.isEmpty(); }

  bool asksAhead = false;

 private:
  CompletionProvider* real_;
  QSet<RequestId> open_;
};

class Reader {
 public:
  Reader(Relay* relay, DocumentSubscriber* subscriber, int lookMs)
      : relay_(relay), suggesting_(&editor_, relay, subscriber), lookMs_(lookMs) {
    editor_.resize(1000, 700);
    editor_.show();
  }

  // The time in milliseconds that the next suggestion took at the end of this line; nothing: there
  // is no first, or none follows.
  std::optional<double> gapAt(const QByteArray& text, qint64 offset, bool ahead) {
    relay_->asksAhead = ahead;
    editor_.setText(text);
    editor_.setSelection(offset, offset);
    suggesting_.open("/new/source.cpp");
    wait(0);
    suggesting_.controller.requestNow();
    wait(lookMs_);
    if (!editor_.ghost()->isShown()) return {};
    QElapsedTimer clock;
    clock.start();
    QKeyEvent tab(QEvent::KeyPress, Qt::Key_Tab, {}, QStringLiteral("\t"));
    QApplication::sendEvent(&editor_, &tab);
    bool asked = false;
    QTimer::singleShot(1, Qt::PreciseTimer, &editor_, [&asked] { asked = true; });
    while (!editor_.ghost()->isShown() && (!asked || !relay_->isIdle()))
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double gap = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    const bool came = editor_.ghost()->isShown();
    wait(0);
    return came ? std::optional(gap) : std::nullopt;
  }

 private:
  // Until no answer is awaited, and for so long at least.
  void wait(int leastMs) {
    QElapsedTimer clock;
    clock.start();
    bool over = false;
    QTimer::singleShot(std::max(1, leastMs), Qt::PreciseTimer, &editor_, [&over] { over = true; });
    while (!over || !relay_->isIdle()) {
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
      if (clock.elapsed() > kPatienceMs) qFatal("waferd does not answer");
    }
  }

  Relay* relay_;
  CodeEditor editor_;
  SuggestingEditor suggesting_;
  int lookMs_;
};

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QTemporaryDir profile;
  gui::useProfile(profile.path());
  QApplication app(argc, argv);
  QCommandLineParser parser;
  parser.addHelpOption();
  parser.addOptions({{"model", "Of waferd; else its own.", "FILE"},
                     {"look", "How long a suggestion is looked at.", "MS", "300"}});
  parser.addPositionalArgument("SOURCE", "Where suggestions are asked for.");
  parser.process(app);
  if (parser.positionalArguments().isEmpty()) parser.showHelp(2);
  gui::RuntimeService runtime(
      gui::rememberedCommand(gui::AppPaths::forUser(), parser.value("model")));
  runtime.start();
  QElapsedTimer clock;
  clock.start();
  while (runtime.state() != gui::RuntimeService::State::kReady && clock.elapsed() < kPatienceMs)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  if (runtime.state() != gui::RuntimeService::State::kReady) {
    std::fprintf(stderr, "no model: %s\n", qPrintable(runtime.problem().message()));
    return 1;
  }
  Relay relay(runtime.completions());
  Reader reader(&relay, runtime.documents(), parser.value("look").toInt());
  std::array<std::vector<double>, 2> gaps;
  for (const QString& path : parser.positionalArguments()) {
    QFile file(path);
    if (!file.open(QFile::ReadOnly)) {
      std::fprintf(stderr, "%s cannot be read\n", qPrintable(path));
      return 1;
    }
    const QByteArray text = file.readAll();
    qint64 offset = 0;
    for (int line = 1; (offset = text.indexOf('\n', offset)) >= 0; ++line, ++offset) {
      if (line % kEachLines != 0) continue;
      // The place counts where both ways have a next one.
      const auto without = reader.gapAt(text.first(offset), offset, false);
      const auto with = reader.gapAt(text.first(offset), offset, true);
      if (!without || !with) continue;
      gaps[0].push_back(*without);
      gaps[1].push_back(*with);
    }
  }
  if (gaps[0].empty()) {
    std::fprintf(stderr, "no suggestion was followed by another\n");
    return 1;
  }
  std::printf("from accepting to the next suggestion, host, at %zu places\n", gaps[0].size());
  const auto row = [](const char* name, const std::vector<double>& values) {
    std::printf("%-14s p50 %7.2f ms   p95 %7.2f ms\n", name, percentile(values, 0.5),
                percentile(values, 0.95));
  };
  row("asked then", gaps[0]);
  row("asked ahead", gaps[1]);
  std::printf("ratio of the medians: %.0f\n",
              percentile(gaps[0], 0.5) / std::max(1e-3, percentile(gaps[1], 0.5)));
  return 0;
}
