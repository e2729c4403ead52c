// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/runtime_memory.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "gui/client/runtime_service.h"
#include "gui/store/choices_file.h"
#include "gui/store/resource_paths.h"
#include "gui/store/settings.h"

namespace waferpair::gui {
RuntimeCommand rememberedCommand(const AppPaths& paths, const QString& model) {
  RuntimeCommand command;
  command.program = defaultRuntimeProgram();
  command.model = model;
  if (command.model.isEmpty()) {
    const QString chosen = ChoicesFile(paths).value(kChosenModel).toString();
    command.model = QFileInfo::exists(chosen) ? chosen : defaultModelPath();
  }
  command.adapters = Settings(paths).get().adapters;
  QDir().mkpath(paths.state);
  command.sessionCache = paths.state + QStringLiteral("/model.session");
  return command;
}

ShadowChoice rememberedShadow(const AppPaths& paths) {
  const ChoicesFile file(paths);
  ShadowChoice choice;
  choice.shape = file.value(kChosenShadow).toString();
  ShadowPlacement& placement = choice.placement;
  placement.objective = file.value(kShadowObjective, placement.objective).toString();
  placement.context = std::max(0, file.value(kShadowContext).toInt());
  return choice;
}

RuntimeMemory::RuntimeMemory(RuntimeService* runtime, const AppPaths& paths, QObject* parent)
    : QObject(parent), paths_(paths) {
  const auto save = [this](ChoicesFile& file) {
    if (const QString text = file.save(); !text.isEmpty()) Q_EMIT problem(text);
  };
  connect(runtime, &RuntimeService::modelChosen, this, [this, save](const QString& path) {
    ChoicesFile file(paths_);
    file.setValue(kChosenModel, path);
    save(file);
  });
  connect(runtime->shadow(), &ShadowModel::chosen, this, [this, save](const ShadowChoice& choice) {
    ChoicesFile file(paths_);
    if (choice.shape.isEmpty()) {
      file.remove(kChosenShadow);
    } else {
      file.setValue(kChosenShadow, choice.shape);
    }
    file.setValue(kShadowObjective, choice.placement.objective);
    file.setValue(kShadowContext, choice.placement.context);
    save(file);
  });
}

}  // namespace waferpair::gui
