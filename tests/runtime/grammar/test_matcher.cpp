// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <map>
#include <random>
#include <set>

#include "runtime/grammar/builder.h"
#include "runtime/grammar/gbnf.h"
#include "tests/runtime/grammar/matches.h"

namespace waferpair::grammar {

namespace {

// The definition of a context-free language, followed literally: where in `text` may a rule end
// that begins at `from`? What is known grows until nothing is added any more.
class Reference {
 public:
  Reference(const Grammar& grammar, std::string text) : grammar_(grammar), text_(std::move(text)) {}
  bool matches() {
    for (grown_ = true; grown_;) {
      grown_ = false;
      visited_.clear();
      ends(grammar_.root, 0);
    }
    return known_[{grammar_.root, 0}].contains(text_.size());
  }

 private:
  const std::set<std::size_t>& ends(std::int32_t rule, std::size_t from) {
    const auto key = std::pair(rule, from);
    if (!visited_.insert(key).second) return known_[key];
    std::set<std::size_t> all;
    for (std::int32_t at : grammar_.rules[rule].alternatives) {
      std::set<std::size_t> here{from};
      for (; grammar_.symbols[at].kind != Symbol::Kind::kEnd; ++at) {
        const Symbol& symbol = grammar_.symbols[at];
        std::set<std::size_t> after;
        for (const std::size_t place : here) {
          if (symbol.kind == Symbol::Kind::kRule) {
            after.merge(std::set(ends(symbol.index, place)));
          } else if (place < text_.size() &&
                     grammar_.sets[symbol.index].test(static_cast<unsigned char>(text_[place]))) {
            after.insert(place + 1);
          }
        }
        here = std::move(after);
      }
      all.merge(here);
    }
    std::set<std::size_t>& known = known_[key];
    grown_ = grown_ || all.size() > known.size();
    known.merge(all);
    return known;
  }

  using Place = std::pair<std::int32_t, std::size_t>;
  const Grammar& grammar_;
  std::string text_;
  bool grown_ = false;
  std::set<Place> visited_;  // in this round
  std::map<Place, std::set<std::size_t>> known_;
};

Grammar randomGrammar(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (;;) {
    Builder builder;
    const int rules = 2 + below(4);
    for (int rule = 0; rule < rules; ++rule) builder.addRule("r" + std::to_string(rule));
    for (int rule = 0; rule < rules; ++rule) {
      for (int alternative = 1 + below(3); alternative > 0; --alternative) {
        Sequence sequence;
        for (int symbol = below(5); symbol > 0; --symbol) {
          if (below(2) == 0)
            sequence.push_back(Builder::ruleSymbol(below(rules)));
          else
            for (const Symbol& one :
                 builder.literal(std::string(1, static_cast<char>('a' + below(3)))))
              sequence.push_back(one);
        }
        builder.addAlternative(rule, sequence);
      }
    }
    if (auto grammar = builder.finish(0); grammar) return std::move(*grammar);
  }
}

Grammar gbnf(const char* text) {
  auto grammar = parseGbnf(text);
  if (!grammar) qFatal("%s", grammar.error().message().c_str());
  return std::move(*grammar);
}

}  // namespace

class TestMatcher : public QObject {
  Q_OBJECT
 private slots:
  // All texts of up to 6 letters out of three, for many grammars; most of these are ambiguous.
  void agreesWithTheDefinition() {
    std::mt19937 random(7);
    int matched = 0;
    for (int trial = 0; trial < 400; ++trial) {
      const Grammar grammar = randomGrammar(random);
      Matcher matcher(grammar);
      std::set<std::string> beginnings;  // of texts that match
      std::vector<std::string> texts{""};
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string text = texts[i];
        const bool match = Reference(grammar, text).matches();
        QVERIFY2(matches(matcher, text) == match, text.c_str());
        matched += match;
        for (std::size_t n = 0; match && n <= text.size(); ++n)
          beginnings.insert(text.substr(0, n));
        if (text.size() < 6)
          for (const char c : {'a', 'b', 'c'}) texts.push_back(text + c);
      }
      for (const std::string& text : beginnings) QVERIFY(read(matcher, text) != Matcher::kDead);
    }
    QVERIFY(matched > 1000);
  }

