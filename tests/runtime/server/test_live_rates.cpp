// SPDX-License-Identifier: GPL-3.0-or-later
// The rates that are shown while the default model works, and at the end of each request, are those
// that a recording of the same steps gives: with lines that compete, drafts, requests side by side
// and a shadow.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>
#include <future>
#include <map>
#include <mutex>
#include <random>
#include <sstream>

#include "runtime/server/session/shadow.h"
#include "runtime/server/session/telemetry_frames.h"
#include "runtime/server/session/trace_recorder.h"
#include "runtime/trace/reader.h"
#include "runtime/trace/replay.h"
#include "tests/support/paths.h"

namespace waferpair::server {
namespace {

using inference::Clock;
using inference::JobId;
using inference::JobReport;

// A figure that was shown, and of which request.
struct ShownRate {
  JobId job = 0;
  double perCycle = 0;  // tokens, emulated
};

// What the recording says of a request, from its steps alone: what each put out, and what it took.
struct Recorded {
  bool promptRead = false;
  std::uint64_t output = 0, cycles = 0;
  std::vector<double> rates;  // tokens behind the first for each cycle so far, behind each step
};

bool agree(double a, double b) { return std::abs(a - b) <= 0.001 * std::abs(b); }

}  // namespace

class TestLiveRates : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string text_;

  static std::map<JobId, Recorded> recordedIn(const std::string& path) {
    std::map<JobId, Recorded> all;
    auto reader = trace::Reader::open(path);
    if (!reader) return all;
    const auto visited =
        reader->visit(0, ~std::uint64_t{0}, [&](const trace::Step& step, const trace::Totals&) {
          Recorded& of = all[step.outcome.request];
          if (of.promptRead) of.cycles += step.cycles;
          of.promptRead = of.promptRead || step.logits > 0;
          of.output += step.tokens();
          of.rates.push_back(of.output < 2 || of.cycles == 0 ? 0
                                                             : static_cast<double>(of.output - 1) /
                                                                   static_cast<double>(of.cycles));
          return true;
        });
    return visited ? all : std::map<JobId, Recorded>();
  }

  inference::CompletionRequest anyRequest(std::mt19937& random, int client) const {
    const std::size_t at = 400 + random() % (text_.size() - 800);
    const std::size_t from = at - std::min<std::size_t>(at, 300 + random() % 900);
    return {.client = static_cast<inference::ClientId>(client),
            .document = "a",
            .fileName = "job.cpp",
            .prefix = text_.substr(from, at - from),
            .suffix = text_.substr(at + random() % 40, 200),
            .limits = {.maxTokens = 1 + static_cast<int>(random() % 48),
                       .maxLines = static_cast<int>(random() % 5)},
            .lines = static_cast<int>(random() % 5)};
  }

 private slots:
  void initTestCase() {
    std::ifstream file(test::sourceDir() + "/runtime/inference/engine/job.cpp");
    std::stringstream all;
    all << file.rdbuf();
    text_ = all.str();
    QVERIFY(text_.size() > 4000);
  }

