// SPDX-License-Identifier: GPL-3.0-or-later
// The program's end of the socket with the real waferd at the other: typing brings suggestions, and
// nothing that happens to waferd costs a character of text.
#include <QtTest>
#include <csignal>

#include "editor/ghost/ghost_text.h"
#include "editor/widget/code_editor.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/store/app_paths.h"
#include "gui/wafer/trace_replay.h"
#include "tests/editor/suggesting_editor.h"
#include "tests/support/paths.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;
using namespace waferpair::gui;
using State = RuntimeService::State;

namespace {

constexpr int kModelMs = 60'000;  // generous: the machine may be busy
const QString kProgram = QString::fromStdString(test::programDir() + "/waferd");

}  // namespace

class TestRuntimeLive : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    useProfile(profile_.path());
    qputenv("XDG_RUNTIME_DIR", profile_.path().toUtf8());
    if (!QFile::exists(kProgram)) QFAIL("waferd is not built");
    // Large enough that a completion takes a while: it is to be interrupted.
    test::TinyModel shape;
    shape.layers = 8;
    shape.width = 256;
    shape.feedForward = 768;
    model_ = profile_.filePath("live.gguf");
    const auto written = test::writeTinyModel(model_.toStdString(), shape);
    QVERIFY2(written, written ? "" : written.error().message().c_str());
  }

  void init() {
    runtime_ = std::make_unique<RuntimeService>(RuntimeCommand{kProgram, model_});
    editor_ = std::make_unique<editor::CodeEditor>();
    suggesting_ = std::make_unique<editor::SuggestingEditor>(editor_.get(), runtime_->completions(),
                                                             runtime_->documents());
    editor_->resize(700, 500);
    editor_->show();
    QVERIFY(QTest::qWaitForWindowActive(editor_.get()));
    editor_->setFocus();
    editor_->setText("int main() {\n");
    suggesting_->open("/home/me/main.cpp");
    runtime_->start();
    QTRY_COMPARE_WITH_TIMEOUT(runtime_->state(), State::kReady, kModelMs);
    QTRY_VERIFY(suggesting_->controller.state() != editor::SuggestionController::State::kSilent);
    QTest::keyClick(editor_->viewport(), Qt::Key_End, Qt::ControlModifier);
  }
  void cleanup() {
    suggesting_.reset();
    editor_.reset();
    runtime_.reset();
  }

  void typingBringsASuggestionThatTabAcceptsAndUndoTakesBack() {
    QVERIFY(typeUntilSuggested());
    QTRY_VERIFY(suggesting_->controller.state() == editor::SuggestionController::State::kShowing);
    const QByteArray before = editor_->text();
    const qint64 caret = editor_->caret();
    const QByteArray ghost = editor_->ghost()->remaining();
    press(Qt::Key_Tab);
    QByteArray expected = before;
    QCOMPARE(editor_->text(), expected.insert(caret, ghost));
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor_->text(), before);
    QTRY_VERIFY(runtime_->figures().firstTokenHostMs.has_value());
    QVERIFY(!runtime_->figures().profile.isEmpty());
  }

  void aServerKilledInTheMiddleOfAStreamCostsNoText() {
    bool killed = false;
    const qint64 first = runtime_->processId();
    connect(runtime_->completions(), &editor::CompletionProvider::completionText, this, [&] {
      if (killed) return;
      killed = true;
      ::kill(static_cast<pid_t>(first), SIGKILL);
    });
    QList<State> states;
    connect(runtime_.get(), &RuntimeService::stateChanged, this,
            [&] { states.append(runtime_->state()); });
    typeUntilSuggested();
    QVERIFY(killed);
    const QByteArray text = editor_->text();
    QTRY_VERIFY(states.contains(State::kRestarting));
    QCOMPARE(editor_->text(), text);
    // Typing goes on while there is no server.
    press(Qt::Key_Return);
    type("x = 1;");
    QVERIFY(editor_->text().contains("x = 1;"));
    QTRY_COMPARE_WITH_TIMEOUT(runtime_->state(), State::kReady, kModelMs);
    QVERIFY(runtime_->processId() != first);
    QVERIFY(typeUntilSuggested());
  }

  void aBrokenModelIsRefusedAndTheOneInUseStays() {
    QFile whole(model_);
    QVERIFY(whole.open(QFile::ReadOnly));
    const QString path = profile_.filePath("broken.gguf");
    QFile broken(path);
    QVERIFY(broken.open(QFile::WriteOnly));
    broken.write(whole.read(whole.size() / 2));
    broken.close();
    QSignalSpy rejected(runtime_.get(), &RuntimeService::modelRejected);
    runtime_->chooseModel(path);
    QTRY_COMPARE_WITH_TIMEOUT(rejected.size(), 1, kModelMs);
    const auto problem = rejected[0][1].value<editor::Error>();
    QVERIFY2(problem.what.contains("broken.gguf"), qPrintable(problem.what));
    QCOMPARE(runtime_->state(), State::kReady);
    QVERIFY(typeUntilSuggested());
  }

  void theWaferWorksForEachSuggestionAndIsSilentAfterwards() {
    QSignalSpy layouts(runtime_.get(), &RuntimeService::telemetryLayout);
    quint64 decoded = 0;
    int quiet = 0;  // frames in a row in which nothing was done
    int bursts = 0;
    connect(runtime_.get(), &RuntimeService::telemetryFrame, this,
            [&](const protocol::TelemetryFrame& frame) {
              decoded += frame.intervalDecoded;
              const bool isQuiet = frame.intervalCycles == 0;
              if (!isQuiet && quiet > 0) ++bursts;
              quiet = isQuiet ? quiet + 1 : 0;
              QVERIFY2(quiet <= 1, "A silent wafer sends a frame.");
            });
    runtime_->setTelemetryRate(60);
    QTRY_COMPARE(layouts.size(), 1);
    const auto layout = layouts[0][0].value<protocol::WaferLayout>();
    QCOMPARE(layout.fabricWidth * layout.fabricHeight, 893'064);
    QVERIFY(!layout.regions.empty() && !layout.ops.empty());
    QVERIFY(typeUntilSuggested());
    QTRY_VERIFY(decoded > 0);
    // The text that would follow the suggestion is asked for, too.
    QTRY_VERIFY_WITH_TIMEOUT(!runtime_->documents()->isBusy(), kModelMs);
    // The burst's closing frame is its last one until there is another burst.
    QTRY_COMPARE(quiet, 1);
    QVERIFY(typeUntilSuggested());
    QTRY_VERIFY(bursts > 0);
    QTRY_VERIFY_WITH_TIMEOUT(!runtime_->documents()->isBusy(), kModelMs);
    QTRY_COMPARE(quiet, 1);
  }

  void whatTheWaferDidIsRecordedAndCanBeReplayed() {
    const QString path = profile_.filePath("live.wptrace");
    QSignalSpy changed(runtime_->trace(), &TraceControl::changed);
    QSignalSpy written(runtime_->trace(), &TraceControl::written);
    runtime_->trace()->start(path);
    QTRY_COMPARE(runtime_->trace()->file(), path);
    QVERIFY(typeUntilSuggested());
    runtime_->trace()->stop();
    QTRY_COMPARE(written.size(), 1);
    QCOMPARE(written[0][0].toString(), path);
    QVERIFY(written[0][1].toLongLong() > 0);
    QVERIFY(runtime_->trace()->file().isEmpty());
    QCOMPARE(changed.size(), 2);
    editor::Error problem;
    const auto replay = TraceReplay::open(path, &problem);
    QVERIFY2(replay, qPrintable(problem.message()));
    QVERIFY(replay->damage().what.isEmpty());
    QCOMPARE(static_cast<qint64>(replay->tokens()), written[0][2].toLongLong());
    QCOMPARE(replay->layout().fabricWidth, 762);
  }

  void aShadowIsSteppedByTheTokensTyped() {
    QSignalSpy layouts(runtime_.get(), &RuntimeService::telemetryLayout);
    std::uint64_t decoded = 0, cycles = 0;
    connect(runtime_.get(), &RuntimeService::telemetryFrame, this,
            [&](const protocol::TelemetryFrame& frame) {
              decoded += frame.intervalDecoded;
              cycles += frame.intervalCycles;
            });
    runtime_->setTelemetryRate(60);
    QTRY_COMPARE(layouts.size(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(runtime_->shadow()->shapes().size() >= 8, 3 * kModelMs);
    runtime_->shadow()->choose("llama-3.1-70b");
    QTRY_VERIFY_WITH_TIMEOUT(runtime_->shadow()->shown(), kModelMs);
    QTRY_COMPARE(layouts.size(), 2);
    const auto layout = layouts[1][0].value<protocol::WaferLayout>();
    QCOMPARE(layout.model, std::string("llama-3.1-70b"));
    QCOMPARE(layout.shadowOf, layouts[0][0].value<protocol::WaferLayout>().model);
    QCOMPARE(layout.wafers, runtime_->shadow()->shown()->wafers);
    QVERIFY(layout.wafers > 1);
    QVERIFY(typeUntilSuggested());
    QTRY_VERIFY(decoded > 0 && cycles > 0);
    QTRY_VERIFY(runtime_->figures().waferTokensPerSecond.has_value());
    QCOMPARE(runtime_->figures().shadow, QString("llama-3.1-70b"));
    // Far from a model of 8 layers, near what a step of 80 layers takes.
    const double rate = *runtime_->figures().waferTokensPerSecond;
    QVERIFY2(rate > runtime_->shadow()->shown()->tokensPerSecond / 4 &&
                 rate < runtime_->shadow()->shown()->tokensPerSecond * 4,
             qPrintable(QString::number(rate)));

    editor::Error problem;
    connect(runtime_->shadow(), &ShadowModel::failed, this,
            [&](const editor::Error& failed) { problem = failed; });
    runtime_->shadow()->choose("/no/such/SHAPE.json");
    QTRY_VERIFY(problem.what.contains("/no/such/SHAPE.json"));
    QVERIFY(runtime_->shadow()->shown());  // it stays
    runtime_->shadow()->choose({});
    QTRY_VERIFY(!runtime_->shadow()->shown());
    QTRY_COMPARE(layouts.size(), 3);
    QCOMPARE(layouts[2][0].value<protocol::WaferLayout>().wafers, 1);
  }

  void aTraceThatCannotBeWrittenSaysWhy() {
    QSignalSpy failed(runtime_->trace(), &TraceControl::failed);
    runtime_->trace()->start("/no/such/folder/a.wptrace");
    QTRY_COMPARE(failed.size(), 1);
    const auto problem = failed[0][0].value<editor::Error>();
    QVERIFY(problem.what.contains("/no/such/folder"));
    QVERIFY(!problem.remedy.isEmpty());
    QVERIFY(runtime_->trace()->file().isEmpty());
    // The server dies in the middle of one.
    const QString path = profile_.filePath("cut.wptrace");
    runtime_->trace()->start(path);
    QTRY_COMPARE(runtime_->trace()->file(), path);
    const QString unfinished = profile_.filePath("cut.unfinished.wptrace");
    const qint64 begun = QFileInfo(unfinished).size();
    // A block is written each second, at the next step.
    QTRY_VERIFY_WITH_TIMEOUT(typeUntilSuggested() && QFileInfo(unfinished).size() > begun,
                             kModelMs);
    ::kill(static_cast<pid_t>(runtime_->processId()), SIGKILL);
    QTRY_COMPARE(failed.size(), 2);
    QVERIFY(runtime_->trace()->file().isEmpty());
    editor::Error damage;
    // The unfinished trace stays beside the path it was meant for.
    QVERIFY(!QFile::exists(path));
    const auto replay = TraceReplay::open(unfinished, &damage);
    QVERIFY2(replay, qPrintable(damage.message()));
    QVERIFY(!replay->damage().what.isEmpty());
  }

 private:
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(editor_->window()->windowHandle(), key, modifiers);
  }
  void type(const char* text) {
    for (; *text; ++text) QTest::keyClick(editor_->window()->windowHandle(), *text);
  }
  // A model with random weights says nothing at some places: goes on to the next.
  bool typeUntilSuggested() {
    for (int i = 0; i < 20; ++i) {
      type("a");
      if (QTest::qWaitFor([this] { return editor_->ghost()->isShown(); }, 2'000)) return true;
      if (runtime_->state() != State::kReady) return false;
    }
    return false;
  }

  QTemporaryDir profile_;
  QString model_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<editor::CodeEditor> editor_;
  std::unique_ptr<editor::SuggestingEditor> suggesting_;
};

QTEST_MAIN(TestRuntimeLive)
#include "test_runtime_live.moc"
