// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of a tiny model step the program of a large one.
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "runtime/server/session/shadow.h"
#include "runtime/server/session/telemetry_frames.h"
#include "runtime/server/session/trace_recorder.h"
#include "runtime/trace/reader.h"
#include "tests/runtime/server/tiny_engine.h"

namespace waferpair::server {

using inference::Clock;

class TestShadow : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<inference::Engine> engine_;

  const inference::CompiledModel& model() const { return engine_->model(); }
  std::shared_ptr<wafer::Program> shadowOf(const ShadowSet& wanted) {
    auto made = planShadow(wanted, model().card());
    if (made) return *made;
    qWarning("%s", made.error().what.c_str());
    return nullptr;
  }
  static wafer::CounterSnapshot counters(const wafer::Program& program) {
    wafer::CounterSnapshot snapshot;
    program.counters().read(snapshot);
    return snapshot;
  }

 private slots:
  void initTestCase() {
    auto engine = test::makeTinyEngine(folder_);
    QVERIFY2(engine.has_value(), engine ? "" : engine.error().message().c_str());
    engine_ = std::move(*engine);
  }
  void cleanup() { model().setShadow(nullptr); }
  void cleanupTestCase() { engine_.reset(); }

  // Whatever chunks and drafts the engine makes: each step is charged as the shadow's program
  // charges a step of its own.
  void eachStepIsChargedToBoth() {
    struct Watch : inference::StepObserver {
      std::optional<wafer::Program> alone;
      std::uint64_t expected = 0, charged = 0;
      int steps = 0;
      void stepped(const inference::StepReport& report) override {
        ++steps;
        expected += alone->charge(report.context);
        for (const wafer::ChargedStep& step : report.shadowSteps) charged += step.cycles;
      }
    };
    const auto shadow = shadowOf({.shape = "qwen2.5-coder-7b"});
    QVERIFY(shadow);
    const auto watch = std::make_shared<Watch>();
    watch->alone = wafer::Program::shadow(shadow->plan());
    model().setShadow(shadow);
    model().observe(watch);
    const auto own = counters(model().program()).totals;
    const inference::JobReport report = test::generate(*engine_, 40);
    model().observe(nullptr);

    QVERIFY(watch->steps > 1);
    const wafer::CounterTotals totals = counters(*shadow).totals;
    QCOMPARE(totals.cycles(), watch->expected);
    QCOMPARE(watch->charged, watch->expected);
    QCOMPARE(report.shadow.cycles, watch->expected);
    QCOMPARE(report.shadow.program, std::shared_ptr<const wafer::Program>(shadow));
    // The same rows as the model's own program, at other cycles.
    const auto now = counters(model().program()).totals;
    QCOMPARE(totals.steps, now.steps - own.steps);
    QCOMPARE(totals.decodeTokens, now.decodeTokens - own.decodeTokens);
    QCOMPARE(totals.prefillTokens, now.prefillTokens - own.prefillTokens);
    QVERIFY(totals.cycles() != now.cycles() - own.cycles());
    QVERIFY(report.shadow.firstTokenCycles > 0);
    QCOMPARE(report.shadow.firstTokenCycles + report.shadow.decodeCycles, report.shadow.cycles);
  }

