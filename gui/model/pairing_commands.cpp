// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/pairing_commands.h"

#include "gui/kit/command_registry.h"
#include "gui/model/model_getter.h"
#include "gui/model/model_picker.h"
#include "gui/model/pairing_models.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addPairingModelCommands(CommandRegistry& commands, ModelPicker* picker, ModelGetter* getter,
                             PairingModels* models) {
  const QString model = tr("Model");
  commands.add({.id = "model.choose-pair",
                .category = model,
                .text = tr("Choose Models for &Pairing…"),
                .help = tr("Choose which models answer questions and edit, here or elsewhere."),
                .keys = {QKeySequence("Ctrl+Alt+Shift+M")},
                .places = {{"model", 2}},
                .run = [picker] { picker->open(); }});
  if (getter) {
    commands.add({.id = "model.get",
                  .category = model,
                  .text = tr("&Get a Model…"),
                  .help = tr("Fetch an open model from Hugging Face, when you have seen its size "
                             "and its license."),
                  .places = {{"model", 2}},
                  .run = [getter] { getter->open(); }});
  }
  commands.add(
      {.id = "model.switch-pair",
       .category = model,
       .text = tr("Switch &Fast and Deep Model"),
       .help = tr("Have the fast model do all work, then the deep one, then each its own."),
       .keys = {QKeySequence("Ctrl+Alt+M")},
       .places = {{"model", 2}},
       .run = [models] { models->nextRouting(); }});
  commands.add({.id = "model.load-pair",
                .category = model,
                .text = tr("&Load or Unload the Deep Model"),
                .help = tr("Load the model file for pairing ahead of its first question, again if "
                           "that failed, or have it give its memory back."),
                .keys = {QKeySequence("Ctrl+Alt+Shift+L")},
                .places = {{"model", 2}},
                .run = [models] { models->loadOrUnload(); }});
}

}  // namespace waferpair::gui
