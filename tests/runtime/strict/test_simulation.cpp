// SPDX-License-Identifier: GPL-3.0-or-later
// A model of two layers with random weights, token by token on the mesh: the bits of strict mode.
#include <QFile>
#include <QtTest>
#include <bit>
#include <cstdio>
#include <tuple>

#include "runtime/strict/decoder.h"
#include "runtime/strict/simulation.h"
#include "runtime/wafer/machine/data.h"
#include "runtime/wafer/machine/machine.h"
#include "runtime/wafer/plan/op.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/paths.h"
#include "tests/support/tiny_architectures.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;

namespace {

template <typename T>
T taken(base::Result<T> result) {
  if (!result) qFatal("%s", result.error().message().c_str());
  return std::move(*result);
}

strict::Layout layoutOn(int width, int height) {
  return {.block = {width, height},
          .head = {width, height},
          .profile = taken(wafer::defaultProfile("wse3"))};
}

std::shared_ptr<const strict::Weights> weightsOf(const transformer::Loaded& loaded, int width,
                                                 int height) {
  return taken(strict::Weights::make(loaded.model, layoutOn(width, height)));
}

strict::Simulation simulate(std::shared_ptr<const strict::Weights> weights, int context) {
  const auto machine = taken(wafer::findMachine("wse3"));
  const wafer::Grid grid = weights->layout.block;
  const mesh::Config config = taken(mesh::configFor(machine, grid.width, grid.height));
  return taken(strict::Simulation::make(std::move(weights), config, context));
}

void compare(const std::vector<float>& got, std::span<const float> expected, const char* what,
             int token) {
  if (got.size() != expected.size()) qFatal("%s: sizes differ", what);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(got[i]) != std::bit_cast<std::uint32_t>(expected[i])) {
      qFatal("%s %zu of token %d: %g, not %g", what, i, token, double(got[i]), double(expected[i]));
    }
  }
}

void compareTokens(const transformer::Loaded& loaded, int width, int height, int tokens) {
  const auto weights = weightsOf(loaded, width, height);
  strict::Decoder decoder(weights, 32);
  strict::Simulation simulation = simulate(weights, 32);
  int token = 17;
  for (int i = 0; i < tokens; ++i) {
    if (auto ok = decoder.step(token); !ok) qFatal("%s", ok.error().message().c_str());
    const mesh::Report report = taken(simulation.step(token));
    compare(taken(simulation.stream()), decoder.stream(), "Element", i);
    compare(taken(simulation.logits()), decoder.logits(), "Logit", i);
    const auto logits = decoder.logits();
    const int chosen = static_cast<int>(std::ranges::max_element(logits) - logits.begin());
    QCOMPARE(taken(simulation.chosen()), chosen);
    std::printf("position %d: token %d, %d cycles\n", i, chosen, static_cast<int>(report.cycles));
    token = chosen;
  }
}

}  // namespace

class TestSimulation : public QObject {
  Q_OBJECT

