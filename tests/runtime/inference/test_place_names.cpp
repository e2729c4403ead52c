// SPDX-License-Identifier: GPL-3.0-or-later
// Names that can stand at a place: over a vocabulary of bytes, and with the default model.
#include "runtime/inference/sampling/place_names.h"

#include <QtTest>
#include <cmath>
#include <future>
#include <random>

#include "runtime/gguf/file.h"
#include "runtime/inference/engine/engine.h"
#include "runtime/inference/sampling/name_check.h"
#include "runtime/inference/sampling/sampler.h"
#include "tests/support/paths.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

using std::string;

namespace {

const tokenizer::Tokenizer& bytesTokenizer() {
  static const auto made = [] {
    const auto bytes = test::makeTinyModel({.layers = 1}).bytes();
    const auto file = gguf::File::parse(bytes, "tiny.gguf");
    auto tokenizer = tokenizer::Tokenizer::fromGguf(*file);
    if (!tokenizer) qFatal("%s", tokenizer.error().message().c_str());
    return std::move(*tokenizer);
  }();
  return made;
}

PlaceNames rule(const string& begun, const std::vector<string>& names, double trust,
                std::size_t unseen = 0) {
  return {bytesTokenizer(), begun, unseen, names, trust};
}

std::vector<float> randomLogits(std::mt19937& random) {
  std::normal_distribution<float> normal(0, 2);
  std::vector<float> logits(static_cast<std::size_t>(bytesTokenizer().vocabSize()));
  for (float& logit : logits) logit = normal(random);
  return logits;
}

// The share of the probability that the tokens have for which `counts` says true.
template <typename Counts>
double massOf(const std::vector<float>& logits, Counts counts) {
  const double all = logOfSum(logits);
  double mass = 0;
  for (std::size_t token = 0; token < logits.size(); ++token)
    if (logits[token] > -INFINITY && counts(static_cast<std::int32_t>(token)))
      mass += std::exp(logits[token] - all);
  return mass;
}

bool beginsName(std::int32_t token) {
  const std::string_view bytes = bytesTokenizer().bytes(token);
  return !bytes.empty() && !bytesTokenizer().isEnd(token) && isNameByte(bytes.front());
}

bool beginsWith(std::int32_t token, char byte) {
  return beginsName(token) && bytesTokenizer().bytes(token).front() == byte;
}

std::int32_t tokenOf(const char* text) { return bytesTokenizer().encode(text).front(); }

}  // namespace

class TestPlaceNames : public QObject {
  Q_OBJECT
 private slots:
  // Only what went to other names moves, and as much of it as the names are trusted.
  void whatOtherNamesHadGoesToTheseNames() {
    std::mt19937 random(3);
    for (const double trust : {0.3, 0.9}) {
      const std::vector<float> before = randomLogits(random);
      std::vector<float> after = before;
      PlaceNames names = rule("", {"width", "wide", "height"}, trust);
      QVERIFY(names.applies());
      names.apply(after);
      const auto known = [](std::int32_t token) {
        const std::string_view bytes = bytesTokenizer().bytes(token);
        return beginsName(token) && (std::string_view("width").starts_with(bytes) ||
                                     std::string_view("wide").starts_with(bytes) ||
                                     std::string_view("height").starts_with(bytes));
      };
      const double all = massOf(before, beginsName), had = massOf(before, known);
      QVERIFY(std::abs(massOf(after, beginsName) - all) < 1e-4);
      QVERIFY(std::abs(massOf(after, known) - (had + trust * (all - had))) < 1e-4);
      const auto space = static_cast<std::size_t>(tokenOf(" "));
      QCOMPARE(after[space], before[space]);
    }
  }

  void withAllTrustTheFirstNameIsOneOfThese() {
    std::mt19937 random(4);
    const std::vector<string> names = {"width", "wide", "wid", "height", "operator+=", "x1", ""};
    for (int round = 0; round < 300; ++round) {
      PlaceNames one = rule("", names, 1);
      string text;
      while (text.size() < 40 && (text.empty() || isNameByte(text.back()))) {
        std::vector<float> logits = randomLogits(random);
        if (one.applies()) one.apply(logits);
        const int token = argmax(logits);
        one.chosen(token);
        if (bytesTokenizer().isEnd(token)) break;
        text += bytesTokenizer().bytes(token);
      }
      const string name(text.begin(), std::find_if_not(text.begin(), text.end(), isNameByte));
      QVERIFY2(name.empty() || std::ranges::count(names, name) == 1 || name == "operator",
               text.c_str());
      if (name.size() < text.size()) QVERIFY(!one.applies());  // what follows is free
    }
  }

