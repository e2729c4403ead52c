// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/model_commands.h"

#include "gui/client/runtime_service.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/preference_toggle.h"
#include "gui/model/other_editors_dialog.h"
#include "gui/model/runtime_status.h"
#include "gui/store/resource_paths.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addModelCommands(CommandRegistry& commands, Settings* settings, RuntimeService* runtime,
                      RuntimeStatus* runtimeStatus) {
  const QString model = tr("Model");
  addPreferenceToggle(commands, settings,
                      {.id = "model.suggestions",
                       .category = model,
                       .text = tr("&Suggest While Typing"),
                       .help = tr("Ask the model for a continuation after each change."),
                       .places = {{"model"}}},
                      &Preferences::suggestions);
  commands.add({.id = "model.details",
                .category = model,
                .text = tr("Model &Details…"),
                .help = tr("What runs, how fast, and why it is silent."),
                .icon = "info",
                .places = {{"model", 3}},
                .run = [runtimeStatus] { runtimeStatus->showDetails(); }});
  commands.add({.id = "model.choose",
                .category = model,
                .text = tr("&Choose Model…"),
                .help = tr("Use another model file (GGUF)."),
                .icon = "folder-open",
                .places = {{"model", 3}},
                .run = [runtimeStatus] { runtimeStatus->chooseModel(); }});
  commands.add(
      {.id = "model.addAdapter",
       .category = model,
       .text = tr("&Add Adapter…"),
       .help = tr("Add a low-rank adapter (LoRA, a GGUF file) to the weights of the model."),
       .places = {{"model", 3}},
       .run = [runtimeStatus] { runtimeStatus->chooseAdapter(); }});
  QObject::connect(runtimeStatus, &RuntimeStatus::adapterChosen, settings,
                   [settings, runtime](const QString& file) {
                     Preferences changed = settings->get();
                     const QString line = runtime->modelPath() + u'=' + file;
                     if (changed.adapters.contains(line)) return;
                     changed.adapters.append(line);
                     settings->set(changed);
                   });
  QObject::connect(settings, &Settings::changed, runtime,
                   [settings, runtime] { runtime->setAdapters(settings->get().adapters); });
  runtime->setAdapters(settings->get().adapters);
  commands.add({.id = "model.chooseLarger",
                .category = model,
                .text = tr("Choose a &Larger Model to Suggest, Too…"),
                .help = tr("What a larger model (GGUF) says takes the place of a suggestion where "
                           "it is likelier, or fills the gap."),
                .places = {{"model", 3}},
                .run = [runtimeStatus] { runtimeStatus->chooseLarger(); }});
  QObject::connect(runtimeStatus, &RuntimeStatus::largerChosen, settings,
                   [settings](const QString& file) {
                     Preferences changed = settings->get();
                     changed.largerModel = file;
                     settings->set(changed);
                   });
  QObject::connect(settings, &Settings::changed, runtime, [settings, runtime] {
    runtime->larger()->setFile(settings->get().largerModel);
  });
  runtime->larger()->setFile(settings->get().largerModel);
  commands.add({.id = "model.otherEditors",
                .category = model,
                .text = tr("Use from &Other Editors…"),
                .help = tr("Set up another editor or tool to use the model of this computer."),
                .places = {{"model", 3}},
                .run = [runtimeStatus] {
                  auto* dialog =
                      new OtherEditorsDialog(defaultCommandLineProgram(), runtimeStatus->window());
                  dialog->setAttribute(Qt::WA_DeleteOnClose);
                  dialog->open();
                }});
  commands.add({.id = "model.restart",
                .category = model,
                .text = tr("&Restart Model"),
                .help = tr("End the model's process and start it again."),
                .icon = "refresh",
                .places = {{"model", 3}},
                .run = [runtime] { runtime->restart(); }});
}

}  // namespace waferpair::gui
