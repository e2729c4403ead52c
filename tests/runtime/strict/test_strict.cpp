// SPDX-License-Identifier: GPL-3.0-or-later
// Strict mode: its arithmetic to the bit, its layout, and a model's logits beside the fast ones.
#include <QtTest>
#include <numeric>

#include "runtime/strict/compile.h"
#include "runtime/strict/decoder.h"
#include "runtime/wafer/machine/data.h"
#include "tests/runtime/mesh/mesh_reference.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/tiny_architectures.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;
using strict::KTree;
using strict::Matrix;
using test::taken;

namespace {

std::vector<float> randomHalves(int count, unsigned seed) {
  const Eigen::MatrixXf values = test::randomHalves(count, 1, seed);
  return {values.data(), values.data() + count};
}

Matrix randomMatrix(int rows, int columns, unsigned seed) {
  Matrix matrix{.rows = rows, .columns = columns, .values = {}};
  for (float value : randomHalves(rows * columns, seed)) {
    matrix.values.push_back(tensor::toHalf(value));
  }
  return matrix;
}

strict::Layout layoutOn(wafer::Grid block, wafer::Grid head) {
  return {.block = block, .head = head, .profile = taken(wafer::defaultProfile("wse3"))};
}

}  // namespace

class TestStrict : public QObject {
  Q_OBJECT

 private slots:
  // Against the reference that the mesh's GEMV is held to. Sizes that do not divide, PEs with none.
  void productsAreSummedAsOnTheFabric() {
    for (const auto [rows, columns, pes, group] :
         {std::array{24, 8, 4, 2}, {30, 45, 8, 3}, {5, 33, 9, 3}, {7, 3, 1, 1}}) {
      const Matrix matrix = randomMatrix(rows, columns, 3);
      const std::vector<float> x = randomHalves(rows, 4);
      const int each = (rows + pes - 1) / pes;
      Eigen::MatrixXf parts(columns, pes);
      for (int pe = 0; pe < pes; ++pe) {
        Eigen::VectorXf in = Eigen::VectorXf::Zero(each);
        Eigen::MatrixXf tile = Eigen::MatrixXf::Zero(each, columns);
        for (int k = 0; k < each && pe * each + k < rows; ++k) {
          in[k] = x[static_cast<std::size_t>(pe * each + k)];
          for (int n = 0; n < columns; ++n) {
            tile(k, n) = tensor::toFloat(matrix.row(pe * each + k)[n]);
          }
        }
        parts.col(pe) = test::productOfTile(in, tile);
      }
      const Eigen::VectorXf expected = test::kTreeSum(parts, group, mesh::Type::F16);
      std::vector<float> got(static_cast<std::size_t>(columns));
      strict::gemv(matrix, x, each, KTree(pes, group), got);
      for (int n = 0; n < columns; ++n) QCOMPARE(got[static_cast<std::size_t>(n)], expected[n]);
    }
  }

  // 1 + 2^-10 + 2^-11 - 2^-31 lies below the middle of two FP16 values; FP32 would take it there,
  // and FP16 from there to the upper one.
  void aMultiplyAddIsRoundedOnce() {
    const float odd = 1 + std::ldexp(1.0f, -10);
    const std::vector<float> in{1, std::ldexp(1.0f, -11) - std::ldexp(1.0f, -21)};
    for (std::size_t columns : {1, 8, 40}) {
      const std::vector<tensor::Half> tile(2 * columns, tensor::toHalf(odd));
      std::vector<float> out(columns);
      strict::multiplyTile(in, tile.data(), columns, out);
      QCOMPARE(out, std::vector<float>(columns, odd));
    }
  }

  void everyQueryLiesOnOnePe() {
    transformer::Config config;
    config.heads = 6;
    config.kvHeads = 2;
    config.headDim = 10;
    for (int pes : {1, 3, 4, 7, 20, 33}) {
      const strict::MixedOrder order = strict::mixedOrder(config, pes);
      std::vector<int> rows = order.rows, all(60);
      std::iota(all.begin(), all.end(), 0);
      std::ranges::sort(rows);
      QCOMPARE(rows, all);
      QVERIFY(order.each * pes >= 60);
    }
  }

