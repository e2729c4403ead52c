// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "runtime/lsp/text.h"

using namespace waferpair::lsp;

namespace {

using enum PositionUnit;

// The same, in the plainest way: character by character from the beginning.
std::optional<std::size_t> plainOffset(const std::string& text, Position wanted,
                                       PositionUnit unit) {
  std::int64_t line = 0, units = 0;
  for (std::size_t at = 0;;) {
    const bool end = at == text.size();
    const bool breaks = !end && (text[at] == '\n' || text[at] == '\r');
    if (line == wanted.line) {
      if (units > wanted.character) return std::nullopt;
      if (units == wanted.character || end || breaks) return at;
    }
    if (end) return std::nullopt;
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (breaks) {
      at += text.compare(at, 2, "\r\n") == 0 ? 2 : 1;
      ++line;
      units = 0;
    } else {
      at += bytes;
      units += unit == kUtf8 ? static_cast<std::int64_t>(bytes) : bytes == 4 ? 2 : 1;
    }
  }
}

const std::vector<std::string> kPieces = {"a",  "b c", "\n", "\r\n", "\r",  "ä",
                                          "語", "😀",   "",   "\n\n", "x\ry"};

}  // namespace

class TestText : public QObject {
  Q_OBJECT
 private slots:
  void positionsCountUnits() {
    const Text text("aä語😀z\r\nb");
    const auto utf16 = [&](int line, int character) {
      return text.offsetOf({line, character}, kUtf16);
    };
    QCOMPARE(utf16(0, 0), std::optional<std::size_t>(0));
    QCOMPARE(utf16(0, 2), std::optional<std::size_t>(3));
    QCOMPARE(utf16(0, 3), std::optional<std::size_t>(6));
    QVERIFY(!utf16(0, 4));  // within the emoji
    QCOMPARE(utf16(0, 5), std::optional<std::size_t>(10));
    QCOMPARE(utf16(0, 99), std::optional<std::size_t>(11));  // the line's end, in front of CR LF
    QCOMPARE(utf16(1, 1), std::optional<std::size_t>(14));
    QVERIFY(!utf16(2, 0));
    QVERIFY(!utf16(-1, 0));
    QCOMPARE(text.offsetOf({0, 6}, kUtf8), std::optional<std::size_t>(6));
    QVERIFY(!text.offsetOf({0, 5}, kUtf8));
    QCOMPARE(text.positionOf(10, kUtf16), (Position{0, 5}));
    QCOMPARE(text.positionOf(10, kUtf8), (Position{0, 10}));
    QCOMPARE(text.positionOf(13, kUtf16), (Position{1, 0}));
    QCOMPARE(text.linePrefix(14), std::string_view("b"));
  }

  void editsLeaveTheSameLinesAsReadingAnew() {
    std::mt19937 random(7);
    const auto below = [&](std::size_t n) { return random() % n; };
    for (int round = 0; round < 300; ++round) {
      Text text("");
      for (int edit = 0; edit < 12; ++edit) {
        std::string with;
        for (std::size_t i = below(4); i > 0; --i) with += kPieces[below(kPieces.size())];
        std::vector<std::size_t> places;  // between characters
        for (std::size_t at = 0; at <= text.utf8().size(); ++at)
          if (at == text.utf8().size() ||
              (static_cast<unsigned char>(text.utf8()[at]) & 0xC0) != 0x80)
            places.push_back(at);
        std::size_t start = places[below(places.size())], end = places[below(places.size())];
        if (start > end) std::swap(start, end);
        if (end - start > 6) end = start;
        std::string wanted = text.utf8();
        wanted.replace(start, end - start, with);
        text.replace(start, end, with);
        QCOMPARE(text.utf8(), wanted);
        for (const PositionUnit unit : {kUtf8, kUtf16})
          for (int line = 0; line < 8; ++line)
            for (int character = 0; character < 6; ++character)
              QCOMPARE(text.offsetOf({line, character}, unit),
                       plainOffset(wanted, {line, character}, unit));
      }
    }
  }

  void positionsAndOffsetsAreInverse() {
    const Text text("aä\n\n語😀\r\nend\r");
    for (const PositionUnit unit : {kUtf8, kUtf16})
      for (std::size_t at : {0, 1, 3, 4, 5, 8, 12, 14, 17, 18})
        QCOMPARE(text.offsetOf(text.positionOf(at, unit), unit), std::optional(at));
  }
};

QTEST_GUILESS_MAIN(TestText)
#include "test_text.moc"
