// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates: their figures hang together, and wrong requests are refused.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "runtime/wafer/estimate/estimate.h"
#include "tests/runtime/wafer/wafer_fixtures.h"

using namespace waferpair;
using wafer::Estimate;
using wafer::EstimateRequest;
using wafer::Phase;

namespace {

EstimateRequest llamaRequest(Phase phase) {
  EstimateRequest request;
  request.shape = test::llama8b();
  request.machine = test::machine("wse2");
  request.profile = test::profile("waferllm-2025");
  request.phase = phase;
  request.grid = {420, 420};
  request.context = 4096;
  return request;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

}  // namespace

class TestEstimate : public QObject {
  Q_OBJECT

 private slots:
  void aDecodeEstimateHangsTogether() {
    const auto request = llamaRequest(Phase::kDecode);
    const Estimate e = test::required(wafer::estimate(request));
    QVERIFY(near(e.cyclesPerToken, 32 * e.cyclesPerLayer));
    QVERIFY(near(e.tokensPerSecond, 1.1e9 / e.cyclesPerToken));
    QVERIFY(near(e.joulesPerToken, 15000 / e.tokensPerSecond));
    QCOMPARE(e.profile, std::string("waferllm-2025"));
    QCOMPARE(e.clockGhz, 1.1);
    QCOMPARE(e.sram.total(), 49152);
    QVERIFY(e.blocks * e.layersPerBlock >= 32);
    QVERIFY(e.wafers >= 1);
    QVERIFY(!e.notModeled.empty());
    QVERIFY(!e.extrapolated);
  }

  // WaferLLM counts layers of attention and one feed-forward: what other parts count as is said.
  void whatIsCountedAsSomethingElseIsSaid() {
    const auto said = [](const char* name, const char* what) {
      auto request = llamaRequest(Phase::kDecode);
      request.shape = test::required(wafer::findShape(name));
      const Estimate e = test::required(wafer::estimate(request));
      return std::ranges::any_of(
          e.notModeled, [what](const std::string& line) { return line.starts_with(what); });
    };
    QVERIFY(said("qwen3.6-27b", "recurrent layers"));
    QVERIFY(!said("qwen3.6-27b", "experts"));
    QVERIFY(said("qwen3-next-80b-a3b", "recurrent layers"));
    QVERIFY(said("qwen3-next-80b-a3b", "experts"));
    QVERIFY(!said("llama-3.1-8b", "recurrent layers"));
    QVERIFY(!said("llama-3.1-8b", "experts"));
  }

  void theClockScalesTimeAndNotCycles() {
    auto request = llamaRequest(Phase::kDecode);
    const Estimate fast = test::required(wafer::estimate(request));
    request.clockGhz = 0.55;
    const Estimate slow = test::required(wafer::estimate(request));
    QCOMPARE(slow.cyclesPerToken, fast.cyclesPerToken);
    QVERIFY(near(2 * slow.tokensPerSecond, fast.tokensPerSecond));
  }

  void endToEndIsPrefillAndThenOneDecodeAfterAnother() {
    auto request = llamaRequest(Phase::kEndToEnd);
    request.grid = {480, 480};
    request.prompt = 700;
    request.output = 1000;
    const Estimate e = test::required(wafer::estimate(request));
    double decode = 0;
    for (int i = 1; i <= 1000; ++i) {
      decode += 32 * wafer::decodeLayerCycles(request.shape, request.machine, request.profile,
                                              request.grid, 700 + i);
    }
    const double prefill = 32 * wafer::prefillLayerCycles(request.shape, request.machine,
                                                          request.profile, request.grid, 700);
    QVERIFY(near(e.decodeSeconds, decode / 1.1e9));
    QVERIFY(near(e.prefillSeconds, prefill / 1.1e9));
    QVERIFY(near(e.tokensPerSecond, 1000 / (e.prefillSeconds + e.decodeSeconds)));
    QVERIFY(near(e.cyclesPerToken, decode / 1000));

    request.prefillGrid = {600, 600};
    const Estimate other = test::required(wafer::estimate(request));
    QVERIFY(near(other.decodeSeconds, e.decodeSeconds));
    QVERIFY(other.prefillSeconds < e.prefillSeconds);
  }

  void prefillIsCountedPerTokenOfThePrompt() {
    auto request = llamaRequest(Phase::kPrefill);
    request.prompt = 2048;
    const Estimate e = test::required(wafer::estimate(request));
    QCOMPARE(e.prompt, 2048);
    QVERIFY(near(e.cyclesPerToken, 32 * e.cyclesPerLayer / 2048));
    QVERIFY(near(e.tokensPerSecond, 1.1e9 / e.cyclesPerToken));
  }

  void withNoGridThePlannerNamesOne() {
    auto request = llamaRequest(Phase::kDecode);
    request.grid = {};
    const Estimate e = test::required(wafer::estimate(request));
    QVERIFY(e.grid.width > 0);
    QCOMPARE(e.grid.width, e.grid.height);
    QCOMPARE(e.wafers, 1);
  }

  // W reports grids that cannot hold all layers at once; so do we, and say what it would take.
  void aGridTooSmallForAllLayersNeedsMoreWafers() {
    auto request = llamaRequest(Phase::kDecode);
    request.grid = {540, 540};
    const Estimate e = test::required(wafer::estimate(request));
    QVERIFY(e.wafers > 1);
    QCOMPARE(static_cast<int>(wafer::ceilDiv(32, e.layersPerBlock)), e.blocks);
  }

  void everyPublishedGridOfALargeModelHasAnEstimate() {
    const wafer::ModelShape qwen{"QWen2-72B", 8192, 29568, 80, 64, 8, 128, 152064, 32768, false};
    double last = 0;
    for (int pes : {360, 420, 480, 540, 600, 660, 720}) {
      for (Phase phase : {Phase::kDecode, Phase::kPrefill}) {
        auto request = llamaRequest(phase);
        request.shape = qwen;
        request.grid = {pes, pes};
        const Estimate e = test::required(wafer::estimate(request));
        QVERIFY(e.tokensPerSecond > 0);
        if (phase == Phase::kPrefill) {
          QVERIFY(e.tokensPerSecond > last);  // more PEs multiply faster
          last = e.tokensPerSecond;
        }
      }
    }
  }

  void requestsThatMakeNoSenseAreRefused() {
    auto refused = [](auto change) {
      auto request = llamaRequest(Phase::kEndToEnd);
      change(request);
      auto answer = wafer::estimate(request);
      return !answer && !answer.error().what.empty() && !answer.error().remedy.empty();
    };
    QVERIFY(!refused([](EstimateRequest&) {}));
    QVERIFY(refused([](EstimateRequest& r) { r.context = -1; }));
    QVERIFY(refused([](EstimateRequest& r) { r.prompt = 1 << 30; }));
    QVERIFY(refused([](EstimateRequest& r) { r.output = -5; }));
    QVERIFY(refused([](EstimateRequest& r) { r.clockGhz = -1; }));
    QVERIFY(refused([](EstimateRequest& r) { r.clockGhz = NAN; }));
    QVERIFY(refused([](EstimateRequest& r) { r.grid = {10, 10}; }));
    QVERIFY(refused([](EstimateRequest& r) { r.grid = {5000, 10}; }));
    QVERIFY(refused([](EstimateRequest& r) { r.prefillGrid = {10, 10}; }));
    QVERIFY(refused([](EstimateRequest& r) { r.shape.layers = 0; }));
    QVERIFY(!wafer::parsePhase("prefil"));
  }
};

QTEST_GUILESS_MAIN(TestEstimate)
#include "test_estimate.moc"