 private slots:
  void simulatedTokensHaveTheBitsOfStrictOnes_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("tokens");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("kvHeads");
    QTest::addColumn<int>("modelWidth");
    QTest::newRow("32 x 32") << 32 << 32 << 5 << 4 << 2 << 128;
    // More positions than rows: the cache's rows move up.
    QTest::newRow("16 x 5, tiles that are not full") << 16 << 5 << 13 << 4 << 2 << 128;
    // The heads of the model that comes along, on a region that its dims don't divide.
    QTest::newRow("12 x 7, five queries of one key, columns without dims")
        << 12 << 7 << 9 << 5 << 1 << 80;
    QTest::newRow("9 x 4, pairs of dims on two PEs") << 9 << 4 << 6 << 4 << 2 << 64;
    QTest::newRow("5 x 3, two heads on a PE") << 5 << 3 << 5 << 4 << 4 << 48;
    QTest::newRow("2 x 2, several heads on each, dense") << 2 << 2 << 5 << 8 << 4 << 48;
    QTest::newRow("40 x 4, more columns than dims") << 40 << 4 << 3 << 4 << 1 << 64;
    QTest::newRow("1 x 1") << 1 << 1 << 3 << 2 << 1 << 8;
  }
  void simulatedTokensHaveTheBitsOfStrictOnes() {
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, tokens);
    QFETCH(int, heads);
    QFETCH(int, kvHeads);
    QFETCH(int, modelWidth);
    const transformer::Loaded loaded(test::makeTinyModel({.layers = 2,
                                                          .width = modelWidth,
                                                          .feedForward = 96,
                                                          .heads = heads,
                                                          .kvHeads = kvHeads,
                                                          .type = gguf::TensorType::kF16})
                                         .bytes());
    compareTokens(loaded, width, height, tokens);
  }

  void biasesAreAdded() {
    for (const test::TinyArchitecture& architecture : test::tinyArchitectures()) {
      const transformer::Loaded loaded(test::makeTinyArchitecture(architecture).bytes());
      if (!loaded.model->config().qkvBias || !strict::check(loaded.model->config())) continue;
      std::printf("%s\n", loaded.model->config().architecture.c_str());
      compareTokens(loaded, 6, 5, 6);
      return;
    }
    QFAIL("No such model.");
  }

  // A whole step, simulated, beside the closed form with the hardware's constants alone: what a
  // fitted profile absorbs. It is elementwise work, exponents above all, the second side of K-trees
  // (docs/mesh.md) and, on few PEs, reading and writing in the same banks.
  void aWholeStepIsHeldToTheClosedForm_data() {
    QTest::addColumn<int>("side");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("feedForward");
    for (const auto& [side, width, feedForward] :
         {std::tuple(8, 64, 96), std::tuple(16, 128, 96), std::tuple(16, 128, 512),
          std::tuple(32, 128, 96)})
      QTest::addRow("%d x %d, d %d, f %d", side, side, width, feedForward)
          << side << width << feedForward;
  }
  void aWholeStepIsHeldToTheClosedForm() {
    QFETCH(int, side);
    QFETCH(int, width);
    QFETCH(int, feedForward);
    constexpr int kContext = 32, kToken = 3;
    const transformer::Loaded loaded(
        test::makeTinyModel({.layers = 2, .width = width, .feedForward = feedForward}).bytes());
    strict::Simulation simulation = simulate(weightsOf(loaded, side, side), kContext);
    std::uint64_t simulated = 0;
    for (int i = 0; i <= kToken; ++i) simulated = taken(simulation.step(17 + i)).cycles;

    const auto machine = taken(wafer::findMachine("wse3"));
    wafer::Profile hardware = taken(wafer::defaultProfile("wse3"));
    hardware.decode = {.lanes = machine.lanes,
                       .issue = 0,
                       .stage = 2.0 * machine.rampCycles + 1,
                       .hop = double(machine.hopCycles),
                       .perWavelet = 3};
    const transformer::Config& config = loaded.model->config();
    wafer::ModelShape shape;
    shape.hiddenSize = config.width;
    shape.intermediateSize = config.feedForward;
    shape.layers = config.layers;
    shape.heads = config.heads;
    shape.kvHeads = config.kvHeads;
    shape.headDim = config.headDim;
    shape.vocabSize = config.vocabSize;
    const wafer::CostModel model(machine, hardware);
    const wafer::Grid grid{side, side};
    double closed = 0;
    for (const wafer::Op& op :
         wafer::layerOps(model, wafer::LayerWidths::of(shape), grid, kContext))
      closed += shape.layers * wafer::rowCycles(model, op, kToken + 1, grid).total();
    for (const wafer::Op& op : wafer::tailOps(model, shape, grid))
      closed += wafer::rowCycles(model, op, kToken + 1, grid).total();
    const double times = static_cast<double>(simulated) / closed;
    const QString line = QString::asprintf("| %d x %d | %d, %d | %.0f | %.0f | %.2f |", side, side,
                                           width, feedForward, double(simulated), closed, times);
    std::printf("%s\n", qPrintable(line));
    QFile page(QString::fromStdString(test::sourceDir() + "/docs/mesh.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    QVERIFY2(QString::fromUtf8(page.readAll()).split('\n').contains(line), qPrintable(line));
  }

  void whatTheMeshDoesNotDoIsToldBefore() {
    const transformer::Loaded loaded(test::makeTinyModel({.width = 64}).bytes());
    const auto machine = taken(wafer::findMachine("wse3"));
    const auto refused = [&](int width, int height, int context) {
      const auto weights = weightsOf(loaded, 16, 8);
      const auto simulation = strict::Simulation::make(
          weights, taken(mesh::configFor(machine, width, height)), context);
      if (simulation) qFatal("It was made.");
      return QString::fromStdString(simulation.error().message());
    };
    QVERIFY(refused(8, 8, 16).contains("other grids"));
    QVERIFY(refused(16, 8, 0).contains("context of 0"));
    // More positions than a PE's SRAM holds.
    const auto large = strict::Simulation::make(weightsOf(loaded, 2, 2),
                                                taken(mesh::configFor(machine, 2, 2)), 256);
    QVERIFY(!large);
    QVERIFY(QString::fromStdString(large.error().message()).contains("bytes of a PE's"));
    bool asked = false;
    const auto stopped = simulate(weightsOf(loaded, 16, 8), 8).step(17, [&](std::uint32_t) {
      asked = true;
      return false;
    });
    QVERIFY(asked && !stopped);
    QVERIFY(QString::fromStdString(stopped.error().message()).contains("stopped in cycle 0"));
    strict::Simulation simulation = simulate(weightsOf(loaded, 16, 8), 8);
    QVERIFY(!simulation.step(-1));
    QVERIFY(!simulation.step(320));
  }
};

QTEST_GUILESS_MAIN(TestSimulation)
#include "test_simulation.moc"
