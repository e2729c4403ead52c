// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMainWindow>

#include "gui/client/runtime_service.h"
#include "gui/kit/command_registry.h"
#include "gui/model/runtime_status.h"
#include "gui/shell/window_commands.h"
#include "gui/store/settings.h"

namespace waferpair::gui {

void addModelCommands(const WindowParts& p) {
  if (!p.runtime) return;
  const QString model = QMainWindow::tr("Model");
  CommandRegistry& c = *p.commands;
  addPreferenceToggle(p,
                      {"model.suggestions", model, QMainWindow::tr("&Suggest While Typing"),
                       QMainWindow::tr("Ask the model for a continuation after each change.")},
                      &Preferences::suggestions);
  c.add({"model.details",
         model,
         QMainWindow::tr("Model &Details…"),
         QMainWindow::tr("What runs, how fast, and why it is silent."),
         {},
         "info"},
        [p] { p.runtimeStatus->showDetails(); });
  c.add({"model.choose",
         model,
         QMainWindow::tr("&Choose Model…"),
         QMainWindow::tr("Use another model file (GGUF)."),
         {},
         "folder-open"},
        [p] { p.runtimeStatus->chooseModel(); });
  c.add({"model.restart",
         model,
         QMainWindow::tr("&Restart Model"),
         QMainWindow::tr("End the model's process and start it again."),
         {},
         "refresh"},
        [p] { p.runtime->restart(); });
}

}  // namespace waferpair::gui
