// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates of whole requests: every part is what the Program is charged, and they hang together.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "runtime/wafer/estimate/run_estimate.h"
#include "runtime/wafer/plan/load.h"
#include "runtime/wafer/plan/program.h"
#include "tests/runtime/wafer/wafer_fixtures.h"

using namespace waferpair;
using wafer::Part;
using wafer::Program;
using wafer::RunEstimate;
using wafer::RunRequest;

namespace {

RunRequest requestOf(const wafer::ModelShape& shape) {
  RunRequest r;
  r.shape = shape;
  r.machine = test::machine("wse3");
  r.profile = test::profile("waferllm-2025-wse3");
  r.prompt = 300;
  r.output = 200;
  return r;
}

RunEstimate estimated(const RunRequest& r) { return test::required(wafer::estimateRun(r)); }

bool near(double a, double b, double by = 1e-9) { return std::abs(a - b) <= by * std::abs(b); }

double part(const wafer::PartCycles& cycles, Part which) { return cycles[static_cast<int>(which)]; }

}  // namespace

class TestRunEstimate : public QObject {
  Q_OBJECT

 private slots:
  void aRequestIsWhatItsProgramIsCharged() {
    for (const char* name : {"llama-3.1-8b", "gpt-oss-120b"}) {
      const RunRequest r = requestOf(test::required(wafer::findShape(name)));
      const RunEstimate e = estimated(r);
      auto program = Program::shadow(
          test::required(wafer::plan(r.shape, r.machine, r.profile, {.context = 500})));
      double prefill = program.charge({.tokens = 256, .context = 0, .logits = 0, .ahead = 44});
      prefill += program.charge({.tokens = 44, .context = 256, .logits = 1});
      QVERIFY(near(e.prefillCycles, prefill));
      double decode = 0;
      for (int i = 0; i < 199; ++i) decode += program.charge({.tokens = 1, .context = 300 + i});
      QCOMPARE(e.steps, 199.0);
      QVERIFY(near(e.steps * e.decodeStepCycles, decode));
      QVERIFY(near(e.firstTokenSeconds, prefill / 1.1e9));
      QVERIFY(near(e.decodeSeconds, decode / 1.1e9));
      QVERIFY(near(e.decodeTokensPerSecond, 199 / e.decodeSeconds));
      QCOMPARE(e.totalSeconds(), e.firstTokenSeconds + e.handOverSeconds + e.decodeSeconds);
      QVERIFY(near(e.joulesPerRequest, 23000.0 * e.placement.wafers * e.totalSeconds()));
      // One request that is alone keeps one region busy at a time, most of the time a block.
      const double pes = static_cast<double>(e.placement.wafers) * 893064;
      double most = 0;
      for (const wafer::Region& region : e.placement.regions)
        most = std::max(most, static_cast<double>(region.rect.area()) / pes);
      const double block = static_cast<double>(e.placement.regions[1].rect.area()) / pes;
      QVERIFY(e.busyShare > 0.5 * block && e.busyShare <= most);
      QVERIFY(near(e.busyJoulesPerToken(), e.busyShare * e.joulesPerToken));
      for (int i = 0; i < wafer::kParts; ++i) {
        const bool hops = static_cast<Part>(i) == Part::kWaferHops;
        QCOMPARE(e.decodeStep[i] > 0, !hops || e.placement.wafers > 1);
        QCOMPARE(e.prefill[i] > 0, !hops || e.placement.wafers > 1);
      }
      QVERIFY(!e.notModeled.empty());
    }
  }

  // A draft that was partly wrong has recurrent layers go back, which is not charged.
  void guessesOnRecurrentLayersSayWhatTheyLeaveOut() {
    const auto said = [](const char* name, int draft) {
      RunRequest r = requestOf(test::required(wafer::findShape(name)));
      r.draft = draft;
      const RunEstimate e = estimated(r);
      return std::ranges::any_of(e.notModeled, [](const std::string& line) {
        return line.find("recurrent layers go through again") != std::string::npos;
      });
    };
    QVERIFY(said("qwen3.6-27b", 4));
    QVERIFY(!said("qwen3.6-27b", 0));
    QVERIFY(!said("llama-3.1-8b", 4));
  }

