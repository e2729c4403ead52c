// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl generate` in its modes: strict's arithmetic is another, its text is not, and a
// simulation's neither.
#include <QtTest>

#include "runtime/waferctl/local_source.h"
#include "runtime/waferctl/strict_source.h"
#include "tests/support/paths.h"

using namespace waferpair;

class TestStrictText : public QObject {
  Q_OBJECT

  static std::string textOf(waferctl::Source& source, const std::string& prompt, int tokens = 32) {
    waferctl::TokenLimits limits;
    limits.maxTokens = tokens;
    limits.byLine = false;  // strict has one line at a time
    std::string text;
    const auto done = source.generate(prompt, limits, [&](std::string_view more) { text += more; });
    return done ? text : done.error().message();
  }

 private slots:
  // The model that comes along copies from the text before, and writes other lines without.
  void strictWritesWhatFastWrites() {
    const std::string path = test::sourceDir() + "/resources/models/waferpair-mini.gguf";
    const auto fast = waferctl::LocalSource::load(path, {});
    const auto strict = waferctl::StrictSource::load(path, {});
    QVERIFY(fast && strict);
    for (const char* prompt : {"int main(", "def add(a, b):", "#include <"}) {
      const std::string text = textOf(**fast, prompt);
      QVERIFY(text.size() > 20);
      QCOMPARE(textOf(**strict, prompt), text);
    }
  }

  // A simulation ends with an error where its logits are not strict's to the bit.
  void simulatedWritesWhatStrictWrites() {
    const std::string path = test::sourceDir() + "/resources/models/waferpair-mini.gguf";
    const auto strict = waferctl::StrictSource::load(path, {});
    const auto simulated = waferctl::StrictSource::loadSimulated(path, {}, "");
    QVERIFY(strict && simulated);
    QCOMPARE(textOf(**simulated, "int main(", 2), textOf(**strict, "int main(", 2));
  }

  void regionsThatDoNotFitAreRefused() {
    const std::string path = test::sourceDir() + "/resources/models/waferpair-mini.gguf";
    const auto refused = [&](const char* region) {
      const auto source = waferctl::StrictSource::loadSimulated(path, {}, region);
      return source ? QString() : QString::fromStdString(source.error().message());
    };
    QVERIFY(refused("8x8").contains("bytes of a PE's"));
    for (const char* bad : {"40", "40x", "x40", "0x40", "40x40x", "-8x8"})
      QVERIFY2(refused(bad).contains("WIDTHxHEIGHT"), bad);
  }
};

QTEST_GUILESS_MAIN(TestStrictText)
#include "test_strict_text.moc"
