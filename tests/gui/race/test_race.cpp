// SPDX-License-Identifier: GPL-3.0-or-later
// The race as values: the clock of a lane, what contenders are asked, and the table.
#include <QtTest>

#include "gui/race/race.h"
#include "gui/race/race_export.h"

using namespace waferpair::gui;

namespace {

RaceLane lane(double first, double rate) {
  RaceLane made;
  made.contender = QStringLiteral("gpu gpu=h100 stack=serving");
  made.nature = QStringLiteral("modelled");
  made.title = QStringLiteral("NVIDIA H100, \"serving\"");
  made.firstTokenSeconds = first;
  made.tokensPerSecond = rate;
  made.allTokensPerSecond = 4 * rate;
  made.joulesPerToken = 5.5;
  made.worstErrorPercent = 18;
  made.shares = {{QStringLiteral("launches"), 1e-3}};
  made.sources = {QStringLiteral("a data sheet"), QStringLiteral("=formula, they say")};
  return made;
}

}  // namespace

class TestRace : public QObject {
  Q_OBJECT
 private slots:
  void aLaneGoesByItsClock() {
    const RaceLane made = lane(0.5, 10);
    QCOMPARE(made.tokensAt(0.49, 100), 0.0);
    QCOMPARE(made.tokensAt(0.5, 100), 1.0);
    QCOMPARE(made.tokensAt(1.5, 100), 11.0);
    QCOMPARE(made.tokensAt(1000, 100), 100.0);
    QCOMPARE(made.endSeconds(101), 10.5);
    QCOMPARE(made.tokensAt(made.endSeconds(101), 101), 101.0);
  }

  void aPaceHasNoFirstToken() {
    RaceLane made = lane(0, 10);
    made.firstTokenSeconds.reset();
    QCOMPARE(made.tokensAt(0, 100), 0.0);
    QCOMPARE(made.tokensAt(1, 100), 10.0);
    QCOMPARE(made.endSeconds(100), 10.0);
    QCOMPARE(RaceLane().endSeconds(100), 0.0);
  }

  void contendersAreAskedTheSame() {
    RaceSettings settings;
    settings.model = QStringLiteral("llama-3.1-70b");
    settings.bits = 8;
    settings.prompt = 512;
    settings.output = 100;
    settings.requests = 4;
    QCOMPARE(raceQuestion(QStringLiteral("gpu gpu=h100 stack=eager"), settings),
             QStringLiteral("gpu gpu=h100 stack=eager model=llama-3.1-70b prompt=512 output=100 "
                            "requests=4 bits=8"));
    settings.bits = 0;
    settings.draft = 3;
    settings.acceptance = 65;
    QCOMPARE(raceQuestion(QStringLiteral("wafer wafer=wse3"), settings),
             QStringLiteral("wafer wafer=wse3 model=llama-3.1-70b prompt=512 output=100 requests=4 "
                            "draft=3 acceptance=0.65"));
    settings.draft = 0;
    QVERIFY(raceQuestion(QStringLiteral("wafer"), settings).endsWith(QStringLiteral(" draft=0")));
    QCOMPARE(raceQuestion(QStringLiteral("pace name=gpt-4o"), settings),
             QStringLiteral("pace name=gpt-4o"));
  }

  void anAnswerBecomesALane() {
    ExperimentAnswer answer;
    answer.nature = QStringLiteral("emulated");
    answer.figures = {{QStringLiteral("tokens_per_second"), {}, 100, {}},
                      {QStringLiteral("batch_tokens_per_second"), {}, 320, {}},
                      {QStringLiteral("first_token_ms"), {}, 12, {}},
                      {QStringLiteral("joules_per_token"), {}, 9, {}},
                      {QStringLiteral("batch_joules_per_token"), {}, 3, {}}};
    RaceSettings settings;
    settings.requests = 4;
    const RaceLane made = laneOf(QStringLiteral("wafer"), answer, settings);
    QCOMPARE(made.tokensPerSecond, 80.0);
    QCOMPARE(made.allTokensPerSecond, 320.0);
    QCOMPARE(made.firstTokenSeconds, std::optional(0.012));
    QCOMPARE(made.joulesPerToken, std::optional(3.0));
    QVERIFY(laneTrust(made).startsWith(QStringLiteral("unchecked")));
    QCOMPARE(
        laneFigures(made, settings),
        QStringLiteral("first token 12 ms  ·  80.0 tokens/s  ·  all 4 requests 320 tokens/s  ·  "
                       "3 J a token"));
  }

  void aTableHasASourceForEachLane() {
    const QByteArray csv = raceCsv({RaceLane(), lane(0.5, 10)}, RaceSettings());
    const QList<QByteArray> lines = csv.split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith("lane,nature,what,model,"));
    QCOMPARE(
        lines[1].trimmed(),
        QByteArray("2,modelled,\"NVIDIA H100, \"\"serving\"\"\",llama-3.1-8b,,1024,200,1,,,0.5,"
                   "10,40,5.5,18,worst error of its model 18 %,launches 0.001 s,\"a data sheet; "
                   "=formula, they say\""));
  }

  void aTableHasTheUsersOfTheChart() {
    UsersLine line{.lane = 2, .tokensPerSecond = {40, 0, 160}};
    const QByteArray csv = raceCsv({RaceLane(), lane(0.5, 10)}, RaceSettings(), {line});
    const QList<QByteArray> lines = csv.split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY2(
        lines[2].startsWith("2,modelled,\"NVIDIA H100, \"\"serving\"\"\",llama-3.1-8b,,1024,200,"
                            "1,,,,40,40,,18,"),
        lines[2].constData());
    QVERIFY2(lines[3].contains(",200,16,,,,10,160,,18,"), lines[3].constData());
  }

  void whereOneOvertakesAnotherIsSaid() {
    const UsersLine wafer{.lane = 2, .tokensPerSecond = {1700, 6800, 6700, 3000, 4600, 0}};
    const UsersLine gpu{.lane = 3, .tokensPerSecond = {140, 550, 2000, 7000, 9000, 12000}};
    QCOMPARE(crossoverText({wafer, gpu}),
             QStringLiteral("Lane 2 gives more than lane 3, from 64 users on lane 3 does."));
    // The same the other way round, and twice.
    QCOMPARE(crossoverText({gpu, wafer}), crossoverText({wafer, gpu}));
    UsersLine back = gpu;
    back.tokensPerSecond[4] = 100;
    QCOMPARE(crossoverText({wafer, back}),
             QStringLiteral("Lane 2 gives more than lane 3, from 64 users on lane 3 does, from 256 "
                            "users on lane 2 does."));
    QCOMPARE(crossoverText({wafer}), QString());
    QCOMPARE(crossoverText({wafer, UsersLine{.lane = 1, .tokensPerSecond = {}}}), QString());
    QCOMPARE(usersRateText(12345), QStringLiteral("12,300"));
    QCOMPARE(usersRateText(7.254), QStringLiteral("7.3"));
  }

  void aFormulaIsNoCell() {
    RaceLane made = lane(0.5, 10);
    made.title = QStringLiteral("=1+1");
    QVERIFY(raceCsv({made}, RaceSettings()).contains(",'=1+1,"));
  }
};

QTEST_APPLESS_MAIN(TestRace)
#include "test_race.moc"
