// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/grammar/utf8_ranges.h"

namespace waferpair::grammar {

namespace {

bool spells(const std::vector<std::vector<ByteRange>>& rows, const QByteArray& bytes) {
  for (const auto& row : rows) {
    bool fits = static_cast<qsizetype>(row.size()) == bytes.size();
    for (std::size_t i = 0; i < row.size() && fits; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[static_cast<qsizetype>(i)]);
      fits = row[i].first <= byte && byte <= row[i].last;
    }
    if (fits) return true;
  }
  return false;
}

QByteArray utf8(std::uint32_t c) {
  const auto code = static_cast<char32_t>(c);
  return QString::fromUcs4(&code, 1).toUtf8();
}

bool isCharacter(std::uint32_t c) { return c <= kLastCharacter && (c < 0xd800 || c > 0xdfff); }

}  // namespace

class TestUtf8Ranges : public QObject {
  Q_OBJECT
 private slots:
  // Qt's encoder is the reference.
  void aRangeSpellsExactlyItsCharacters() {
    const CharacterRange ranges[] = {
        {0, 0x7f},          {'a', 'z'},       {0x41, 0x3a9},     {0x7ff, 0x801},
        {0x1234, 0x5678},   {0xd000, 0xe100}, {0xff00, 0x1f600}, {0x10fffe, kLastCharacter},
        {0, kLastCharacter}};
    for (const CharacterRange& range : ranges) {
      const auto rows = utf8Ranges(range);
      for (std::uint32_t c = 1; c <= kLastCharacter; c += c < 0x2000 ? 1 : 37)
        if (isCharacter(c)) QCOMPARE(spells(rows, utf8(c)), range.first <= c && c <= range.last);
      for (const std::uint32_t edge : {range.first, range.last, range.first - 1, range.last + 1})
        if (edge > 0 && isCharacter(edge))
          QCOMPARE(spells(rows, utf8(edge)), range.first <= edge && edge <= range.last);
      QVERIFY(!spells(rows, "\xed\xa0\x80"));  // a surrogate
      QVERIFY(!spells(rows, "\xc0\x80"));      // too long for what it says
    }
  }

  void theComplementIsTheRest() {
    const std::vector<CharacterRange> ranges = {{'b', 'd'}, {'c', 'f'}, {0x100, 0x200}, {0, 5}};
    const auto rest = complement(ranges);
    const auto in = [](const std::vector<CharacterRange>& all, std::uint32_t c) {
      return std::any_of(all.begin(), all.end(),
                         [c](const auto& r) { return r.first <= c && c <= r.last; });
    };
    for (std::uint32_t c = 0; c < 0x300; ++c) QVERIFY(in(ranges, c) != in(rest, c));
    QVERIFY(in(rest, kLastCharacter));
    QCOMPARE(merged(ranges).size(), std::size_t{3});
    QVERIFY(complement({{0, kLastCharacter}}).empty());
  }
};

}  // namespace waferpair::grammar

QTEST_APPLESS_MAIN(waferpair::grammar::TestUtf8Ranges)
#include "test_utf8_ranges.moc"
