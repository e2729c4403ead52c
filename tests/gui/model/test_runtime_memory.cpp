// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that the user's choices about the model server are there again at the next start.
#include <QtTest>

#include "gui/client/runtime_service.h"
#include "gui/model/runtime_memory.h"
#include "gui/store/choices_file.h"
#include "gui/store/resource_paths.h"
#include "tests/gui/client/scripted_server.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

class TestRuntimeMemory : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    profile_ = std::make_unique<QTemporaryDir>();
    paths_ = {profile_->filePath("config"), profile_->filePath("state")};
    server_ = std::make_unique<ScriptedServer>();
  }

  void theServerIsTheOneBesideTheProgram() {
    const RuntimeCommand command = rememberedCommand(paths_, "/models/named.gguf");
    QCOMPARE(command.program, QCoreApplication::applicationDirPath() + "/waferd");
    QCOMPARE(command.model, QString("/models/named.gguf"));
    QCOMPARE(command.sessionCache, paths_.state + "/model.session");
    QVERIFY(QFileInfo(paths_.state).isDir());
    QCOMPARE(rememberedCommand(paths_).model, defaultModelPath());
    QCOMPARE(rememberedShadow(paths_), ShadowChoice());
  }

  void theChosenModelIsRemembered() {
    const QString path = profile_->filePath("mine.gguf");
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly));
    file.close();
    {
      RuntimeService service({server_->program(), "/models/first.gguf"});
      const RuntimeMemory memory(&service, paths_);
      start(service);
      QSignalSpy chosen(&service, &RuntimeService::modelChosen);
      service.chooseModel(path);
      QTRY_COMPARE(chosen.size(), 1);
    }
    QCOMPARE(rememberedCommand(paths_).model, path);
    QCOMPARE(rememberedCommand(paths_, "/models/named.gguf").model, QString("/models/named.gguf"));
    // A file that is gone is passed over.
    QVERIFY(file.remove());
    QCOMPARE(rememberedCommand(paths_).model, defaultModelPath());
  }

  void aShadowIsRememberedAndWishedForAgain() {
    const char placed[] = R"({"type":"shadow.changed","shadow":{"model":"llama-3.1-8b",
        "parameters":8000000000,"wafers":1,"context":8192,"tokens_per_second":2000}})";
    {
      RuntimeService service({server_->program(), "/models/first.gguf"});
      const RuntimeMemory memory(&service, paths_);
      start(service);
      service.shadow()->setPlacement({"replicas", 2048});
      service.shadow()->choose("llama-3.1-8b");
      QTRY_COMPARE(server_->messagesOf("shadow.set").size(), 1);
      server_->sendText(placed);
      QTRY_VERIFY(service.shadow()->shown());
      QCOMPARE(service.figures().shadow, QString("llama-3.1-8b"));
    }
    QCOMPARE(rememberedShadow(paths_), (ShadowChoice{"llama-3.1-8b", {"replicas", 2048}}));
    {
      RuntimeService service({server_->program(), "/models/first.gguf"}, rememberedShadow(paths_));
      const RuntimeMemory memory(&service, paths_);
      start(service);
      QTRY_COMPARE(server_->messagesOf("shadow.set").size(), 2);
      // A shadow that cannot be had any more is forgotten.
      QSignalSpy failed(service.shadow(), &ShadowModel::failed);
      server_->sendText(R"({"type":"error","error":{"code":"shadow_failed","field":"shape",
          "message":"gone.","remedy":"Choose another."}})");
      QTRY_COMPARE(failed.size(), 1);
    }
    QCOMPARE(rememberedShadow(paths_), (ShadowChoice{{}, {"replicas", 2048}}));
  }

  void whatOthersHaveChosenStays() {
    ChoicesFile other(paths_);
    other.setValue(kAcceptedSuggestions, 2);
    QCOMPARE(other.save(), QString());
    RuntimeService service({server_->program(), "/models/first.gguf"});
    const RuntimeMemory memory(&service, paths_);
    service.shadow()->setPlacement({"context", 4096});
    QCOMPARE(ChoicesFile(paths_).value(kAcceptedSuggestions).toInt(), 2);
    QCOMPARE(rememberedShadow(paths_).placement, (ShadowPlacement{"context", 4096}));
  }

  void whatCannotBeKeptIsSaid() {
    QFile inTheWay(paths_.state);
    QVERIFY(inTheWay.open(QFile::WriteOnly));
    RuntimeService service({server_->program(), "/models/first.gguf"});
    const RuntimeMemory memory(&service, paths_);
    QSignalSpy problem(&memory, &RuntimeMemory::problem);
    service.shadow()->setPlacement({"context", 4096});
    QCOMPARE(problem.size(), 1);
    QVERIFY(problem[0][0].toString().contains("choices.json"));
  }

 private:
  static void start(RuntimeService& service) {
    service.start();
    QTRY_COMPARE(service.state(), RuntimeService::State::kReady);
  }

  std::unique_ptr<QTemporaryDir> profile_;
  AppPaths paths_;
  std::unique_ptr<ScriptedServer> server_;
};

QTEST_GUILESS_MAIN(TestRuntimeMemory)
#include "test_runtime_memory.moc"
