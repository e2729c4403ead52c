// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>

#include "editor/widget/code_editor.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/model/runtime_details.h"
#include "gui/model/runtime_status.h"
#include "gui/store/app_paths.h"
#include "tests/editor/suggesting_editor.h"
#include "tests/gui/client/scripted_server.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

class TestRuntimeStatus : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { useProfile(profile_.path()); }
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    server_ = std::make_unique<ScriptedServer>();
    runtime_ = std::make_unique<RuntimeService>(RuntimeCommand{
        server_->program(
            "case \"$2\" in *bad*) echo 'bad.gguf: not a GGUF file.' >&2; exit 3;; esac"),
        "/models/m.gguf"});
    status_ = std::make_unique<RuntimeStatus>(runtime_.get());
    status_->resize(1600, 30);
    status_->show();
    runtime_->start();
    QTRY_COMPARE(runtime_->state(), RuntimeService::State::kReady);
  }
  void cleanup() {
    status_.reset();
    runtime_.reset();
    server_.reset();
  }

  void whatWasNotMeasuredIsNotShown() {
    QCOMPARE(model()->text(), QString("scripted-model"));
    for (const char* name : {"hostRateStatus", "firstTokenStatus", "waferRateStatus"})
      QVERIFY2(!label(name)->isVisible(), name);
  }

  void eachFigureSaysWhoseClockItIsOf() {
    measure();
    QTRY_VERIFY(label("hostRateStatus")->isVisible());
    QVERIFY(label("hostRateStatus")->text().contains("host"));
    QVERIFY(label("firstTokenStatus")->text().contains("host"));
    QVERIFY(label("waferRateStatus")->text().contains("wafer"));
    const QString toolTip = label("waferRateStatus")->toolTip();
    QVERIFY2(toolTip.contains("Emulated") && toolTip.contains("a-profile") &&
                 toolTip.contains("GHz") && toolTip.contains("wse3"),
             qPrintable(toolTip));
    QVERIFY(label("contextStatus")->text().contains("323"));
  }

  void aModelThatIsTooSlowIsCalledThat() {
    for (int i = 0; i < 5; ++i) measure(i == 1 ? "90" : "4200");  // one that was known already
    QTRY_COMPARE(model()->text(), QString("scripted-model, slow"));
    QVERIFY2(model()->toolTip().contains("4.2 s") && model()->toolTip().contains("smaller model"),
             qPrintable(model()->toolTip()));
    for (int i = 0; i < 3; ++i) measure("200");
    QTRY_COMPARE(model()->text(), QString("scripted-model"));
    QVERIFY(!model()->toolTip().contains(" s to begin"));
  }

  void aFailureIsNamedWithItsRemedy() {
    server_->sendText(R"({"type":"status","state":"failed","model":null,
        "error":{"message":"m.gguf: ends early.","remedy":"Download it again."}})");
    QTRY_COMPARE(model()->text(), runtime_->stateText());
    QVERIFY(model()->toolTip().contains("m.gguf: ends early. Download it again."));
  }

  void silenceHasItsReason() {
    editor::CodeEditor editor;
    editor::SuggestingEditor suggesting(&editor, runtime_->completions(), runtime_->documents());
    const editor::SuggestionController& suggestions = suggesting.controller;
    status_->watch(&suggesting.controller);
    suggesting.open("/home/me/.env");
    QTRY_COMPARE(suggestions.state(), editor::SuggestionController::State::kSilent);
    QTRY_COMPARE(field("suggestionStatus")->property("text").toString(), suggestions.reason());
    QVERIFY(field("suggestionStatus")->isVisible());
    suggesting.open("/home/me/a.cpp");
    QTRY_COMPARE(suggestions.state(), editor::SuggestionController::State::kIdle);
    QTRY_VERIFY(field("suggestionStatus")->property("text").toString() != suggestions.reason());
    status_->watch(nullptr);
    QVERIFY(!field("suggestionStatus")->isVisible());
  }

  void aClickOpensTheDetailsFromWhichTheModelIsRestarted() {
    measure();
    QTest::mouseClick(model(), Qt::LeftButton);
    auto* details = status_->findChild<RuntimeDetails*>();
    QVERIFY(details && details->isVisible());
    QTRY_VERIFY(details->findChild<QLabel*>("runtimeHostRate")->text().contains("812"));
    QVERIFY(details->findChild<QLabel*>("runtimeWafer")->text().contains("a-profile"));
    const qint64 process = runtime_->processId();
    QTest::mouseClick(details->findChild<QPushButton*>("restartModel"), Qt::LeftButton);
    QTRY_COMPARE(server_->sessions(), 2);
    QTRY_COMPARE(runtime_->state(), RuntimeService::State::kReady);
    QVERIFY(runtime_->processId() != process);
    QTest::keyClick(details, Qt::Key_Escape);
    QTRY_VERIFY(!status_->findChild<RuntimeDetails*>());
  }

  void aRefusedModelIsToldWithTheReason() {
    runtime_->chooseModel("/models/bad.gguf");
    QTRY_VERIFY(status_->findChild<QMessageBox*>("modelRejected"));
    auto* box = status_->findChild<QMessageBox*>("modelRejected");
    QVERIFY(box->text().contains("bad.gguf"));
    QVERIFY(box->informativeText().contains("not a GGUF file"));
    QVERIFY(box->informativeText().contains("scripted-model"));
    box->accept();
  }

 private:
  QToolButton* model() const { return status_->findChild<QToolButton*>("modelStatus"); }
  QWidget* field(const char* name) const {
    return status_->findChild<QWidget*>(QLatin1String(name));
  }
  QLabel* label(const char* name) const { return status_->findChild<QLabel*>(QLatin1String(name)); }
  void measure(const QByteArray& firstTokenMs = "4.2") {
    server_->sendText(QByteArray(R"({"type":"completion.done","id":1,"version":1,"offset":0,
        "reason":"end_of_text","timings":{
          "host":{"first_token_ms":MS,"tokens_per_second":812},
          "wafer":{"tokens_per_second":6120,"first_token_ms":0.2,"machine":"wse3",
                   "profile":"a-profile","clock_hz":1.1e9},
          "context_used":323,"context_limit":1024}})")
                          .replace("MS", firstTokenMs));
  }

  QTemporaryDir profile_;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<RuntimeStatus> status_;
};

QTEST_MAIN(TestRuntimeStatus)
#include "test_runtime_status.moc"