  void figuresAreWhatTheRecordingGives_data() {
    QTest::addColumn<bool>("shadowed");
    QTest::addColumn<int>("atOnce");
    QTest::newRow("one by one") << false << 1;
    QTest::newRow("side by side") << false << 3;
    QTest::newRow("a shadow of 70B, one by one") << true << 1;
    QTest::newRow("a shadow of 70B, side by side") << true << 3;
  }
  void figuresAreWhatTheRecordingGives() {
    QFETCH(bool, shadowed);
    QFETCH(int, atOnce);
    auto loaded = inference::CompiledModel::load(
        test::sourceDir() + "/resources/models/waferpair-mini.gguf", {.threads = 1});
    QVERIFY(loaded.has_value());
    auto made = inference::Engine::make(std::move(*loaded));
    QVERIFY(made.has_value());
    inference::Engine& engine = **made;
    const inference::CompiledModel& model = engine.model();
    std::shared_ptr<wafer::Program> shadow;
    if (shadowed) {
      auto planned = planShadow({.shape = "llama-3.1-70b"}, model.card());
      QVERIFY(planned.has_value());
      shadow = *planned;
      model.setShadow(shadow);
    }
    const wafer::Program& program = shadow ? *shadow : model.program();
    const double clockHz = program.plan().clockGhz * 1e9;
    const std::string path = folder_.filePath("run.wptrace").toStdString();
    auto recorder = TraceRecorder::start(model, path);
    QVERIFY(recorder.has_value());

    // Frames are made on the engine's thread, as each text comes: in the middle of everything.
    std::mutex mutex;
    std::vector<ShownRate> shown;
    std::map<JobId, JobReport> reports;
    wafer::CounterSnapshot snapshot;
    program.counters().read(snapshot);
    TelemetryFrames frames(program, Clock::now(), Clock::now(), snapshot, engine.stats(),
                           shadow ? Shown::kShadow : Shown::kModel);
    std::mt19937 random(shadowed ? 5 : 3);
    constexpr int kRequests = 24;
    for (int begun = 0; begun < kRequests; begun += atOnce) {
      std::vector<std::future<JobReport>> done;
      std::vector<JobId> ids;
      for (int i = 0; i < atOnce; ++i) {
        auto outcome = std::make_shared<std::promise<JobReport>>();
        done.push_back(outcome->get_future());
        ids.push_back(engine.submit(
            anyRequest(random, i + 1),
            {.onText =
                 [&](std::string) {
                   const std::lock_guard lock(mutex);
                   wafer::CounterSnapshot now;
                   program.counters().read(now);
                   const inference::EngineStats stats = engine.stats();
                   const auto frame = frames.next(Clock::now(), now, stats);
                   if (frame.waferTokensPerSecond > 0)
                     shown.push_back({stats.shownJob, frame.waferTokensPerSecond / clockHz});
                 },
             .onDone = [outcome](const JobReport& report) { outcome->set_value(report); },
             .onBegin = {}}));
      }
      for (int i = 0; i < atOnce; ++i) {
        const JobReport report = done[static_cast<std::size_t>(i)].get();
        reports[ids[static_cast<std::size_t>(i)]] = report;
      }
    }
    QVERIFY((*recorder)->stop().has_value());
    model.setShadow(nullptr);

    const std::map<JobId, Recorded> recorded = recordedIn(path);
    int rated = 0;
    for (const auto& [job, report] : reports) {
      const auto at = recorded.find(job);
      if (report.outputTokens == 0 && at == recorded.end()) continue;
      QVERIFY(at != recorded.end());
      QCOMPARE(at->second.output, static_cast<std::uint64_t>(report.outputTokens));
      const auto rate =
          shadow ? report.shadowTokensPerSecond() : report.waferTokensPerSecond(clockHz);
      if (!rate) continue;
      ++rated;
      QVERIFY2(agree(*rate / clockHz, at->second.rates.back()),
               qPrintable(QStringLiteral("%1 by the report, %2 by the recording")
                              .arg(*rate)
                              .arg(at->second.rates.back() * clockHz)));
      // No more than a token for each row that the wafer verified, whatever was drafted.
      QVERIFY(report.decodeSteps > 0);
    }
    QVERIFY(rated > kRequests / 2);
    QVERIFY(!shown.empty());
    for (const ShownRate& one : shown) {
      const auto at = recorded.find(one.job);
      QVERIFY(at != recorded.end());
      const auto& rates = at->second.rates;
      QVERIFY2(std::any_of(rates.begin(), rates.end(),
                           [&](double rate) { return agree(one.perCycle, rate); }),
               "A rate was shown that no step of its request gives.");
    }

    // A replay shows the last request's, however the time is cut.
    trace::Replay replay(std::move(*trace::Reader::open(path)));
    const auto frame = replay.frame(replay.cycles() / 2, replay.cycles());
    QVERIFY(frame.has_value());
    const auto& [job, report] = *reports.rbegin();
    if (atOnce > 1) return;
    const auto rate =
        shadow ? report.shadowTokensPerSecond() : report.waferTokensPerSecond(clockHz);
    QVERIFY(agree(frame->waferTokensPerSecond, rate.value_or(0)));
  }
};

}  // namespace waferpair::server

QTEST_GUILESS_MAIN(waferpair::server::TestLiveRates)
#include "test_live_rates.moc"