  void aLongOutputIsPricedAsIfTokenByToken() {
    RunRequest r = requestOf(test::smallShape());
    r.prompt = 20;
    r.output = 7000;
    const RunEstimate e = estimated(r);
    auto program = Program::shadow(
        test::required(wafer::plan(r.shape, r.machine, r.profile, {.context = 7020})));
    double decode = 0;
    for (int i = 0; i < 6999; ++i) decode += program.cycles({.tokens = 1, .context = 20 + i});
    QVERIFY2(near(e.steps * wafer::totalOf(e.decodeStep), decode, 1e-3),
             qPrintable(QString::number(e.steps * wafer::totalOf(e.decodeStep) / decode)));
  }

  // Attention grows with what is in the cache, the rest does not.
  void aLongerContextIsPaidForInAttention() {
    RunRequest r = requestOf(test::smallShape());
    r.options.grid = {64, 64};
    r.options.context = 4096;
    const RunEstimate few = estimated(r);
    r.prompt = 3000;
    const RunEstimate many = estimated(r);
    // 42 more rows of 4 columns of keys and of values on each PE, in five layers.
    const double more =
        part(many.decodeStep, Part::kAttention) - part(few.decodeStep, Part::kAttention);
    QVERIFY(more > 5 * 42 * r.profile.decode.issue);
    for (Part p : {Part::kEmbedding, Part::kFeedForward, Part::kMoves, Part::kHead}) {
      QVERIFY(near(part(many.decodeStep, p), part(few.decodeStep, p)));
    }
  }

  void rightGuessesMakeStepsWorthSeveralTokens() {
    RunRequest r = requestOf(test::required(wafer::findShape("llama-3.1-8b")));
    const RunEstimate plain = estimated(r);
    r.draft = 4;
    r.acceptance = 0;
    const RunEstimate wrong = estimated(r);
    QCOMPARE(wrong.tokensPerStep, 1.0);
    QVERIFY(wrong.decodeSeconds > plain.decodeSeconds);
    r.acceptance = 1;
    QCOMPARE(estimated(r).tokensPerStep, 5.0);
    QCOMPARE(estimated(r).steps, 40.0);  // of 199 tokens
    r.acceptance = 0.5;
    const RunEstimate half = estimated(r);
    QCOMPARE(half.tokensPerStep, 1 + 0.5 + 0.25 + 0.125 + 0.0625);
    QVERIFY(near(half.decodeTokensPerSecond, half.tokensPerStep * 1.1e9 / half.decodeStepCycles));
  }

  // Rows and drafts that follow one another: the busiest region is never idle, and the last of
  // them goes all the way.
  void chunksAndDraftsFollowOneAnother() {
    RunRequest r = requestOf(test::required(wafer::findShape("llama-3.1-70b")));
    r.prompt = 512;
    const RunEstimate plain = estimated(r);
    const double regions = static_cast<double>(plain.placement.regions.size());
    QVERIFY(plain.prefillCycles < wafer::totalOf(plain.prefill));
    QVERIFY(plain.prefillCycles > wafer::totalOf(plain.prefill) / regions);
    QVERIFY(near(plain.decodeStepCycles, wafer::totalOf(plain.decodeStep)));
    r.draft = 3;
    r.acceptance = 1;
    const RunEstimate drafted = estimated(r);
    QVERIFY(drafted.decodeTokensPerSecond > 3 * plain.decodeTokensPerSecond);
    QVERIFY(drafted.decodeTokensPerSecond < 4 * plain.decodeTokensPerSecond);
    QVERIFY(near(wafer::totalOf(drafted.decodeStep), 4 * wafer::totalOf(plain.decodeStep), 0.01));
    // A profile that speculates does so unless something else is asked for.
    r.profile.speculation = {3, 1};
    r.draft = {};
    r.acceptance = {};
    QVERIFY(near(estimated(r).decodeTokensPerSecond, drafted.decodeTokensPerSecond));
    r.draft = 0;
    QVERIFY(near(estimated(r).decodeTokensPerSecond, plain.decodeTokensPerSecond));
  }

