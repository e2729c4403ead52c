// SPDX-License-Identifier: GPL-3.0-or-later
// The user's choices about the model server (the model, a shadow, its placement), kept from one
// start of the program to the next. UI thread only.
#pragma once

#include <QObject>

#include "gui/client/runtime_process.h"
#include "gui/client/shadow_model.h"
#include "gui/store/app_paths.h"

namespace waferpair::gui {

class RuntimeService;

// Returns how waferd is started: the one beside this program, with `model` or, when that is empty,
// with the model chosen last if it is still there, else with the one that came with the program.
RuntimeCommand rememberedCommand(const AppPaths& paths, const QString& model = {});
ShadowChoice rememberedShadow(const AppPaths& paths);

// Keeps what is chosen while `runtime` lives.
class RuntimeMemory : public QObject {
  Q_OBJECT
 public:
  // Both outlive this.
  RuntimeMemory(RuntimeService* runtime, const AppPaths& paths, QObject* parent = nullptr);

 Q_SIGNALS:
  // Sent when a choice cannot be remembered for the next start.
  void problem(const QString& text);

 private:
  AppPaths paths_;
};

}  // namespace waferpair::gui
