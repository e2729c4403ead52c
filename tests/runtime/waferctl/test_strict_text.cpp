// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl generate` in its two modes: strict's arithmetic is another, its text is not.
#include <QtTest>

#include "runtime/waferctl/local_source.h"
#include "runtime/waferctl/strict_source.h"
#include "tests/support/paths.h"

using namespace waferpair;

class TestStrictText : public QObject {
  Q_OBJECT

  static std::string textOf(waferctl::Source& source, const std::string& prompt) {
    waferctl::TokenLimits limits;
    limits.maxTokens = 32;
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
};

QTEST_GUILESS_MAIN(TestStrictText)
#include "test_strict_text.moc"