  // The error is what FP16 sums lose, and no more: a wrong head, position or pair would make it a
  // hundredfold.
  void logitsAreNearThoseOfTheHost() {
    for (const wafer::Grid block : {wafer::Grid{1, 1}, {8, 8}, {7, 5}, {40, 40}}) {
      const transformer::Loaded loaded(test::makeTinyModel({}).bytes());
      const transformer::Tokens tokens = transformer::randomTokens(12, 256);
      const auto fast = transformer::logitsOf(loaded, tokens, 4, 1, tensor::kernels());
      strict::Decoder decoder(taken(strict::Weights::make(loaded.model, layoutOn(block, {9, 6}))),
                              16);
      double error = 0, size = 0;
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        test::done(decoder.step(tokens[t]));
        for (std::size_t v = 0; v < fast[t].size(); ++v) {
          error += std::pow(fast[t][v] - decoder.logits()[v], 2);
          size += std::pow(fast[t][v], 2);
        }
      }
      QVERIFY2(std::sqrt(error / size) < 0.02,
               qPrintable(QString::number(std::sqrt(error / size))));
    }
  }

  // Files that join the matrices of a plain layer, turn a part of a head, or scale for a context.
  void plainLayersOfOtherFilesAreTaken_data() {
    QTest::addColumn<QString>("label");
    for (const char* label : {"phi3", "phi3 of a long context", "chatglm", "exaone", "ernie4_5"})
      QTest::addRow("%s", label) << QString(label);
  }
  void plainLayersOfOtherFilesAreTaken() {
    QFETCH(QString, label);
    const transformer::Loaded loaded(
        test::makeTinyArchitecture(test::tinyArchitecture(label.toStdString())).bytes());
    const transformer::Tokens tokens = transformer::randomTokens(12, 256);
    const auto fast = transformer::logitsOf(loaded, tokens, 4, 1, tensor::kernels());
    strict::Decoder decoder(taken(strict::Weights::make(loaded.model, layoutOn({7, 5}, {9, 6}))),
                            16);
    double error = 0, size = 0;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      test::done(decoder.step(tokens[t]));
      for (std::size_t v = 0; v < fast[t].size(); ++v) {
        error += std::pow(fast[t][v] - decoder.logits()[v], 2);
        size += std::pow(fast[t][v], 2);
      }
    }
    QVERIFY2(std::sqrt(error / size) < 0.02, qPrintable(QString::number(std::sqrt(error / size))));
  }

  void whatIsBeyondItIsNamed() {
    int refused = 0;
    for (const test::TinyArchitecture& architecture : test::tinyArchitectures()) {
      const transformer::Loaded loaded(test::makeTinyArchitecture(architecture).bytes());
      const auto weights = strict::Weights::make(loaded.model, layoutOn({4, 4}, {4, 4}));
      const auto& config = loaded.model->config();
      if (config.experts > 0 || config.headNorms || config.latent.rank > 0 ||
          config.recurrent.kernel > 0 || config.norm == transformer::NormKind::kLayer ||
          config.postNorms || config.parallel) {
        QVERIFY(!weights);
      }
      refused += !weights;
    }
    QVERIFY(refused > 3);
  }

  // A feed-forward in two blocks sums in another order than one that is whole.
  void aCutFeedForwardIsRefused() {
    const transformer::Loaded loaded(test::makeTinyModel({}).bytes());
    strict::Decoder decoder(taken(strict::Weights::make(loaded.model, layoutOn({4, 4}, {4, 4}))),
                            16);
    const wafer::ModelShape shape{"tiny", 64, 96, 2, 4, 2, 16, 320, 256, true};
    auto machine = taken(wafer::findMachine("wse3"));
    auto profile = taken(wafer::defaultProfile("wse3"));
    profile.codeBytes = 0;
    const wafer::PlanOptions options{.grid = {4, 4}, .context = 16, .chunk = 4};
    QVERIFY(strict::compile(taken(wafer::plan(shape, machine, profile, options)), decoder));
    base::Result<wafer::Plan> cut = base::fail("none");
    for (machine.sramBytes = 64; !cut && machine.sramBytes < 49152; machine.sramBytes += 64)
      cut = wafer::plan(shape, machine, profile, options);
    QVERIFY(cut.has_value() && cut->placement.cut);
    const auto refused = strict::compile(*cut, decoder);
    QVERIFY(!refused);
    QVERIFY2(refused.error().what.find("the feed-forward of layer 0 is cut") != std::string::npos,
             refused.error().what.c_str());
  }

  void tokensOutsideAndFullCachesAreRefused() {
    const transformer::Loaded loaded(test::makeTinyModel({}).bytes());
    strict::Decoder decoder(taken(strict::Weights::make(loaded.model, layoutOn({4, 4}, {4, 4}))),
                            2);
    QVERIFY(!decoder.step(-1));
    QVERIFY(!decoder.step(320));
    test::done(decoder.step(0));
    test::done(decoder.step(1));
    QVERIFY(!decoder.step(2));
    QCOMPARE(decoder.positions(), 2);
  }
};

QTEST_GUILESS_MAIN(TestStrict)
#include "test_strict.moc"
