// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>

#include "gui/kit/fuzzy_match.h"

namespace waferpair::gui {

class TestFuzzyMatch : public QObject {
  Q_OBJECT
 private slots:
  void findsOnlyLettersInOrder_data();
  void findsOnlyLettersInOrder();
  void ranksWhatIsMeantFirst_data();
  void ranksWhatIsMeantFirst();
  void positionsSpellThePattern();
};

void TestFuzzyMatch::findsOnlyLettersInOrder_data() {
  QTest::addColumn<QString>("pattern");
  QTest::addColumn<QString>("text");
  QTest::addColumn<bool>("found");
  QTest::newRow("letters with gaps") << "mwcpp"
                                     << "gui/shell/main_window.cpp" << true;
  QTest::newRow("case does not matter") << "MAIN"
                                        << "src/main.cpp" << true;
  QTest::newRow("spaces do not matter") << "save all"
                                        << "File: Save All" << true;
  QTest::newRow("wrong order") << "niam"
                               << "main" << false;
  QTest::newRow("one letter too many") << "mainn"
                                       << "main" << false;
  QTest::newRow("nothing typed") << ""
                                 << "anything" << true;
  QTest::newRow("nothing to find it in") << "a"
                                         << "" << false;
  QTest::newRow("beyond ASCII") << "öß"
                                << "größe.cpp" << true;
}

void TestFuzzyMatch::findsOnlyLettersInOrder() {
  QFETCH(QString, pattern);
  QFETCH(QString, text);
  QFETCH(bool, found);
  QCOMPARE(fuzzyMatch(pattern, text).has_value(), found);
}

void TestFuzzyMatch::ranksWhatIsMeantFirst_data() {
  QTest::addColumn<QString>("pattern");
  QTest::addColumn<QString>("better");
  QTest::addColumn<QString>("worse");
  QTest::newRow("file name before folder") << "main"
                                           << "src/main.cpp"
                                           << "maintenance/list.txt";
  QTest::newRow("word starts") << "tf"
                               << "text_file.h"
                               << "stiff.h";
  QTest::newRow("run of letters") << "dock"
                                  << "gui/kit/dock_title.h"
                                  << "gui/document_clock.h";
  QTest::newRow("camel case") << "cr"
                              << "CommandRegistry"
                              << "Concurrency";
  QTest::newRow("shorter of equals") << "theme"
                                     << "theme.h"
                                     << "theme.h.orig";
  QTest::newRow("as typed") << "Save"
                            << "Save"
                            << "save";
}

void TestFuzzyMatch::ranksWhatIsMeantFirst() {
  QFETCH(QString, pattern);
  QFETCH(QString, better);
  QFETCH(QString, worse);
  const auto first = fuzzyMatch(pattern, better);
  const auto second = fuzzyMatch(pattern, worse);
  QVERIFY(first && second);
  QVERIFY2(first->score > second->score,
           qPrintable(QStringLiteral("%1 against %2").arg(first->score).arg(second->score)));
}

void TestFuzzyMatch::positionsSpellThePattern() {
  QRandomGenerator random(7);
  const QString letters = QStringLiteral("abAB_/.");
  const auto word = [&](int most) {
    QString text;
    for (int n = random.bounded(1, most); n > 0; --n) {
      text += letters[random.bounded(static_cast<int>(letters.size()))];
    }
    return text;
  };
  int found = 0;
  for (int round = 0; round < 5000; ++round) {
    const QString pattern = word(5);
    const QString text = word(20);
    const auto match = fuzzyMatch(pattern, text);
    // The plain definition of a subsequence decides.
    qsizetype at = 0;
    for (const QChar c : text) {
      if (at < pattern.size() && c.toCaseFolded() == pattern[at].toCaseFolded()) ++at;
    }
    QCOMPARE(match.has_value(), at == pattern.size());
    if (!match) continue;
    ++found;
    QCOMPARE(match->positions.size(), pattern.size());
    for (qsizetype i = 0; i < pattern.size(); ++i) {
      QCOMPARE(text[match->positions[i]].toCaseFolded(), pattern[i].toCaseFolded());
      if (i > 0) QVERIFY(match->positions[i] > match->positions[i - 1]);
    }
  }
  QVERIFY(found > 500);
}

}  // namespace waferpair::gui

QTEST_GUILESS_MAIN(waferpair::gui::TestFuzzyMatch)
#include "test_fuzzy_match.moc"
