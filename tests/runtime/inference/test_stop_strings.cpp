// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "runtime/inference/output/stop_strings.h"

namespace waferpair::inference {

class TestStopStrings : public QObject {
  Q_OBJECT
 private slots:
  void endsInFrontOfTheFirst() {
    StopStrings stops({"END", "###"});
    QCOMPARE(stops.push("a # b ", 1), std::string("a # b "));
    QCOMPARE(stops.push("x###yEND", 1), std::string("x"));
    QVERIFY(stops.stop() == StopReason::kStopString);
    QCOMPARE(stops.push("more", 1), std::string());
    QCOMPARE(stops.finish("", TextEnd::kCut, 1), std::string());
  }

  void holdsBackWhatMayBecomeOne() {
    StopStrings stops({"</s>"});
    QCOMPARE(stops.push("a<", 1), std::string("a"));
    QCOMPARE(stops.push("/", 1), std::string());
    QCOMPARE(stops.push("p", 1), std::string("</p"));
    QCOMPARE(stops.push("<</s", 1), std::string("<"));
    QVERIFY(!stops.stop());
    QCOMPARE(stops.finish("", TextEnd::kCut, 1), std::string("</s"));
  }

  void withoutStringsNothingIsHeld() {
    StopStrings stops({"", ""});
    QCOMPARE(stops.push("abc", 1), std::string("abc"));
    QVERIFY(!stops.stop());
  }

  // However the text is cut into pieces, the outcome is that of the whole.
  void pieceByPieceIsAsWhole() {
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
      const auto some = [&](size_t length) {
        std::string text;
        while (text.size() < length) text += "ab"[random() % 2];
        return text;
      };
      const std::vector<std::string> strings = {some(2 + random() % 4), some(3 + random() % 3)};
      const std::string text = some(12);
      size_t stop = std::string::npos, end = std::string::npos;
      for (size_t i = 0; i < text.size() && end == std::string::npos; ++i) {
        for (const std::string& string : strings) {
          if (!std::string_view(text).substr(0, i + 1).ends_with(string)) continue;
          end = i + 1;
          stop = std::min(stop, end - string.size());
        }
      }
      StopStrings stops(strings);
      std::string shown;
      for (size_t at = 0; at < text.size();) {
        const size_t length = 1 + random() % 3;
        shown += stops.push(text.substr(at, length), 1);
        at += length;
      }
      QCOMPARE(stops.stop().has_value(), stop != std::string::npos);
      shown += stops.finish("", TextEnd::kCut, 1);
      QCOMPARE(shown, text.substr(0, stop));
    }
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestStopStrings)
#include "test_stop_strings.moc"