  // Requests that follow one another: as many times as fast, until one region has no time left.
  void moreRequestsFillTheBlocksAndNoMore() {
    RunRequest r = requestOf(test::required(wafer::findShape("llama-3.1-8b")));
    r.options.grid = {384, 384};
    const RunEstimate one = estimated(r);
    QVERIFY(near(one.batchTokensPerSecond, one.decodeTokensPerSecond, 0.01));
    QVERIFY(one.requestsToFill > 1);
    r.requests = 2;
    const RunEstimate two = estimated(r);
    QVERIFY(near(two.batchTokensPerSecond, 2 * one.batchTokensPerSecond, 0.01));
    r.requests = one.requestsToFill;
    const RunEstimate full = estimated(r);
    QVERIFY(full.batchTokensPerSecond > (r.requests - 1) * one.batchTokensPerSecond);
    r.requests = 2 * one.requestsToFill;
    const RunEstimate more = estimated(r);
    QVERIFY(near(more.batchTokensPerSecond, full.batchTokensPerSecond, 0.01));
    QVERIFY(more.batchJoulesPerToken < one.joulesPerToken);
    // Each has room in the cache for all its tokens.
    QCOMPARE(more.placement.context, r.requests * 500);
  }

  // Twice the latency of a hop is paid at each of them, and keeps no region busy.
  void hopsBetweenWafersTakeTheirLatency() {
    RunRequest r = requestOf(test::required(wafer::findShape("llama-3.1-70b")));
    const RunEstimate near1 = estimated(r);
    const int hops = near1.placement.wafers - 1;
    QVERIFY(hops >= 3);
    r.machine.waferHopSeconds *= 2;
    r.options.grid = near1.placement.block;
    const RunEstimate far = estimated(r);
    const double longer =
        part(far.decodeStep, Part::kWaferHops) - part(near1.decodeStep, Part::kWaferHops);
    QVERIFY(near(longer, hops * 5e-6 * 1.1e9, 1e-3));
    QVERIFY(far.requestsToFill >= near1.requestsToFill);
    r.requests = 10 * far.requestsToFill;
    RunRequest before = r;
    before.machine.waferHopSeconds /= 2;
    QVERIFY(near(estimated(r).batchTokensPerSecond, estimated(before).batchTokensPerSecond, 1e-6));
  }

  // All weights, padding and both copies of what is tied included, at 150 GB/s a wafer.
  void weightsAreLoadedOverTheLinksOfAllWafers() {
    const RunRequest r = requestOf(test::required(wafer::findShape("llama-3.1-70b")));
    const RunEstimate e = estimated(r);
    const double least = 2.0 * static_cast<double>(r.shape.parameters()) / 150e9;
    QVERIFY(e.placement.wafers > 1);
    QVERIFY(e.loadSeconds > least / e.placement.wafers);
    QVERIFY(e.loadSeconds < 1.5 * least / e.placement.wafers);
    const auto plan = test::required(
        wafer::plan(r.shape, r.machine, r.profile, {.context = r.prompt + r.output}));
    const auto load = wafer::loadTimeOf(plan);
    QCOMPARE(e.loadSeconds, load.seconds);
    QCOMPARE(e.loadBytes, load.totalBytes());
    QCOMPARE(e.totalSeconds(), e.firstTokenSeconds + e.handOverSeconds + e.decodeSeconds);
  }

