// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>
#include <QTimer>
#include <algorithm>

#include "gui/kit/fuzzy_match.h"
#include "gui/kit/fuzzy_search.h"

namespace waferpair::gui {
namespace {

// 50,000 names as of a large project.
const QStringList& manyNames() {
  static const QStringList names = [] {
    const char* words[] = {"main", "window", "render", "token", "mesh", "cache", "parse", "model"};
    QStringList made;
    for (int i = 0; i < 50'000; ++i)
      made.append(QStringLiteral("src/%1/%2_%3_%4.cpp")
                      .arg(QLatin1String(words[i / 8 % 8]), QLatin1String(words[i % 8]),
                           QLatin1String(words[i / 64 % 8]))
                      .arg(i));
    return made;
  }();
  return names;
}

struct Result {
  QList<qsizetype> indices;
  QList<int> scores;
  bool operator==(const Result&) const = default;
};

Result resultOf(const QList<FuzzyHit>& hits) {
  Result result;
  for (const FuzzyHit& hit : hits) {
    result.indices.append(hit.index);
    result.scores.append(hit.score);
  }
  return result;
}

// The same the slow way.
Result expected(const QString& pattern, const FuzzyNames& names) {
  QList<FuzzyHit> hits;
  for (qsizetype i = 0; i < names.size(); ++i) {
    if (i >= names.first.size() && names.first.contains(names[i])) continue;
    if (const auto match = fuzzyMatch(pattern, names[i]))
      hits.append({i, match->score, match->positions});
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const FuzzyHit& a, const FuzzyHit& b) { return a.score > b.score; });
  return resultOf(hits.mid(0, FuzzySearch::kMostHits));
}

struct Heard {
  QString pattern;  // asked for last when it came
  Result result;
  bool complete;
};

// A search whose thread can be held up.
struct Search {
  FuzzySearch search;
  QSemaphore gate;
  QString asked;
  QList<Heard> heard;

  Search() {
    QObject::connect(&search, &FuzzySearch::found, &search,
                     [this](const QList<FuzzyHit>& hits, bool complete) {
                       heard.append({asked, resultOf(hits), complete});
                     });
  }
  ~Search() { gate.release(100); }
  void hold() {
    search.findChild<QThreadPool*>("searchPool")->start([this] { gate.acquire(); });
  }
  void start(const QString& pattern) {
    asked = pattern;
    search.start(pattern);
  }
};

}  // namespace

class TestFuzzySearch : public QObject {
  Q_OBJECT
 private slots:
  void findsWhatTheSlowWayFinds_data() {
    QTest::addColumn<QString>("pattern");
    for (const char* pattern : {"m", "mw", "main_window", "ren 4711", "CACHE9", "zzz", "49999"})
      QTest::newRow(pattern) << pattern;
  }
  void findsWhatTheSlowWayFinds() {
    QFETCH(QString, pattern);
    Search s;
    s.search.setNames({{}, manyNames()});
    s.start(pattern);
    QVERIFY(s.search.isRunning());
    QTRY_VERIFY(!s.search.isRunning());
    QVERIFY(s.heard.last().complete);
    QCOMPARE(s.heard.last().result, expected(pattern, s.search.names()));
    for (qsizetype i = 0; i + 1 < s.heard.size(); ++i) QVERIFY(!s.heard[i].complete);
  }

  // Letter by letter, only among what matched before: the same comes out.
  void aLongerPatternFindsTheSame() {
    Search s;
    s.search.setNames({{"src/main/x.cpp"}, manyNames()});
    QString pattern;
    for (const QChar letter : QStringLiteral("rendmesh31")) {
      pattern += letter;
      s.start(pattern);
      QTRY_VERIFY(!s.search.isRunning());
      QCOMPARE(s.heard.last().result, expected(pattern, s.search.names()));
    }
    s.start("re");  // and back
    QTRY_VERIFY(!s.search.isRunning());
    QCOMPARE(s.heard.last().result, expected("re", s.search.names()));
  }

  void theFirstOfItComesBeforeTheLast() {
    Search s;
    s.search.setNames({{}, manyNames()});
    s.start("main");
    QTRY_VERIFY(!s.search.isRunning());
    QVERIFY(s.heard.size() > 1);
    QCOMPARE(s.heard.first().result, expected("main", {{}, manyNames().mid(0, 2000)}));
  }

  void whatIsOutOfDateIsNeverHeardOf() {
    Search s;
    s.search.setNames({{}, manyNames()});
    s.hold();
    int turns = 0;
    QTimer ticks;
    connect(&ticks, &QTimer::timeout, this, [&turns] { ++turns; });
    ticks.start(0);
    for (const char* pattern : {"m", "ma", "mai", "token"}) {
      s.start(pattern);
      const int before = turns;
      QTRY_VERIFY(turns > before + 20);  // nobody waits for the thread
      QVERIFY(s.heard.isEmpty());
    }
    s.gate.release();
    QTRY_VERIFY(!s.search.isRunning());
    for (const Heard& one : std::as_const(s.heard)) QCOMPARE(one.pattern, QStringLiteral("token"));
    QCOMPARE(s.heard.last().result, expected("token", s.search.names()));
  }

  // A result that is on its way when the next letter comes.
  void aResultThatComesTooLateIsDropped() {
    Search s;
    s.search.setNames({{}, manyNames().mid(0, 500)});
    s.start("m");
    QVERIFY(s.search.findChild<QThreadPool*>("searchPool")->waitForDone());
    s.start("token");
    QTRY_VERIFY(!s.search.isRunning());
    QCOMPARE(s.heard.size(), 1);
    QCOMPARE(s.heard.first().result, expected("token", s.search.names()));
  }

  void whatIsFirstIsNotListedTwice() {
    Search s;
    s.search.setNames({{"b/main.cpp"}, {"a/main.cpp", "b/main.cpp", "c/other.cpp"}});
    s.start("");
    QCOMPARE(s.heard.last().result.indices, (QList<qsizetype>{0, 1, 3}));
    s.start("main");
    QTRY_VERIFY(!s.search.isRunning());
    QCOMPARE(s.heard.last().result.indices, (QList<qsizetype>{0, 1}));
  }

  void itCanGoAwayInTheMiddle() {
    auto s = std::make_unique<FuzzySearch>();
    s->setNames({{}, manyNames()});
    s->start("m");
    s.reset();
    QCoreApplication::processEvents();
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestFuzzySearch)
#include "test_fuzzy_search.moc"
