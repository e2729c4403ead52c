// SPDX-License-Identifier: GPL-3.0-or-later
// A model of two layers with random weights, token by token on the mesh: the bits of strict mode.
#include <QtTest>
#include <bit>
#include <cstdio>

#include "runtime/strict/decoder.h"
#include "runtime/strict/simulation.h"
#include "runtime/wafer/machine/data.h"
#include "runtime/wafer/machine/machine.h"
#include "tests/runtime/transformer/forward_run.h"
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

}  // namespace

class TestSimulation : public QObject {
  Q_OBJECT

 private slots:
  void simulatedTokensHaveTheBitsOfStrictOnes_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("tokens");
    QTest::newRow("32 x 32") << 32 << 32 << 5;
    // More positions than rows: the cache's rows move up.
    QTest::newRow("16 x 5, tiles that are not full") << 16 << 5 << 13;
  }
  void simulatedTokensHaveTheBitsOfStrictOnes() {
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, tokens);
    const transformer::Loaded loaded(
        test::makeTinyModel({.layers = 2, .width = 128, .feedForward = 96}).bytes());
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
    const auto odd = strict::Simulation::make(weightsOf(loaded, 32, 8),
                                              taken(mesh::configFor(machine, 32, 8)), 16);
    QVERIFY(!odd);
    QVERIFY(QString::fromStdString(odd.error().message()).contains("32 columns"));
    strict::Simulation simulation = simulate(weightsOf(loaded, 16, 8), 8);
    QVERIFY(!simulation.step(-1));
    QVERIFY(!simulation.step(320));
  }
};

QTEST_GUILESS_MAIN(TestSimulation)
#include "test_simulation.moc"