  void theHandOverMovesWhatLiesOtherwise() {
    RunRequest r = requestOf(test::required(wafer::findShape("llama-3.1-8b")));
    r.options.grid = {384, 384};
    const RunEstimate same = estimated(r);
    // Each layer moves d x d and f x d weights of 16 bits; the links over the middle of a block
    // carry a quarter of their wavelets each way.
    const double tiles = 2.0 * (11 * 11 + 38 * 11) * same.placement.layersPerBlock;
    QVERIFY(near(same.handOver, tiles / 16 * 384 + 2 * 384));
    // To another grid everything moves, over the whole wafer.
    r.prefillGrid = {480, 480};
    const auto moved = wafer::estimateRun(r);
    QVERIFY2(moved.has_value(), moved ? "" : moved.error().message().c_str());
    QVERIFY(moved->handOver > same.handOver);
    QCOMPARE(moved->prefillGrid, (wafer::Grid{480, 480}));
    QVERIFY(near(moved->decodeSeconds, same.decodeSeconds));
    QVERIFY(moved->firstTokenSeconds != same.firstTokenSeconds);
  }

  void requestsThatMakeNoSenseAreNamed() {
    auto said = [](auto change) -> std::string {
      RunRequest r = requestOf(test::smallShape());
      change(r);
      const auto answer = wafer::estimateRun(r);
      return answer ? "" : answer.error().what;
    };
    auto names = [&](const char* what, auto change) {
      return said(change).find(what) != std::string::npos;
    };
    QCOMPARE(said([](RunRequest&) {}), std::string());
    QVERIFY(names("--prompt", [](RunRequest& r) { r.prompt = -1; }));
    QVERIFY(names("--output", [](RunRequest& r) { r.output = 1 << 30; }));
    QVERIFY(names("--draft", [](RunRequest& r) { r.draft = -1; }));
    QVERIFY(names("--acceptance", [](RunRequest& r) { r.acceptance = NAN; }));
    QVERIFY(names("--acceptance", [](RunRequest& r) { r.acceptance = 1.01; }));
    QVERIFY(names("--requests", [](RunRequest& r) { r.requests = 0; }));
    QVERIFY(names("--requests", [](RunRequest& r) { r.requests = 1 << 20; }));
    QVERIFY(names("--context", [](RunRequest& r) { r.options.context = 499; }));
    QVERIFY(names("fabric", [](RunRequest& r) { r.options.grid = {5000, 4}; }));
    QVERIFY(names("vocab_size", [](RunRequest& r) { r.shape.vocabSize = 0; }));
    QVERIFY(names("fabric", [](RunRequest& r) { r.prefillGrid = {5000, 4}; }));
    QVERIFY(names("positions", [](RunRequest& r) {
      r.options = {.objective = wafer::Objective::kContext, .context = 1 << 24, .maxWafers = 1};
    }));
  }

  // The number that is named is enough, and one less is not.
  void tooLongACacheIsToldHowManyWafersHoldIt() {
    RunRequest r = requestOf(test::required(wafer::findShape("llama-3.1-8b")));
    r.options = {.objective = wafer::Objective::kContext, .context = 1 << 17, .maxWafers = 1};
    const auto refused = wafer::estimateRun(r);
    QVERIFY(!refused);
    QVERIFY2(refused.error().what.find("of 131072 positions") != std::string::npos,
             refused.error().what.c_str());
    const QRegularExpression allow("^Allow (\\d+) wafers, or ask for less\\.$");
    const auto match = allow.match(QString::fromStdString(refused.error().remedy));
    QVERIFY2(match.hasMatch(), refused.error().remedy.c_str());
    const int wafers = match.captured(1).toInt();
    QVERIFY(wafers > 1);
    for (const int allowed : {wafers - 1, wafers}) {
      r.options.maxWafers = allowed;
      QCOMPARE(wafer::estimateRun(r).has_value(), allowed == wafers);
    }
  }
};

QTEST_GUILESS_MAIN(TestRunEstimate)
#include "test_run_estimate.moc"
