// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and values that were moved, against those computed where they were moved to.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/kv_shift.h"
#include "runtime/transformer/rotary.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/tiny_architectures.h"

Q_DECLARE_METATYPE(waferpair::tensor::KvFormat)

namespace waferpair::transformer {

using tensor::KvFormat;

namespace {

struct Row {
  std::vector<float> key, value;
};

Row rowOf(const KvCache& kv, const Config& c, int layer, int head, int position) {
  const auto dims = static_cast<std::size_t>(c.headDim);
  Row row{std::vector<float>(dims), std::vector<float>(c.keysOnly() ? 0 : dims)};
  kv.read(layer, head, position, row.key, row.value);
  return row;
}

double largest(const std::vector<float>& values) {
  double most = 0;
  for (const float value : values) most = std::max(most, std::abs(static_cast<double>(value)));
  return most;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return most;
}

void feed(const Loaded& loaded, KvCache& kv, const Tokens& tokens) {
  Forward forward(loaded.model, 16, 1);
  tensor::ThreadTeam team(1);
  for (std::size_t at = 0; at < tokens.size(); at += 16) {
    const auto some = std::span(tokens).subspan(at, std::min<std::size_t>(16, tokens.size() - at));
    const auto done = forward.step({.tokens = some, .kv = &kv, .logits = 0}, team);
    if (!done) qFatal("%s", done.error().message().c_str());
  }
}

// A key before it is turned, and turned as RotaryAngles turns those of a step.
class Keys {
 public:
  Keys(const Model& model, std::uint32_t seed)
      : config_(model.config()), angles_(model.config(), model.ropeFactors(), 1), random_(seed) {}

  std::vector<float> raw() {
    std::vector<float> key(static_cast<std::size_t>(config_.headDim));
    for (float& value : key) value = normal_(random_);
    return key;
  }
  std::vector<float> at(std::vector<float> key, int layer, int position) {
    if (!config_.rotates(layer)) return key;  // it has no positions
    angles_.begin(position);
    tensor::kernels().rope(key.data(), angles_.of(layer, 0), config_.ropeDim);
    return key;
  }

 private:
  const Config& config_;
  RotaryAngles angles_;
  std::mt19937 random_;
  std::normal_distribution<float> normal_;
};

// Returns how far a key may be off after being rounded twice to the format, by its largest element.
// In between, a turn makes the elements of a pair larger by up to sqrt 2, and so their errors.
double tolerance(KvFormat format) {
  constexpr double kHalfStep = 1.0 / 2048, kQuantStep = 0.5 / 127;
  return 2.5 * (format == KvFormat::kF16 ? kHalfStep : kQuantStep + kHalfStep) * std::sqrt(2);
}

}  // namespace

class TestKvShift : public QObject {
  Q_OBJECT

