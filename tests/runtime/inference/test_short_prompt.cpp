// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <map>

#include "runtime/inference/engine/short_prompt.h"

namespace waferpair::inference {

// Tokens that are known of a prompt, by its size.
using Known = std::map<int, int>;

// Prompts are their sizes: a short one of 64 is 64 tokens of 64.
class TestShortPrompt : public QObject {
  Q_OBJECT
 private:
  static constexpr int kWhole = 2000;

  ChosenPrompt chosen(double perSecond, const Known& known, bool ahead = false,
                      int longest = 1024) {
    ReadingPace pace(1);
    pace.add(1000, 1000 * 1000 / perSecond);
    const auto prompt = [](int size) {
      return std::vector<std::int32_t>(static_cast<std::size_t>(size), size);
    };
    return choosePrompt(prompt(kWhole),
                        {.brief =
                             [=](std::size_t tokens) {
                               const int size = static_cast<int>(tokens);
                               return size > longest ? std::vector<std::int32_t>() : prompt(size);
                             },
                         .unread =
                             [&known](std::span<const std::int32_t> tokens) {
                               const int size = tokens.front();
                               const auto found = known.find(size);
                               return size - (found == known.end() ? 1 : found->second);
                             },
                         .ahead = ahead},
                        pace);
  }

 private Q_SLOTS:
  void theOneThatIsReadFirstAnswers_data() {
    QTest::addColumn<double>("perSecond");
    QTest::addColumn<Known>("known");
    QTest::addColumn<bool>("ahead");
    QTest::addColumn<int>("size");
    const auto row = [](const char* name, double perSecond, const Known& known, bool ahead,
                        int size) { QTest::newRow(name) << perSecond << known << ahead << size; };
    row("a quick model reads all", 10'000, {}, false, kWhole);
    row("nothing is known", 440, {}, false, 128);
    row("nothing is known, and the computer is busy", 220, {}, false, 64);
    row("the whole is known", 440, {{kWhole, 1990}}, false, kWhole);
    row("the whole is nearly known", 440, {{kWhole, 1900}}, false, kWhole);
    // The pace has changed since.
    row("a longer one was read ahead", 220, {{128, 127}}, false, 128);
    row("a much longer one was", 220, {{512, 500}}, false, 512);
    row("a shorter one was", 440, {{64, 63}}, false, 64);
    row("another is half read", 220, {{128, 60}}, false, 64);
    row("both were", 440, {{64, 63}, {128, 127}}, false, 128);
    row("ahead, the short one comes first", 440, {}, true, 128);
    row("ahead, then the whole", 440, {{128, 127}}, true, kWhole);
    row("ahead, one of another pace will do", 220, {{128, 127}}, true, kWhole);
    row("ahead, what is begun goes on", 440, {{128, 80}}, true, 128);
  }
  void theOneThatIsReadFirstAnswers() {
    QFETCH(double, perSecond);
    QFETCH(const Known, known);
    QFETCH(bool, ahead);
    QFETCH(int, size);
    const ChosenPrompt prompt = chosen(perSecond, known, ahead);
    QCOMPARE(prompt.tokens.size(), static_cast<std::size_t>(size));
    QCOMPARE(prompt.isShort, size != kWhole);
  }

  // A text of 100 tokens has no short prompt of 128.
  void aTextThatIsHardlyLongerIsReadWhole() {
    QCOMPARE(chosen(440, {}, false, 0).tokens.size(), std::size_t{kWhole});
    QCOMPARE(chosen(440, {{64, 63}}, false, 64).tokens.size(), std::size_t{64});
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestShortPrompt)
#include "test_short_prompt.moc"
