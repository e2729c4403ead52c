// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/session/trace_recorder.h"
#include "runtime/trace/reader.h"
#include "tests/runtime/server/tiny_engine.h"

namespace waferpair::server {

class TestTraceRecorder : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<inference::Engine> engine_;

  // Returns the tokens in the file as it is; 0 if it has no steps.
  static std::uint64_t tokensIn(const std::string& path) {
    const auto reader = trace::Reader::open(path);
    return reader ? reader->totals().tokens : 0;
  }

 private slots:
  void initTestCase() {
    auto engine = test::makeTinyEngine(folder_);
    QVERIFY2(engine.has_value(), engine ? "" : engine.error().message().c_str());
    engine_ = std::move(*engine);
  }
  void cleanupTestCase() { engine_.reset(); }

  void theLastStepsAreInTheFileThoughNoneFollow() {
    const std::string path = folder_.filePath("run.wptrace").toStdString();
    const std::string unfinished = folder_.filePath("run.unfinished.wptrace").toStdString();
    auto recorder = TraceRecorder::start(engine_->model(), path);
    QVERIFY(recorder.has_value());
    for (std::uint64_t tokens = 5; tokens <= 10; tokens += 5) {
      test::generate(*engine_, 5);
      QTRY_COMPARE_WITH_TIMEOUT(tokensIn(unfinished), tokens, 60'000);
    }
    const auto written = (*recorder)->stop();
    QVERIFY(written.has_value());
    QCOMPARE(written->totals.tokens, std::uint64_t{10});
    const auto reader = trace::Reader::open(path);
    QVERIFY(reader && !reader->damage());
    QCOMPARE(reader->totals(), written->totals);
  }

  void aRecordingMayEndWithItsStepsUnwritten() {
    const std::string path = folder_.filePath("short.wptrace").toStdString();
    auto recorder = TraceRecorder::start(engine_->model(), path);
    QVERIFY(recorder.has_value());
    test::generate(*engine_, 3);
    QVERIFY((*recorder)->stop().has_value());
    QCOMPARE(tokensIn(path), std::uint64_t{3});
  }
};

}  // namespace waferpair::server

QTEST_GUILESS_MAIN(waferpair::server::TestTraceRecorder)
#include "test_trace_recorder.moc"