  static void everyModel() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<KvFormat>("format");
    for (const test::TinyArchitecture& model : test::tinyArchitectures()) {
      if (model.recurrent.kernel > 0) continue;
      for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0}) {
        const test::TinyLatent& latent = model.latent;
        const int headDim = latent.rank > 0 ? latent.rank + latent.ropeDim : model.headDim;
        if (!tensor::kvFormatFits(format, headDim)) continue;
        QTest::addRow("%s, %s", model.label.c_str(), tensor::kvFormatName(format))
            << QString::fromStdString(model.label) << format;
      }
    }
  }
  static Loaded load(const QString& label) {
    return Loaded(test::makeTinyArchitecture(test::tinyArchitecture(label.toStdString())).bytes());
  }

 private slots:
  // In the first layer they depend on token and position alone, whatever stood in front: there the
  // model itself says what they should be.
  void theFirstLayerIsWhatTheModelComputesThere_data() { everyModel(); }
  void theFirstLayerIsWhatTheModelComputesThere() {
    QFETCH(QString, label);
    QFETCH(KvFormat, format);
    const Loaded loaded = load(label);
    const Config& c = loaded.model->config();
    const Tokens text = randomTokens(70, c.vocabSize, 1);
    const KvShift shift(c, loaded.model->ropeFactors());
    for (const auto& [before, after] : {std::pair(90, 13), std::pair(5, 64), std::pair(40, 41)}) {
      const auto textBehind = [&](int count, std::uint32_t seed) {
        Tokens tokens = randomTokens(count, c.vocabSize, seed);
        tokens.insert(tokens.end(), text.begin(), text.end());
        return tokens;
      };
      KvCache moved = loaded.cache(format), computed = loaded.cache(format);
      feed(loaded, moved, textBehind(before, 2));
      feed(loaded, computed, textBehind(after, 3));
      const int count = static_cast<int>(text.size());
      QVERIFY(moved.reserve(std::max(before, after) + count));
      const KvMove move{.from = before, .to = after, .count = count};
      shift.move(moved, std::span(&move, 1));
      for (int head = 0; head < c.kvHeads; ++head) {
        for (int i = 0; i < count; ++i) {
          const Row got = rowOf(moved, c, 0, head, after + i);
          const Row expected = rowOf(computed, c, 0, head, after + i);
          QCOMPARE(got.value, expected.value);
          const double most = tolerance(format) * largest(expected.key);
          const double off = difference(got.key, expected.key);
          QVERIFY2(off <= most, qPrintable(QString("%1 > %2").arg(off).arg(most)));
        }
      }
    }
  }

  void keysOfEveryLayerAreAsTurnedAtTheNewPosition_data() { everyModel(); }
  void keysOfEveryLayerAreAsTurnedAtTheNewPosition() {
    QFETCH(QString, label);
    QFETCH(KvFormat, format);
    const Loaded loaded = load(label);
    const Config& c = loaded.model->config();
    const KvShift shift(c, loaded.model->ropeFactors());
    Keys keys(*loaded.model, 5);
    std::mt19937 random(6);
    for (int round = 0; round < 20; ++round) {
      KvCache kv = loaded.cache(format);
      QVERIFY(kv.reserve(c.contextLength));
      const int from = static_cast<int>(random() % static_cast<unsigned>(c.contextLength));
      const int to = static_cast<int>(random() % static_cast<unsigned>(c.contextLength));
      const int layer = static_cast<int>(random() % static_cast<unsigned>(c.layers));
      const int head = static_cast<int>(random() % static_cast<unsigned>(c.kvHeads));
      const std::vector<float> raw = keys.raw(), value = keys.raw();
      kv.write(tensor::kernels(), layer, head, from, 0, keys.at(raw, layer, from), value);
      const std::vector<float> rounded = rowOf(kv, c, layer, head, from).value;
      const KvMove move{.from = from, .to = to, .count = 1};
      shift.move(kv, std::span(&move, 1));
      const Row got = rowOf(kv, c, layer, head, to);
      const std::vector<float> expected = keys.at(raw, layer, to);
      QCOMPARE(got.value, rounded);
      QVERIFY(difference(got.key, expected) <= tolerance(format) * largest(expected));
    }
  }

  // Moves that overlap each other's places, against an array that is copied.
  void manyMovesAtOnceLoseNothing_data() {
    QTest::addColumn<KvFormat>("format");
    for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0})
      QTest::addRow("%s", tensor::kvFormatName(format)) << format;
  }
  void manyMovesAtOnceLoseNothing() {
    QFETCH(KvFormat, format);
    const Loaded loaded = load("gemma3");
    const Config& c = loaded.model->config();
    const KvShift shift(c, loaded.model->ropeFactors());
    std::mt19937 random(8);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    KvCache kv = loaded.cache(format);
    QVERIFY(kv.reserve(c.contextLength));
    const std::vector<float> key(static_cast<std::size_t>(c.headDim));
    std::vector<int> marks(static_cast<std::size_t>(c.contextLength));
    int moved = 0;
    for (int round = 0; round < 300; ++round) {
      for (int p = 0; p < c.contextLength; ++p) {
        marks[static_cast<std::size_t>(p)] = p;
        const std::vector<float> value(key.size(), static_cast<float>(p));
        kv.write(tensor::kernels(), 1, 0, p, 0, key, value);
      }
      std::vector<KvMove> moves;
      for (int from = below(40), to = below(40);;) {
        const int count = 1 + below(60);
        if (from + count > c.contextLength || to + count > c.contextLength) break;
        moves.push_back({.from = from, .to = to, .count = count});
        from += count + below(3) * below(30);
        to += count + below(3) * below(30);
      }
      const std::vector<int> before = marks;
      for (const KvMove& move : moves) {
        std::copy_n(before.begin() + move.from, move.count, marks.begin() + move.to);
        moved += move.count;
      }
      shift.move(kv, moves);
      for (const KvMove& move : moves) {
        for (int p = move.to; p < move.to + move.count; ++p) {
          const Row row = rowOf(kv, c, 1, 0, p);
          QCOMPARE(std::lround(row.value[0]), long{marks[static_cast<std::size_t>(p)]});
        }
      }
    }
    QVERIFY(moved > 10000);
  }
};

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestKvShift)
#include "test_kv_shift.moc"
