// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMainWindow>
#include <QtTest>

#include "gui/app_paths.h"
#include "gui/runtime_service.h"
#include "gui/wafer_dock.h"
#include "tests/gui/runtime/scripted_server.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

class TestWaferDock : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { useProfile(profile_.path()); }
  void init() {
    server_ = std::make_unique<ScriptedServer>();
    runtime_ =
        std::make_unique<RuntimeService>(RuntimeOptions{server_->program(), "/models/m.gguf"});
    window_ = std::make_unique<QMainWindow>();
    window_->resize(800, 600);
    dock_ = new WaferDock(runtime_.get(), window_.get());
    window_->addDockWidget(Qt::RightDockWidgetArea, dock_);
    runtime_->start();
    QTRY_COMPARE(runtime_->state(), RuntimeService::State::kReady);
  }
  void cleanup() {
    window_.reset();
    runtime_.reset();
    server_.reset();
  }

  void telemetryIsAskedForOnlyWhileTheViewCanBeSeen() {
    QVERIFY(!dock_->isSubscribed());
    window_->show();
    QTRY_COMPARE(server_->messagesOf("telemetry.subscribe").size(), 1);
    QCOMPARE(server_->messages().last()["hz"].toInt(), 60);
    dock_->hide();
    QTRY_COMPARE(server_->messagesOf("telemetry.unsubscribe").size(), 1);
    dock_->show();
    QTRY_COMPARE(server_->messagesOf("telemetry.subscribe").size(), 2);
  }

  void aMinimizedWindowAsksForNothing() {
    window_->show();
    QTRY_VERIFY(dock_->isSubscribed());
    window_->showMinimized();
    QTRY_VERIFY(!dock_->isSubscribed());
    window_->showNormal();
    QTRY_VERIFY(dock_->isSubscribed());
  }

  void aPausedViewAsksForNothing() {
    window_->show();
    QTRY_VERIFY(dock_->isSubscribed());
    dock_->panel()->setPaused(true);
    QTRY_VERIFY(!dock_->isSubscribed());
    dock_->panel()->setPaused(false);
    QTRY_VERIFY(dock_->isSubscribed());
  }

  void theLayoutReachesTheView() {
    window_->show();
    QTRY_VERIFY(dock_->isSubscribed());
    QVERIFY(!dock_->panel()->view()->hasLayout());
    server_->sendText(R"({"type":"telemetry.layout","layout":{"machine":"wse3","profile":"p",
        "model":"m","clock_hz":1.1e9,"fabric_width":762,"fabric_height":1172,"die_columns":7,
        "die_rows":12,"sram_per_pe":49152,"regions":[{"name":"r","x":0,"y":0,"width":64,"height":64,
        "sram":{"code":0,"weights":0,"kv_cache":0,"activations":0,"free":49152}}],
        "ops":[{"name":"o","region":0,"layer":0}]}})");
    QTRY_VERIFY(dock_->panel()->view()->hasLayout());
    QVERIFY(dock_->panel()->view()->machineText().contains("wse3"));
  }

 private:
  QTemporaryDir profile_;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<QMainWindow> window_;
  WaferDock* dock_ = nullptr;
};

QTEST_MAIN(TestWaferDock)
#include "test_wafer_dock.moc"
