// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks that servers tell of, and what of them is believed.
#include <QJsonArray>
#include <QJsonObject>
#include <QtTest>

#include "workbench/language/folding_ranges.h"

using namespace waferpair::workbench;

namespace {

using Lines = std::vector<waferpair::editor::FoldRange>;

QJsonArray answerOf(const Lines& lines) {
  QJsonArray answer;
  for (const waferpair::editor::FoldRange& one : lines)
    answer.append(QJsonObject{{"startLine", one.first}, {"endLine", one.last}});
  return answer;
}

}  // namespace

class TestFoldingRanges : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void theyAreSortedAndNested() {
    QCOMPARE(*readFoldingRanges(answerOf({{5, 6}, {1, 3}, {0, 9}, {2, 3}}), 20),
             (Lines{{0, 9}, {1, 3}, {2, 3}, {5, 6}}));
  }

  void whatIsWrongIsLeftOut() {
    // Overlapping, from one line, of no line, before the text, and beyond it.
    QCOMPARE(
        *readFoldingRanges(
            answerOf({{1, 5}, {3, 7}, {1, 2}, {8, 8}, {9, 4}, {-3, 2}, {8, 500}, {10, 12}}), 10),
        (Lines{{1, 5}, {8, 9}}));
    // One that begins where another ends lies in neither.
    QCOMPARE(*readFoldingRanges(answerOf({{1, 5}, {5, 7}, {6, 7}}), 10), (Lines{{1, 5}, {6, 7}}));
    QCOMPARE(*readFoldingRanges(QJsonArray{7, QJsonValue(), QJsonObject{{"startLine", "x"}}}, 10),
             Lines());
    QVERIFY(!readFoldingRanges(QJsonValue(7), 10));
    QCOMPARE(*readFoldingRanges(QJsonValue(QJsonValue::Null), 10), Lines());
  }

  void ofTooManyTheFirstAreTaken() {
    Lines lines;
    for (int i = 0; i < 30'000; ++i) lines.push_back({2 * i, 2 * i + 1});
    const auto read = readFoldingRanges(answerOf(lines), 60'000);
    QCOMPARE(read->size(), static_cast<size_t>(kMostFoldingRanges));
    QCOMPARE(read->back(), (waferpair::editor::FoldRange{39'998, 39'999}));
  }
};

QTEST_GUILESS_MAIN(TestFoldingRanges)
#include "test_folding_ranges.moc"
