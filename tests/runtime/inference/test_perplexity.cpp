// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of texts against the plain forward pass, one token at a time with the tokens it may see.
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <numbers>

#include "runtime/inference/engine/perplexity.h"
#include "runtime/tensor/thread_team.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

class TestPerplexity : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::unique_ptr<CompiledModel> load(int context, int chunk, int threads, bool bos = false) {
    const std::string path = folder_.filePath("model.gguf").toStdString();
    if (!test::writeTinyModel(path, {.seed = 5, .addBos = bos})) qFatal("not written");
    auto model =
        CompiledModel::load(path, {.threads = threads, .context = context, .chunk = chunk});
    if (!model) qFatal("%s", model.error().message().c_str());
    return std::move(*model);
  }
  static std::string text() {
    std::string text;
    for (int i = 0; i < 12; ++i) text += "def f" + std::to_string(i * i) + "(x):\n  return x\n";
    return text + "\xc3\xa9";  // a character of two bytes at the end
  }

 private slots:
  void scoresAreThoseOfTheForwardPass_data() {
    QTest::addColumn<int>("context");
    QTest::addColumn<int>("chunk");
    QTest::addColumn<int>("threads");
    QTest::addColumn<bool>("bos");
    QTest::newRow("one window") << 256 << 32 << 1 << false;
    QTest::newRow("many windows") << 32 << 8 << 1 << false;
    QTest::newRow("odd sizes") << 33 << 7 << 2 << false;
    QTest::newRow("a token in front") << 33 << 7 << 1 << true;
    QTest::newRow("one token a step") << 20 << 1 << 1 << true;
    QTest::newRow("the least window") << 2 << 2 << 1 << false;
  }
  void scoresAreThoseOfTheForwardPass() {
    QFETCH(int, context);
    QFETCH(int, chunk);
    QFETCH(int, threads);
    QFETCH(bool, bos);
    const auto model = load(context, chunk, threads, bos);
    QCOMPARE(model->tokenizer().addsBos(), bos);
    const auto score = scoreText(*model, text());
    QVERIFY2(score.has_value(), score ? "" : score.error().message().c_str());

    const auto bare = *transformer::Model::load(model->card().file);
    transformer::Forward forward(bare, 256, 1);
    tensor::ThreadTeam team(1);
    const auto tokens = model->tokenizer().encode(text());
    const int size = context - bos, stride = std::max(1, size / 2);
    double nats = 0;
    std::int64_t bytes = 0;
    for (int i = bos ? 0 : 1; i < static_cast<int>(tokens.size()); ++i) {
      int start = 0;  // of the first window that has this token, behind at least one other
      while (i >= start + size) start += stride;
      std::vector<std::int32_t> seen(tokens.begin() + start, tokens.begin() + i);
      if (bos) seen.insert(seen.begin(), test::kTinyBos);
      auto kv = *transformer::KvCache::make(bare->config(), 256);
      QVERIFY(forward.step({.tokens = seen, .kv = &kv, .logits = 1}, team).has_value());
      double sum = 0;
      for (const float logit : forward.logits()) sum += std::exp(double(logit));
      nats += std::log(sum) - double(forward.logits()[static_cast<std::size_t>(tokens[i])]);
      bytes += static_cast<std::int64_t>(model->tokenizer().bytes(tokens[i]).size());
    }
    QCOMPARE(score->tokens, static_cast<std::int64_t>(tokens.size()) - (bos ? 0 : 1));
    QCOMPARE(score->bytes, bytes);
    QVERIFY2(std::abs(score->nats - nats) < 1e-6 * nats,
             qPrintable(QString("%1, not %2").arg(score->nats).arg(nats)));
    QCOMPARE(score->bitsPerByte(), score->nats / std::numbers::ln2 / double(score->bytes));
    if (bos) QCOMPARE(score->bytes, static_cast<std::int64_t>(text().size()));
  }

  void textsOfHardlyAnything() {
    const auto model = load(64, 8, 1);
    for (const char* text : {"", "x"}) {
      const auto score = scoreText(*model, text);
      QVERIFY(score.has_value());
      QCOMPARE(score->tokens, std::int64_t{0});
      QCOMPARE(score->bitsPerByte(), 0.0);
      QCOMPARE(score->natsPerToken(), 0.0);
    }
  }

  void progressIsToldAndCanEndIt() {
    const auto model = load(32, 8, 1);
    std::vector<std::int64_t> told;
    const auto score = scoreText(*model, text(), [&](const TextScore& done, std::int64_t tokens) {
      told.push_back(done.tokens);
      return done.tokens <= tokens;
    });
    QVERIFY(score.has_value() && std::is_sorted(told.begin(), told.end()));
    QCOMPARE(told.back(), score->tokens);
    QVERIFY(!scoreText(*model, text(), [](const TextScore&, std::int64_t) { return false; }));
  }

  // It is the program that computes them: every step is charged, the head once for each row.
  void everyRowIsCharged() {
    const auto model = load(256, 32, 1);
    const auto score = scoreText(*model, text());
    QVERIFY(score.has_value());
    wafer::CounterSnapshot counters;
    model->program().counters().read(counters);
    const wafer::Plan& plan = model->program().plan();
    const auto index = static_cast<std::size_t>(plan.findOp("output"));
    const wafer::Op& head = plan.ops[index];
    const double row =
        wafer::CostModel(plan.machine, plan.profile).at(head.decode, 0, plan.gridOf(head)).compute;
    QCOMPARE(static_cast<std::int64_t>(counters.ops[index].computeCycles),
             std::llround(row) * score->tokens);
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestPerplexity)
#include "test_perplexity.moc"
