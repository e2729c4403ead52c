// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments: questions as texts, and answers that are what the estimates and the mesh give.
#include <QtTest>
#include <cmath>

#include "runtime/experiment/experiment.h"
#include "runtime/wafer/estimate/run_estimate.h"

using namespace waferpair;
using experiment::Answer;

namespace {

base::Result<Answer> ask(const std::string& text) {
  const auto question = experiment::parseQuestion(text);
  if (!question) return tl::unexpected(question.error());
  return experiment::answer(*question);
}

double value(const Answer& answer, const std::string& name) {
  for (const experiment::Figure& figure : answer.figures)
    if (figure.name == name) return figure.value;
  return NAN;
}

}  // namespace

class TestExperiment : public QObject {
  Q_OBJECT
 private slots:
  void aQuestionIsAKindAndSettings() {
    const auto question = experiment::parseQuestion("  mesh text=\"region 2 1\nend\"  pes=4 ");
    QVERIFY(question);
    QCOMPARE(question->kind, std::string("mesh"));
    QCOMPARE(question->settings.at("text"), std::string("region 2 1\nend"));
    QCOMPARE(question->settings.at("pes"), std::string("4"));
  }

  void mistakesAreNamed_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing") << "  "
                             << "no experiment named";
    QTest::newRow("kind") << "bread"
                          << "no experiment \"bread\"";
    QTest::newRow("no value") << "wafer model"
                              << "not like name=value";
    QTest::newRow("twice") << "wafer prompt=1 prompt=2"
                           << "stands twice";
    QTest::newRow("quote") << "wafer model=\"a"
                           << "not closed";
    QTest::newRow("unknown") << "wafer color=red"
                             << "no setting \"color\"";
    QTest::newRow("range") << "wafer prompt=0"
                           << "The setting prompt is \"0\"";
    QTest::newRow("number") << "gpu acceptance=nan"
                            << "The setting acceptance";
    QTest::newRow("model") << "gpu model=none"
                           << "none";
    QTest::newRow("bits") << "gpu bits=5"
                          << "bits is 5";
    QTest::newRow("collective") << "mesh collective=dance"
                                << "no collective \"dance\"";
    QTest::newRow("program") << "mesh program=dance"
                             << "no ready program";
    QTest::newRow("mesh text") << "mesh text=\"region 2 1\ndance\""
                               << "ine 2";
    QTest::newRow("pace") << "pace name=snail"
                          << "no published pace";
    QTest::newRow("clock") << "machine clock=0"
                           << "The setting clock";
    QTest::newRow("row") << "paper row=99"
                         << "rows";
  }
  void mistakesAreNamed() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto answer = ask(text.toStdString());
    QVERIFY(!answer);
    const QString message = QString::fromStdString(answer.error().message());
    QVERIFY2(message.contains(says), qPrintable(message));
  }

  void aWaferIsWhatTheEstimateSays() {
    const auto answer = ask("wafer model=llama-3.1-8b prompt=512 output=128 requests=2");
    QVERIFY2(answer, answer ? "" : answer.error().message().c_str());
    wafer::RunRequest request;
    request.shape = *wafer::findShape("llama-3.1-8b");
    request.machine = *wafer::findMachine("wse3");
    request.profile = *wafer::defaultProfile("wse3");
    request.options.clockGhz = request.profile.clockGhz;
    request.prompt = 512;
    request.output = 128;
    request.requests = 2;
    const auto expected = wafer::estimateRun(request);
    QVERIFY(expected);
    QCOMPARE(value(*answer, "tokens_per_second"), expected->decodeTokensPerSecond);
    QCOMPARE(value(*answer, "first_token_ms"), 1e3 * expected->firstTokenSeconds);
    QCOMPARE(value(*answer, "batch_tokens_per_second"), expected->batchTokensPerSecond);
    QCOMPARE(value(*answer, "wafers"), 1.0);
    QVERIFY(answer->worstErrorPercent.has_value());
    QVERIFY(answer->title.find("cloud-2024-08") != std::string::npos);
  }

  void aMachineIsTheVendorsFiguresBesideTheModels() {
    const auto answer = ask("machine wafer=wse3 clock=0.96");
    QVERIFY(answer);
    QCOMPARE(value(*answer, "cores"), 893064.0);
    QCOMPARE(value(*answer, "cores_published"), 900000.0);
    QCOMPARE(value(*answer, "memory_published"), 21.0);
    QCOMPARE(value(*answer, "memory"), 893064 * 24 * 0.96e9 / 1e15);
    QCOMPARE(qRound(100 * value(*answer, "memory_clock_ghz")), 98);
    QCOMPARE(qRound(100 * value(*answer, "fabric_clock_ghz")), 94);
    QVERIFY(std::isnan(value(*answer, "arithmetic_clock_ghz")));  // sparse beside dense
    QCOMPARE(value(*answer, "preset_3"), 0.96);
    QVERIFY(!ask("machine wafer=wse9"));
  }

  // The parts of a token's time are all of it.
  void sharesAddUpToAToken_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("wafer") << "wafer model=llama-3.1-70b prompt=512 output=64";
    QTest::newRow("drafts")
        << "wafer model=llama-3.1-8b prompt=512 output=64 draft=4 acceptance=0.5";
    QTest::newRow("gpu") << "gpu gpu=h200 stack=gpt-fast prompt=512 output=64";
    QTest::newRow("gpu drafts") << "gpu gpu=h200 draft=3 acceptance=0.5";
  }
  void sharesAddUpToAToken() {
    QFETCH(QString, text);
    const auto answer = ask(text.toStdString());
    QVERIFY(answer);
    double seconds = 0;
    for (const auto& share : answer->shares) {
      QVERIFY(share.seconds >= 0);
      seconds += share.seconds;
    }
    QVERIFY2(std::abs(seconds * value(*answer, "tokens_per_second") - 1) < 1e-6,
             qPrintable(QString::number(seconds)));
  }

  void aChangedMachineSaysSo() {
    const auto answer = ask("wafer model=llama-3.1-8b prompt=512 output=64 lanes=16");
    QVERIFY(answer);
    QVERIFY(answer->title.find("HYPOTHETICAL") != std::string::npos);
    QVERIFY(!answer->worstErrorPercent.has_value());
    QCOMPARE(value(*answer, "lanes"), 16.0);
  }

  void theMeshIsRun() {
    const auto star = ask("mesh collective=star-reduce pes=16 elements=16");
    const auto chain = ask("mesh collective=chain-reduce pes=16 elements=16");
    QVERIFY(star && chain);
    QCOMPARE(value(*star, "cycles"), 246.0);  // docs/mesh.md's tables
    QCOMPARE(value(*chain, "cycles"), 106.0);
    QCOMPARE(natureName(star->nature), "simulated");
    QVERIFY(ask("mesh program=chain-reduce"));
  }

  void aGpuWithoutRowsIsUnchecked() {
    QVERIFY(!ask("gpu gpu=b200 stack=eager")->worstErrorPercent);
    QVERIFY(ask("gpu gpu=a100 stack=gpt-fast")->worstErrorPercent);
  }

  void aRowOfAPaperStandsBesideOurs() {
    const auto row = ask("paper profile=waferllm-2025 row=1");
    QVERIFY(row);
    QCOMPARE(value(*row, "published_tokens_per_second"), 2699.9);
    QVERIFY(value(*row, "error_percent") < 3);
    QCOMPARE(value(*row, "row_is_fitted"), 1.0);
  }

  void contendersCanAllBeAsked() {
    const auto contenders = ask("contenders");
    QVERIFY(contenders);
    int asked = 0;
    for (const auto& figure : contenders->figures) {
      if (figure.name.starts_with("model ")) continue;
      std::string question = figure.name;
      if (!question.starts_with("pace ")) question += " model=llama-3.1-8b prompt=64 output=16";
      const auto answer = ask(question);
      QVERIFY2(answer, answer ? "" : (question + ": " + answer.error().message()).c_str());
      QVERIFY2(value(*answer, "tokens_per_second") > 1, question.c_str());
      ++asked;
    }
    QVERIFY(asked >= 31);
  }
};

QTEST_APPLESS_MAIN(TestExperiment)
#include "test_experiment.moc"