  void framesTellTheShadowsWafersAndTheModelsTokens() {
    const auto shadow = shadowOf({.shape = "llama-3.1-70b"});
    QVERIFY(shadow);
    model().setShadow(shadow);
    const protocol::WaferLayout layout = shownLayout(model());
    QCOMPARE(layout.model, std::string("llama-3.1-70b"));
    QCOMPARE(layout.shadowOf, std::string("tiny"));
    QVERIFY(layout.wafers > 1);
    QCOMPARE(layout.regions.back().wafer, layout.wafers - 1);
    TelemetryFrames frames(*shadow, Clock::now(), Clock::now(), counters(*shadow), engine_->stats(),
                           Shown::kShadow);
    const inference::JobReport report = test::generate(*engine_, 8);
    const auto frame = frames.next(Clock::now(), counters(*shadow), engine_->stats());
    QCOMPARE(frame.intervalCycles, report.shadow.cycles);
    QCOMPARE(frame.intervalDecoded, static_cast<std::uint32_t>(report.outputTokens));
    QCOMPARE(frame.regions.size(), layout.regions.size());
    QCOMPARE(frame.lastStep.size(), layout.ops.size());
    QCOMPARE(frame.waferTokensPerSecond, static_cast<float>(*report.shadowTokensPerSecond()));
    QCOMPARE(frame.contextLimit, static_cast<std::uint32_t>(model().card().context));
    const Json timings = timingsJson(report, model().card());
    QCOMPARE(timings.at("shadow").at("model"), Json("llama-3.1-70b"));
    QCOMPARE(timings.at("shadow").at("cycles"), Json(report.shadow.cycles));
    QCOMPARE(timings.at("wafer").at("cycles"), Json(report.waferCycles));
    QCOMPARE(static_cast<float>(timings.at("shadow").at("first_token_ms").get<double>()),
             frame.firstTokenWaferMs);
  }

  void withoutAShadowNothingIsToldOfOne() {
    const inference::JobReport report = test::generate(*engine_, 3);
    QVERIFY(!report.shadow.program && report.shadow.cycles == 0);
    QVERIFY(timingsJson(report, model().card()).at("shadow").is_null());
    QVERIFY(shownLayout(model()).shadowOf.empty());
  }

  // Half of its steps on other wafers: its sums would mean nothing.
  void aJobThatSawTwoShadowsTellsNeither() {
    inference::ShadowReport report;
    report.program = shadowOf({.shape = "llama-3.1-8b"});
    const auto other = shadowOf({.shape = "llama-3.1-8b"});
    report.add(report.program, 10, true);
    QVERIFY(report.program);
    report.add(other, 10, true);
    QVERIFY(!report.program);
  }

  void aTraceIsOfTheShadow() {
    const auto shadow = shadowOf({.shape = "llama-3.1-8b"});
    QVERIFY(shadow);
    model().setShadow(shadow);
    const std::string path = folder_.filePath("shadow.wptrace").toStdString();
    const auto before = counters(*shadow).totals.cycles();
    const auto recorder = TraceRecorder::start(model(), path);
    QVERIFY(recorder.has_value());
    test::generate(*engine_, 12);
    const auto written = (*recorder)->stop();
    QVERIFY(written.has_value());
    QCOMPARE(written->totals.cycles, counters(*shadow).totals.cycles() - before);
    const auto reader = trace::Reader::open(path);
    QVERIFY(reader.has_value());
    QCOMPARE(reader->header().layout.model, std::string("llama-3.1-8b"));
    QCOMPARE(reader->header().layout.shadowOf, std::string("tiny"));
  }

  void whatIsToldOfItIsItsPlan() {
    const auto shadow = shadowOf({.shape = "llama-3.1-70b", .weights = "Q8_0", .clockGhz = 0.85});
    QVERIFY(shadow);
    const Json json = shadowJson(shadow.get());
    QCOMPARE(json.at("wafers"), Json(shadow->plan().placement.wafers));
    QCOMPARE(json.at("clock_hz"), Json(0.85e9));
    QVERIFY(json.at("parameters").get<double>() > 70e9);
    QVERIFY(json.at("sram_bytes_used").get<double>() > 70e9);
    QVERIFY(json.at("sram_bytes_used") < json.at("sram_bytes"));
    QVERIFY(json.at("tokens_per_second").get<double>() > 100);
    QVERIFY(shadowJson(nullptr).is_null());
    const auto wider = shadowOf({.shape = "llama-3.1-70b"});  // FP16
    QVERIFY(wider->plan().placement.wafers > shadow->plan().placement.wafers);
  }

  void theCatalogCanAllBePlaced() {
    const Json shapes = shapesJson(model().card());
    QVERIFY(shapes.size() >= 8);
    double parameters = 0;
    for (const Json& shape : shapes) {
      QVERIFY(shape.at("parameters").get<double>() >= parameters);
      parameters = shape.at("parameters").get<double>();
      const std::string name = shape.at("name").get<std::string>();
      const auto shadow = shadowOf({.shape = name});
      QVERIFY2(shadow, name.c_str());
      QCOMPARE(shadow->plan().shape.name, name);
      QCOMPARE(shape.at("wafers"), Json(shadow->plan().placement.wafers));
    }
  }

