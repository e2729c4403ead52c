// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <random>

#include "runtime/gguf/file.h"
#include "runtime/grammar/gbnf.h"
#include "runtime/inference/sampling/sampler.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

std::unique_ptr<tokenizer::Tokenizer> tinyTokenizer() {
  const auto bytes = test::makeTinyModel({.layers = 1}).bytes();
  const auto file = gguf::File::parse(bytes, "tiny");
  return std::make_unique<tokenizer::Tokenizer>(*tokenizer::Tokenizer::fromGguf(*file));
}

bool isSet(const std::vector<std::uint64_t>& mask, int token) {
  return (mask[static_cast<std::size_t>(token) / 64] >> (token % 64) & 1) != 0;
}

}  // namespace

class TestTokenFilter : public QObject {
  Q_OBJECT

  std::unique_ptr<tokenizer::Tokenizer> tokenizer_ = tinyTokenizer();
  std::shared_ptr<const TokenTrie> trie_ = std::make_shared<const TokenTrie>(*tokenizer_);

  std::shared_ptr<const TokenGrammar> grammar(const char* text) const {
    auto parsed = grammar::parseGbnf(text);
    if (!parsed) qFatal("%s", parsed.error().message().c_str());
    return std::make_shared<const TokenGrammar>(TokenGrammar{std::move(*parsed), trie_});
  }

 private slots:
  // A control token that is spelled counts as its text; the others never come.
  void spelledTokensAreRead() {
    auto wanted = grammar("root ::= \"a<eot>b\" | \"<fim_\" [a-z]* \">\"");
    auto spelled = *wanted;
    spelled.spelled = {{test::kTinyFimPrefix, "<fim_prefix>"}, {test::kTinyBos, "<bos>"}};
    TokenFilter filter(std::make_shared<const TokenGrammar>(std::move(spelled)));
    QVERIFY(isSet(filter.allowed(), test::kTinyFimPrefix));
    QVERIFY(isSet(filter.allowed(), 'a') && isSet(filter.allowed(), '<'));
    for (const int token : {test::kTinyBos, test::kTinyFimSuffix, test::kTinyEot})
      QVERIFY(!isSet(filter.allowed(), token));
    filter.accept(test::kTinyFimPrefix);
    QVERIFY(filter.complete());
  }

  // Token by token, without a trie: a token may come if its bytes may.
  void allowsWhatTheGrammarReads() {
    const auto wanted =
        grammar("root ::= (\"for\" \" \"{1,5} | \"return the\" | [^ -~])* \"in\" [a-t]*");
    std::mt19937 random(3);
    int steps = 0;
    for (int round = 0; round < 20; ++round) {
      TokenFilter filter(wanted);
      grammar::Matcher matcher(wanted->grammar);
      grammar::Matcher::State state = matcher.start();
      for (int step = 0; step < 30 && !filter.complete(); ++step, ++steps) {
        const std::vector<std::uint64_t> mask = filter.allowed();
        std::vector<int> allowed;
        for (int token = 0; token < tokenizer_->vocabSize(); ++token) {
          const std::string_view bytes = tokenizer_->bytes(token);
          grammar::Matcher::State after = state;
          for (const char c : bytes) after = matcher.next(after, static_cast<std::uint8_t>(c));
          const bool may = tokenizer_->isEnd(token)
                               ? matcher.mayEnd(state)
                               : !bytes.empty() && after != grammar::Matcher::kDead;
          QCOMPARE(isSet(mask, token), may);
          if (may && !tokenizer_->isEnd(token)) allowed.push_back(token);
        }
        if (allowed.empty()) break;
        const int token = allowed[random() % allowed.size()];
        filter.accept(token);
        for (const char c : tokenizer_->bytes(token))
          state = matcher.next(state, static_cast<std::uint8_t>(c));
        QCOMPARE(filter.complete(), matcher.mustEnd(state));
      }
    }
    QVERIFY(steps > 100);
  }

  // Whatever the logits and however it samples, the text matches.
  void theSamplerKeepsToIt() {
    const auto wanted = grammar("root ::= \"[\" [0-9]{1,3} (\", \" [0-9]{1,3})* \"]\"");
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0, 3);
    for (const float temperature : {0.0f, 0.8f, 2.0f}) {
      for (int round = 0; round < 20; ++round) {
        Sampler sampler({.temperature = temperature,
                         .topK = round % 2 * 5,
                         .topP = round % 3 == 0 ? 0.9f : 1.0f,
                         .seed = random(),
                         .repetitionPenalty = round % 4 == 0 ? 1.3f : 1.0f,
                         .grammar = wanted});
        std::vector<float> logits(static_cast<std::size_t>(tokenizer_->vocabSize() + 8));
        std::string text;
        while (!sampler.complete() && text.size() < 2000) {
          for (float& logit : logits) logit = normal(random);
          logits[']'] += 2;
          const int token = sampler.next(logits);
          QVERIFY(!sampler.stuck());
          QVERIFY(token < tokenizer_->vocabSize() && !tokenizer_->isEnd(token));
          text += tokenizer_->bytes(token);
        }
        grammar::Matcher matcher(wanted->grammar);
        grammar::Matcher::State state = matcher.start();
        for (const char c : text) state = matcher.next(state, static_cast<std::uint8_t>(c));
        QVERIFY2(matcher.mustEnd(state), text.c_str());
      }
    }
  }

  void anEndMayComeOnlyWhereTheGrammarEnds() {
    TokenFilter filter(grammar("root ::= \"a\" \"b\"?"));
    QVERIFY(!isSet(filter.allowed(), test::kTinyEos));
    filter.accept('a');
    QVERIFY(isSet(filter.allowed(), test::kTinyEos) && isSet(filter.allowed(), test::kTinyEot));
    QVERIFY(!isSet(filter.allowed(), test::kTinyBos) && isSet(filter.allowed(), 'b'));
    QVERIFY(!filter.complete());
    filter.accept('b');
    QVERIFY(filter.complete());
  }

  void nothingToChooseIsSaid() {
    Sampler sampler({.grammar = grammar("root ::= \"a\"")});
    std::vector<float> logits(static_cast<std::size_t>(tokenizer_->vocabSize()), 0.0f);
    logits['a'] = NAN;
    sampler.next(logits);
    QVERIFY(sampler.stuck());
    QVERIFY(!Sampler({}).stuck() && !Sampler({}).complete());
  }

  // Counting makes a state of each letter, so that masks and states are let go again and again.
  void longOutputsAreFollowedInBoundedMemory() {
    TokenFilter filter(grammar("root ::= (\"a\"{9000} | \"b\"{9999})* \"!\""));
    for (int round = 0; round < 4; ++round) {
      for (int i = 0; i < 9000; ++i) filter.accept('a');
      for (int i = 0; i < 9999; ++i) filter.accept('b');
    }
    QVERIFY(isSet(filter.allowed(), '!') && isSet(filter.allowed(), 'a'));
    filter.accept('b');
    QVERIFY(!isSet(filter.allowed(), '!') && isSet(filter.allowed(), 'b'));
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestTokenFilter)
#include "test_token_filter.moc"
