// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that a builder stops before the memory is taken, not when the rule is closed.
#include <QtTest>

#include "runtime/grammar/builder.h"

namespace waferpair::grammar {

class TestBuilder : public QObject {
  Q_OBJECT

  // One small rule, and nothing of what was refused.
  static void verifyRefused(Builder& builder, std::int32_t root) {
    QVERIFY(builder.tooLarge());
    builder.addAlternative(root, {});
    const auto grammar = builder.finish(root);
    QVERIFY(!grammar.has_value());
    QVERIFY2(grammar.error().what.find("symbols") != std::string::npos,
             grammar.error().what.c_str());
  }

 private slots:
  // A row of a{9999} is like that: all of its sequences are held until the rule's end is read.
  void repetitionsCountBeforeTheirRuleIsClosed() {
    Builder builder;
    const std::int32_t root = builder.addRule("root");
    const Sequence once = builder.literal("x");
    std::size_t held = 0;
    for (int i = 0; i < 100; ++i) held += builder.repeat(once, 9999, 9999).size();
    QVERIFY2(held <= Builder::kMaxSymbols, std::to_string(held).c_str());
    verifyRefused(builder, root);
  }

  void literalsAndCharactersCountToo() {
    for (const bool literals : {true, false}) {
      Builder builder;
      const std::int32_t root = builder.addRule("root");
      const std::string text(1000, 'x');
      std::size_t held = 0;
      for (std::size_t i = 0; i < 2 * Builder::kMaxSymbols && held <= Builder::kMaxSymbols; ++i)
        held += (literals ? builder.literal(text) : builder.characters({{'a', 'z'}})).size();
      QVERIFY2(held <= Builder::kMaxSymbols, std::to_string(held).c_str());
      verifyRefused(builder, root);
    }
  }

  void rulesEndAtTheLimit() {
    Builder builder;
    const std::int32_t root = builder.addRule("root");
    std::int32_t last = root;
    for (std::size_t i = 0; i < 2 * Builder::kMaxSymbols; ++i)
      last = std::max(last, builder.addRule("r"));
    QVERIFY2(static_cast<std::size_t>(last) <= Builder::kMaxSymbols, std::to_string(last).c_str());
    verifyRefused(builder, root);
  }

  void upToTheLimitAllIsKept() {
    Builder builder;
    const std::int32_t root = builder.addRule("root");
    const Sequence once = builder.literal("x");
    for (int i = 0; i < 20; ++i) builder.addAlternative(root, builder.repeat(once, 10'000, 10'000));
    const auto grammar = builder.finish(root);
    QVERIFY2(grammar.has_value(), grammar ? "" : grammar.error().message().c_str());
    QCOMPARE(grammar->symbols.size(), std::size_t{20 * 10'001});
  }
};

}  // namespace waferpair::grammar

QTEST_APPLESS_MAIN(waferpair::grammar::TestBuilder)
#include "test_builder.moc"
