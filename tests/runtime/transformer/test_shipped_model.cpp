// SPDX-License-Identifier: GPL-3.0-or-later
// The model that ships, against what the training's own code computes from the very same file.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/tensor/thread_team.h"
#include "runtime/tokenizer/tokenizer.h"
#include "runtime/transformer/forward.h"
#include "tests/support/paths.h"

namespace waferpair::transformer {

using Tokens = std::vector<std::int32_t>;

class TestShippedModel : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void promptsHaveTheirIds();
  void logitsAgree();
  void greedyContinuationsAgree();

 private:
  // WAFERPAIR_MODEL and WAFERPAIR_REFERENCE in the environment name other files to test.
  const std::string modelPath_ =
      qEnvironmentVariable(
          "WAFERPAIR_MODEL",
          QString::fromStdString(test::sourceDir() + "/resources/models/waferpair-mini.gguf"))
          .toStdString();
  const QString referencePath_ = qEnvironmentVariable(
      "WAFERPAIR_REFERENCE",
      QString::fromStdString(test::sourceDir() +
                             "/tests/runtime/transformer/data/waferpair_mini_reference.json"));
  std::shared_ptr<const Model> model_;
  nlohmann::json cases_;
};

// Activations in blocks of 127 steps put noise of about a percent into each product, a few percent
// into logits whose deviation is about 2.
constexpr float kTolerance = 0.2f;

void TestShippedModel::init() {
  if (model_) return;
  QFile reference(referencePath_);
  if (!QFile::exists(QString::fromStdString(modelPath_)) || !reference.exists()) {
    QSKIP("resources/models/waferpair-mini.gguf or its reference is not here");
  }
  QVERIFY(reference.open(QIODevice::ReadOnly));
  const auto json = nlohmann::json::parse(reference.readAll().toStdString(), nullptr, false);
  QVERIFY(json.is_object());
  cases_ = json["cases"];
  QVERIFY(cases_.size() >= 3);
  auto model = Model::load(modelPath_);
  QVERIFY2(model.has_value(), model ? "" : model.error().message().c_str());
  model_ = *model;
}

void TestShippedModel::promptsHaveTheirIds() {
  const auto tokenizer = tokenizer::Tokenizer::fromGguf(model_->file());
  QVERIFY2(tokenizer.has_value(), tokenizer ? "" : tokenizer.error().message().c_str());
  QCOMPARE(tokenizer->vocabSize(), model_->config().vocabSize);
  QVERIFY(tokenizer->special().fim());
  for (const auto& expected : cases_) {
    const std::string text = expected["text"];
    if (!text.empty())
      QVERIFY2(tokenizer->encode(text) == expected["ids"].get<Tokens>(), text.c_str());
  }
}

void TestShippedModel::logitsAgree() {
  tensor::ThreadTeam team(2);
  Forward forward(model_, 64, 2);
  for (const auto& expected : cases_) {
    auto kv = KvCache::make(model_->config(), 256);
    const Tokens ids = expected["ids"];
    QVERIFY(forward.step({.tokens = ids, .kv = &*kv}, team).has_value());
    const auto logits = forward.logits();
    for (const auto& pair : expected["top"]) {
      const float got = logits[pair[0].get<std::size_t>()];
      QVERIFY2(std::abs(got - pair[1].get<float>()) < kTolerance,
               qPrintable(QString("token %1: %2, not %3")
                              .arg(pair[0].get<int>())
                              .arg(got)
                              .arg(pair[1].get<float>())));
    }
    // No token outside the list may come before those at its head.
    const float best = *std::max_element(logits.begin(), logits.end());
    QVERIFY(best < expected["top"][0][1].get<float>() + kTolerance);
  }
}

void TestShippedModel::greedyContinuationsAgree() {
  tensor::ThreadTeam team(2);
  Forward forward(model_, 64, 2);
  for (const auto& expected : cases_) {
    auto kv = KvCache::make(model_->config(), 256);
    const Tokens ids = expected["ids"];
    QVERIFY(forward.step({.tokens = ids, .kv = &*kv}, team).has_value());
    for (const std::int32_t token : expected["greedy"].get<Tokens>()) {
      // Each token of the reference is fed in turn: it must be ours too, or as good as ours.
      const auto logits = forward.logits();
      const float best = *std::max_element(logits.begin(), logits.end());
      QVERIFY(logits[static_cast<std::size_t>(token)] > best - 2 * kTolerance);
      QVERIFY(forward.step({.tokens = {&token, 1}, .kv = &*kv}, team).has_value());
    }
  }
}

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestShippedModel)
#include "test_shipped_model.moc"
