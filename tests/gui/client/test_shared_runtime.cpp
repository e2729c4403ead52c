// SPDX-License-Identifier: GPL-3.0-or-later
// Several windows with one real waferd: one process for all, whichever window goes first, whatever
// kills it, and whichever of them chooses another model.
#include <QtTest>
#include <csignal>

#include "gui/client/completion_service.h"
#include "gui/client/runtime_host.h"
#include "gui/client/runtime_service.h"
#include "gui/store/app_paths.h"
#include "tests/support/paths.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;
using namespace waferpair::gui;
using State = RuntimeService::State;

namespace {

constexpr int kModelMs = 60'000;  // generous: the machine may be busy
const QString kProgram = QString::fromStdString(test::programDir() + "/waferd");

bool isAlive(qint64 process) { return ::kill(static_cast<pid_t>(process), 0) == 0; }

// Asks for what follows "int ma" in this file, and returns how that ended.
editor::CompletionEnd complete(RuntimeService& runtime, const QString& path) {
  CompletionService& documents = *runtime.documents();
  documents.opened({path, "C++", 1, editor::Snapshot("int ma")});
  std::optional<editor::CompletionEnd> end;
  const auto done =
      QObject::connect(&documents, &CompletionService::completionFinished,
                       [&end](quint64, editor::CompletionEnd reached) { end = reached; });
  const auto request = documents.requestCompletion({path, 1, 6});
  const bool ended = request != 0 && QTest::qWaitFor([&] { return end.has_value(); }, kModelMs);
  QObject::disconnect(done);
  documents.closed(path);
  return ended ? *end : editor::CompletionEnd::kFailed;
}

}  // namespace

class TestSharedRuntime : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    useProfile(profile_.path());
    qputenv("XDG_RUNTIME_DIR", profile_.path().toUtf8());
    if (!QFile::exists(kProgram)) QFAIL("waferd is not built");
    for (const char* name : {"first", "second"}) {
      test::TinyModel shape;
      shape.name = name;
      const auto written = test::writeTinyModel(file(name).toStdString(), shape);
      QVERIFY2(written, written ? "" : written.error().message().c_str());
    }
  }
  void init() {
    auto host = std::make_shared<RuntimeHost>(RuntimeCommand{kProgram, file("first")});
    one_ = std::make_unique<RuntimeService>(host);
    two_ = std::make_unique<RuntimeService>(host);
    host.reset();
    one_->start();
    QTRY_COMPARE_WITH_TIMEOUT(one_->state(), State::kReady, kModelMs);
    two_->start();  // while it runs
    QTRY_COMPARE_WITH_TIMEOUT(two_->state(), State::kReady, kModelMs);
  }
  void cleanup() {
    one_.reset();
    two_.reset();
  }

  void bothUseOneProcess() {
    QVERIFY(one_->processId() > 0);
    QCOMPARE(two_->processId(), one_->processId());
    QCOMPARE(two_->modelName(), QString("first"));
    // The same file in both, with texts of their own.
    QCOMPARE(complete(*one_, "/home/me/a.cpp"), editor::CompletionEnd::kComplete);
    QCOMPARE(complete(*two_, "/home/me/a.cpp"), editor::CompletionEnd::kComplete);
  }

  void whoeverGoesFirstLeavesTheOthersTheirs_data() {
    QTest::addColumn<bool>("first");
    QTest::newRow("the one that started it") << true;
    QTest::newRow("the other one") << false;
  }
  void whoeverGoesFirstLeavesTheOthersTheirs() {
    QFETCH(bool, first);
    const qint64 process = one_->processId();
    (first ? one_ : two_).reset();
    RuntimeService& left = first ? *two_ : *one_;
    // Its server has read by then that the other is gone.
    QCOMPARE(complete(left, "/home/me/a.cpp"), editor::CompletionEnd::kComplete);
    QCOMPARE(left.state(), State::kReady);
    QCOMPARE(left.processId(), process);
    QCOMPARE(complete(left, "/home/me/a.cpp"), editor::CompletionEnd::kComplete);
    (first ? two_ : one_).reset();
    QTRY_VERIFY(!isAlive(process));
  }

  void killedItComesBackOnceForBoth() {
    const qint64 process = one_->processId();
    ::kill(static_cast<pid_t>(process), SIGKILL);
    const auto isBack = [process](const RuntimeService& runtime) {
      return runtime.state() == State::kReady && runtime.processId() != process;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isBack(*one_) && isBack(*two_), kModelMs);
    QCOMPARE(two_->processId(), one_->processId());
    QCOMPARE(complete(*two_, "/home/me/a.cpp"), editor::CompletionEnd::kComplete);
  }

  void aModelThatOneChoosesIsTheOthersToo() {
    const qint64 process = one_->processId();
    QSignalSpy chosen(one_.get(), &RuntimeService::modelChosen);
    one_->chooseModel(file("second"));
    QTRY_COMPARE_WITH_TIMEOUT(chosen.size(), 1, kModelMs);
    QTRY_COMPARE_WITH_TIMEOUT(two_->modelName(), QString("second"), kModelMs);
    QTRY_COMPARE(two_->state(), State::kReady);
    QCOMPARE(two_->modelPath(), file("second"));
    QCOMPARE(two_->processId(), one_->processId());
    QTRY_VERIFY(!isAlive(process));
    QCOMPARE(complete(*two_, "/home/me/a.cpp"), editor::CompletionEnd::kComplete);
    // And goes on without the one that chose it.
    one_.reset();
    QCOMPARE(complete(*two_, "/home/me/a.cpp"), editor::CompletionEnd::kComplete);
  }

  void stoppedAndRestartedItIsSoForBoth() {
    const qint64 process = one_->processId();
    two_->restart();
    QCOMPARE(one_->state(), State::kStarting);
    QTRY_COMPARE_WITH_TIMEOUT(one_->state(), State::kReady, kModelMs);
    QTRY_COMPARE_WITH_TIMEOUT(two_->state(), State::kReady, kModelMs);
    QVERIFY(one_->processId() != process);
    one_->stop();
    QCOMPARE(two_->state(), State::kStopped);
    two_->start();
    QTRY_COMPARE_WITH_TIMEOUT(one_->state(), State::kReady, kModelMs);
  }

 private:
  QString file(const char* name) const {
    return profile_.filePath(QLatin1String(name) + QStringLiteral(".gguf"));
  }

  QTemporaryDir profile_;
  std::unique_ptr<RuntimeService> one_;
  std::unique_ptr<RuntimeService> two_;
};

QTEST_MAIN(TestSharedRuntime)
#include "test_shared_runtime.moc"
