// SPDX-License-Identifier: GPL-3.0-or-later
// The real window with everything in it: a project, an open file, a model that has answered, a
// wafer. A scripted server plays the model. Tests only.
#pragma once

#include <QTemporaryDir>
#include <QtTest>
#include <memory>

#include "gui/client/runtime_service.h"
#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/project/workspace.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "gui/store/settings.h"
#include "gui/wafer/wafer_dock.h"
#include "tests/gui/client/scripted_server.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

namespace waferpair::test {

struct WaferWindow {
  QTemporaryDir project;
  std::unique_ptr<ScriptedServer> server;
  std::unique_ptr<gui::RuntimeService> runtime;
  std::unique_ptr<gui::MainWindow> window;  // goes first: it speaks to the others to the last

  ~WaferWindow() { window.reset(); }

  // useProfile() must have been called. The model's name is "scripted-model".
  void open(QSize size, gui::ThemeKind theme = gui::ThemeKind::kDark,
            const QString& file = QStringLiteral("one.cpp")) {
    remember(theme);
    for (const QString& name : {QStringLiteral("two.cpp"), file}) {
      QFile source(project.filePath(name));
      QVERIFY(source.open(QFile::WriteOnly));
      source.write("// A comment.\nint one() {\n  return 1;\n}\n");
    }
    server = std::make_unique<ScriptedServer>();
    runtime = std::make_unique<gui::RuntimeService>(
        gui::RuntimeCommand{server->program(), "/models/m.gguf"});
    window = std::make_unique<gui::MainWindow>(gui::AppPaths::forUser(), runtime.get());
    window->resize(size);
    window->show();
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    window->start({project.path()});
    gui::Document* document = window->parts().tabs->openFile(project.filePath(file));
    QVERIFY(document);
    document->setFocus();
    QTRY_COMPARE(runtime->state(), gui::RuntimeService::State::kReady);
    server->sendText(R"({"type":"completion.done","id":1,"version":1,"offset":0,
        "reason":"end_of_text","timings":{
          "host":{"first_token_ms":4.2,"tokens_per_second":812},
          "wafer":{"tokens_per_second":6120,"first_token_ms":0.2,"machine":"wse3",
                   "profile":"a-profile","clock_hz":1.1e9},
          "context_used":323,"context_limit":1024}})");
    QTRY_VERIFY(runtime->figures().waferTokensPerSecond.has_value());
  }

  // Saves the theme as an earlier run would have.
  static void remember(gui::ThemeKind theme) {
    const gui::MainWindow earlier(gui::AppPaths::forUser(), nullptr);
    gui::Preferences preferences = earlier.parts().settings->get();
    preferences.theme = theme;
    earlier.parts().settings->set(preferences);
    earlier.parts().workspace->forgetRecent();
  }

  // Call once the dock has asked for telemetry.
  void sendWafer() {
    server->sendText(R"({"type":"telemetry.layout","layout":{"machine":"wse3","profile":"p",
        "model":"m","clock_hz":1.1e9,"fabric_width":762,"fabric_height":1172,"die_columns":7,
        "die_rows":12,"sram_per_pe":49152,"regions":[{"name":"r","x":0,"y":0,"width":64,"height":64,
        "sram":{"code":0,"weights":0,"kv_cache":0,"activations":0,"free":49152}}],
        "ops":[{"name":"o","region":0,"layer":0}]}})");
    QTRY_VERIFY(window->parts().waferDock->panel()->view()->hasLayout());
  }
};

}  // namespace waferpair::test