  void aFileIsCalledByItsName() {
    const std::string path = folder_.filePath("mine.json").toStdString();
    std::ofstream(path) << R"({"hidden_size": 512, "intermediate_size": 1024,
        "num_hidden_layers": 4, "num_attention_heads": 8, "vocab_size": 1000})";
    const auto shadow = shadowOf({.shape = path});
    QVERIFY(shadow);
    QCOMPARE(shadow->plan().shape.name, std::string("mine"));
    QVERIFY(shadow->plan().placement.context >= model().card().context);
  }

  void itIsPlacedAsWished() {
    const auto placed = [&](const ShadowSet& wanted) {
      const auto shadow = shadowOf(wanted);
      if (!shadow) qFatal("No shadow.");
      return shadow->plan().placement;
    };
    const auto usual = placed({.shape = "llama-3.1-8b"});
    QCOMPARE(placed({.shape = "llama-3.1-8b", .objective = "latency"}).block.width,
             usual.block.width);
    const auto replicas = placed({.shape = "llama-3.1-8b", .objective = "replicas"});
    QVERIFY(replicas.replicas >= 1 && replicas.usedPes() < usual.usedPes());
    const auto longest = placed({.shape = "llama-3.1-8b", .objective = "context"});
    QVERIFY(longest.context > usual.context);
    QCOMPARE(placed({.shape = "llama-3.1-8b", .context = 3000}).context, 3000);
  }

  void wishesForItsPlacementAreRefusedByField() {
    const auto fieldOf = [&](const ShadowSet& wanted) {
      const auto made = planShadow(wanted, model().card());
      return made ? std::string("none") : made.error().field;
    };
    QCOMPARE(fieldOf({.shape = "llama-3.1-8b", .objective = "beauty"}), std::string("objective"));
    // The loaded model's texts would not fit.
    QCOMPARE(fieldOf({.shape = "llama-3.1-8b", .context = model().card().context - 1}),
             std::string("context"));
    QCOMPARE(fieldOf({.shape = "llama-3.1-8b", .context = model().card().context}),
             std::string("none"));
  }

  void whatCannotBeIsRefusedByField_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("weights");
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QString>("field");
    const QString broken = folder_.filePath("broken.json");
    std::ofstream(broken.toStdString()) << "{";
    const QString huge = folder_.filePath("huge.json");
    std::ofstream(huge.toStdString()) << R"({"hidden_size": 1048576, "intermediate_size": 1048576,
        "num_hidden_layers": 4, "num_attention_heads": 8, "vocab_size": 1000})";
    QTest::newRow("no such shape") << "llama-9"
                                   << ""
                                   << ""
                                   << "shape";
    QTest::newRow("no such file") << "/no/such/file.json"
                                  << ""
                                  << ""
                                  << "shape";
    QTest::newRow("a folder") << folder_.path() << ""
                              << ""
                              << "shape";
    QTest::newRow("a broken file") << broken << ""
                                   << ""
                                   << "shape";
    QTest::newRow("too large") << huge << ""
                               << ""
                               << "shape";
    QTest::newRow("format") << "llama-3.1-8b"
                            << "Q99"
                            << ""
                            << "weights";
    QTest::newRow("profile") << "llama-3.1-8b"
                             << ""
                             << "fast"
                             << "profile";
  }
  void whatCannotBeIsRefusedByField() {
    QFETCH(QString, shape);
    QFETCH(QString, weights);
    QFETCH(QString, profile);
    QFETCH(QString, field);
    const auto made = planShadow({.shape = shape.toStdString(),
                                  .weights = weights.toStdString(),
                                  .profile = profile.toStdString()},
                                 model().card());
    QVERIFY(!made.has_value());
    QCOMPARE(made.error().code, std::string("shadow_failed"));
    QCOMPARE(made.error().field, field.toStdString());
    QVERIFY(!made.error().what.empty() && !made.error().remedy.empty());
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestShadow)
#include "test_shadow.moc"
