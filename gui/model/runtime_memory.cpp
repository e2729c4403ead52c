// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/runtime_memory.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "gui/client/runtime_service.h"
#include "gui/store/resource_paths.h"
#include "gui/store/settings_file.h"

namespace waferpair::gui {
namespace {

constexpr char kModel[] = "runtime/model";
constexpr char kShadow[] = "runtime/shadow";
constexpr char kShadowObjective[] = "runtime/shadowObjective";
constexpr char kShadowContext[] = "runtime/shadowContext";

QString fileOf(const AppPaths& paths) { return paths.config + QStringLiteral("/settings.json"); }

}  // namespace

RuntimeCommand rememberedCommand(const AppPaths& paths, const QString& model) {
  RuntimeCommand command;
  command.program = defaultRuntimeProgram();
  command.model = model;
  if (command.model.isEmpty()) {
    const QString chosen = SettingsFile(fileOf(paths)).value(kModel).toString();
    command.model = QFileInfo::exists(chosen) ? chosen : defaultModelPath();
  }
  QDir().mkpath(paths.state);
  command.sessionCache = paths.state + QStringLiteral("/model.session");
  return command;
}

ShadowChoice rememberedShadow(const AppPaths& paths) {
  const SettingsFile file(fileOf(paths));
  ShadowChoice choice;
  choice.shape = file.value(kShadow).toString();
  ShadowPlacement& placement = choice.placement;
  placement.objective = file.value(kShadowObjective, placement.objective).toString();
  placement.context = std::max(0, file.value(kShadowContext).toInt());
  return choice;
}

RuntimeMemory::RuntimeMemory(RuntimeService* runtime, const AppPaths& paths, QObject* parent)
    : QObject(parent), settingsFile_(fileOf(paths)) {
  const auto save = [this](SettingsFile& file) {
    if (const QString text = file.save(); !text.isEmpty()) Q_EMIT problem(text);
  };
  connect(runtime, &RuntimeService::modelChosen, this, [this, save](const QString& path) {
    SettingsFile file(settingsFile_);
    file.setValue(kModel, path);
    save(file);
  });
  connect(runtime->shadow(), &ShadowModel::chosen, this, [this, save](const ShadowChoice& choice) {
    SettingsFile file(settingsFile_);
    if (choice.shape.isEmpty()) {
      file.remove(kShadow);
    } else {
      file.setValue(kShadow, choice.shape);
    }
    file.setValue(kShadowObjective, choice.placement.objective);
    file.setValue(kShadowContext, choice.placement.context);
    save(file);
  });
}

}  // namespace waferpair::gui
