// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "runtime/inference/drafts/draft_index.h"

namespace waferpair::inference {

using Tokens = std::vector<std::int32_t>;

class TestDraftIndex : public QObject {
  Q_OBJECT

  static Tokens draft(const DraftIndex& index, const Tokens& context, int most) {
    return index.propose(context, most).tokens;
  }

 private slots:
  void whatFollowedIsProposed() {
    DraftIndex index;
    index.append(Tokens{1, 2, 3, 4, 5, 6});
    QCOMPARE(draft(index, {9, 1, 2, 3}, 2), (Tokens{4, 5}));
    QCOMPARE(index.propose(Tokens{9, 1, 2, 3}, 2).matched, 3);
    QCOMPARE(draft(index, {3}, 2), Tokens{});        // too little to go by
    QCOMPARE(draft(index, {1, 2, 4}, 2), Tokens{});  // never was
    QCOMPARE(draft(index, {4, 5, 6}, 2), Tokens{});  // nothing follows
    QCOMPARE(draft(index, {1, 2, 3}, 0), Tokens{});
    QCOMPARE(draft(DraftIndex(), {1, 2, 3}, 2), Tokens{});
  }

  void theLongestMatchWinsAndOfEqualsTheLatest() {
    DraftIndex index;
    index.append(Tokens{7, 1, 2, 3, 50, 8, 1, 2, 3, 60, 9, 1, 2, 3, 70});
    QCOMPARE(draft(index, {7, 1, 2, 3}, 1), Tokens{50});
    QCOMPARE(draft(index, {8, 1, 2, 3}, 1), Tokens{60});
    QCOMPARE(draft(index, {5, 1, 2, 3}, 1), Tokens{70});
  }

  void nothingReachesOverTheEndOfAText() {
    DraftIndex index;
    index.append(Tokens{1, 2, 3, 4});
    index.endText();
    index.append(Tokens{5, 6, 7, 8});
    QCOMPARE(draft(index, {1, 2, 3}, 9), Tokens{4});
    QCOMPARE(draft(index, {3, 4, 5}, 9), Tokens{});
    QCOMPARE(draft(index, {2, 3, 4}, 9), Tokens{});
    index.clear();
    QCOMPARE(draft(index, {1, 2, 3}, 9), Tokens{});
  }

  void aLoopIsContinued() {
    DraftIndex index;
    const Tokens text = {4, 9, 1, 2, 1, 2, 1, 2};
    index.append(text);
    QCOMPARE(draft(index, text, 5), (Tokens{1, 2, 1, 2, 1}));
  }

  // Against looking at every place, where there are few enough of them. Chains are shared by what
  // hashes alike, so now and then the longest is too far back.
  void itFindsWhatASearchFinds() {
    std::mt19937 random(5);
    int found = 0, missed = 0;
    for (int round = 0; round < 50; ++round) {
      const int kinds = 6 + round;
      Tokens text;
      DraftIndex index;
      for (int i = 0; i < 400; ++i) {
        if (text.size() >= 20 && random() % 8 == 0) {  // something again
          const auto from = text.begin() + static_cast<int>(random() % (text.size() - 12));
          const Tokens again(from, from + 12);
          text.insert(text.end(), again.begin(), again.end());
        } else {
          text.push_back(static_cast<int>(random() % static_cast<unsigned>(kinds)));
        }
        index.append(std::span(text).subspan(index.tokens().size()));
        const DraftIndex::Match match = index.find(text);
        int longest = 0, places = 0;
        for (std::size_t end = DraftIndex::kLeastMatch; end < text.size(); ++end) {
          int length = 0;
          while (length < DraftIndex::kMostMatch && length < static_cast<int>(end) &&
                 text[end - 1 - length] == text[text.size() - 1 - length])
            ++length;
          if (length < DraftIndex::kLeastMatch) continue;
          ++places;
          longest = std::max(longest, length);
        }
        if (places > DraftIndex::kCandidates) continue;
        QVERIFY(match.length <= longest);
        found += longest > 0;
        missed += match.length < longest;
        for (int j = 0; j < match.length; ++j)
          QCOMPARE(text[match.end - 1 - j], text[text.size() - 1 - j]);
      }
    }
    QVERIFY(found > 1000);
    QVERIFY2(missed < found / 100, qPrintable(QString("%1 of %2").arg(missed).arg(found)));
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestDraftIndex)
#include "test_draft_index.moc"