  void aBegunNameIsFinishedToOneOfThese() {
    PlaceNames names = rule("wi", {"width", "height"}, 1);
    std::vector<float> logits(static_cast<std::size_t>(bytesTokenizer().vocabSize()), 0.0f);
    names.apply(logits);
    QCOMPARE(massOf(logits, [](auto token) { return beginsWith(token, 'd'); }),
             massOf(logits, beginsName));
    QVERIFY(!(logits[static_cast<std::size_t>(tokenOf("("))] > -INFINITY));  // "wi" is none
  }

  void whereNoneBeginsSoNothingChanges() {
    QVERIFY(!rule("wx", {"width", "height"}, 1).applies());
    QVERIFY(!rule("", {}, 1).applies());
    QVERIFY(!rule("", {"+", ""}, 1).applies());
  }

  void whatIsWrittenAnewDoesNotCount() {
    PlaceNames names = rule("wi", {"wide"}, 1, /*unseen=*/2);
    std::vector<float> logits(static_cast<std::size_t>(bytesTokenizer().vocabSize()), 0.0f);
    names.apply(logits);
    QCOMPARE(logits[static_cast<std::size_t>(tokenOf("w"))], 0.0f);
    names.chosen(tokenOf("w"));
    names.chosen(tokenOf("i"));
    std::ranges::fill(logits, 0.0f);
    names.apply(logits);
    QCOMPARE(massOf(logits, [](auto token) { return beginsWith(token, 'd'); }),
             massOf(logits, beginsName));
  }

  // A copy, as lines that compete take it, goes on by itself.
  void copiesAreIndependent() {
    PlaceNames names = rule("", {"ab", "cd"}, 1);
    PlaceNames copy = names;
    copy.chosen(tokenOf("a"));
    std::vector<float> logits(static_cast<std::size_t>(bytesTokenizer().vocabSize()), 0.0f);
    names.apply(logits);
    QVERIFY(logits[static_cast<std::size_t>(tokenOf("c"))] > -INFINITY);
    std::ranges::fill(logits, 0.0f);
    copy.apply(logits);
    QVERIFY(!(logits[static_cast<std::size_t>(tokenOf("c"))] > -INFINITY));
  }

  void theDefaultModelSuggestsThem() {
    auto model = CompiledModel::load(test::sourceDir() + "/resources/models/waferpair-mini.gguf");
    if (!model) qFatal("%s", model.error().message().c_str());
    auto engine = Engine::make(std::move(*model));
    QVERIFY(engine.has_value());
    const auto suggest = [&](const string& line, std::vector<string> names, bool all, int lines) {
      std::promise<string> done;
      string text;
      CompletionRequest request = {.client = 1,
                                   .document = "a",
                                   .fileName = "words.cpp",
                                   .prefix = "void show(const Herd& herd) {\n  " + line,
                                   .suffix = "\n}\n",
                                   .limits = {.maxTokens = 16, .maxLines = 1},
                                   .lines = lines,
                                   .names = std::move(names),
                                   .namesAreAll = all};
      (*engine)->submit(std::move(request),
                        {.onText = [&](string more) { text += more; },
                         .onDone = [&](const JobReport&) { done.set_value(text); },
                         .onBegin = {}});
      auto answer = done.get_future();
      if (answer.wait_for(std::chrono::seconds(60)) != std::future_status::ready)
        qFatal("the job never ended");
      return answer.get();
    };
    for (const int lines : {0, 6}) {
      const string free = suggest("herd.", {}, false, lines);
      QVERIFY2(!free.starts_with("zebraCount"), free.c_str());
      const string held = suggest("herd.", {"zebraCount"}, true, lines);
      QVERIFY2(held.starts_with("zebraCount"), held.c_str());
      // A name that stands in no text.
      const string known = suggest("herd.zeb", {"zebraCount", "size"}, true, lines);
      QVERIFY2(known.starts_with("raCount"), known.c_str());
    }
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestPlaceNames)
#include "test_place_names.moc"