  // As every rule can end, what is not dead can be completed.
  void whatIsAliveCanBeCompleted() {
    const Grammar grammar = gbnf("root ::= \"a\" root \"b\" | \"c\"");
    QVERIFY(begins(grammar, "aac") && begins(grammar, "aacb"));
    QVERIFY(!begins(grammar, "ab") && !begins(grammar, "acc") && !begins(grammar, "acbb"));
  }

  void theEndIsKnown() {
    const Grammar grammar = gbnf("root ::= \"a\"{1,2}");
    Matcher matcher(grammar);
    QVERIFY(!matcher.mayEnd(read(matcher, "")));
    QVERIFY(matcher.mayEnd(read(matcher, "a")) && !matcher.mustEnd(read(matcher, "a")));
    QVERIFY(matcher.mustEnd(read(matcher, "aa")));
    QCOMPARE(read(matcher, "aaa"), Matcher::kDead);
    QVERIFY(!matcher.mayEnd(Matcher::kDead) && !matcher.mustEnd(Matcher::kDead));
    QCOMPARE(matcher.next(Matcher::kDead, 'a'), Matcher::kDead);
  }

  void repetitionComesBackToTheSameState() {
    const Grammar grammar = gbnf("root ::= \"x\" ([a-z]+ \",\")* \".\"");
    Matcher matcher(grammar);
    QCOMPARE(read(matcher, "xab"), read(matcher, "xabcdefghij"));
    QCOMPARE(read(matcher, "xab,"), read(matcher, "xab,c,d,e,"));
  }

  // 2^n readings are one state of a few members.
  void manyReadingsStayFew() {
    const Grammar grammar =
        gbnf("root ::= \"a\" root \"b\" | \"a\" root \"c\" | \"a\" root \"b\" | \"d\"");
    Matcher matcher(grammar);
    std::string text(400, 'a');
    text += 'd';
    for (int i = 0; i < 400; ++i) text += i % 3 == 0 ? 'b' : 'c';
    QVERIFY(matches(matcher, text));
    QVERIFY(!matches(matcher, text + "b"));
    QVERIFY(!matcher.crowded());
  }

  void nestingEndsSomewhere() {
    const Grammar grammar = gbnf("root ::= \"(\" root \")\" | \"x\"");
    Matcher matcher(grammar);
    const std::string deep(Matcher::kMaxDepth - 2, '(');
    QVERIFY(matches(matcher, deep + "x" + std::string(deep.size(), ')')));
    // Deeper is refused, and what is there can still be completed.
    const Matcher::State deepest = read(matcher, deep + "(");
    QVERIFY(deepest == Matcher::kDead || matcher.next(deepest, '(') == Matcher::kDead);
    QVERIFY(matcher.next(read(matcher, deep), 'x') != Matcher::kDead);
  }

  // Counting makes a new state of each letter: they are forgotten in time, and nothing else is.
  void aLongTextIsReadInBoundedMemory() {
    const Grammar grammar =
        gbnf("root ::= (\"a\"{5000} | \"b\"{7000} | \"c\"{9000} | \"d\"{9999})* \"!\"");
    Matcher matcher(grammar);
    Matcher::State state = matcher.start();
    int renewals = 0;
    const auto feed = [&](char c, int times) {
      for (; times > 0; --times) {
        state = matcher.next(state, static_cast<std::uint8_t>(c));
        if (!matcher.crowded()) continue;
        state = matcher.renewed(state);
        QVERIFY(!matcher.crowded());
        ++renewals;
      }
    };
    for (int round = 0; round < 3; ++round) {
      feed('a', 5000);
      feed('b', 7000);
      feed('c', 9000);
      feed('d', 9999);
    }
    QVERIFY(matcher.next(state, '!') != Matcher::kDead);
    feed('a', 4999);
    QCOMPARE(matcher.next(state, '!'), Matcher::kDead);
    feed('a', 1);
    feed('!', 1);
    QVERIFY(matcher.mustEnd(state));
    const Matcher::State renewed = matcher.renewed(state);
    QVERIFY(matcher.mustEnd(renewed));
  }
};

}  // namespace waferpair::grammar

QTEST_APPLESS_MAIN(waferpair::grammar::TestMatcher)
#include "test_matcher.moc"
