// SPDX-License-Identifier: GPL-3.0-or-later
// The settings: the dialog, and the files behind it.
#include <QMainWindow>

#include "gui/kit/command_registry.h"
#include "gui/shell/settings_dialog.h"
#include "gui/shell/settings_files.h"
#include "gui/shell/view_commands.h"
#include "gui/translate.h"

namespace waferpair::gui {

void showSettings(QMainWindow* window, Settings* settings, SettingsFiles* files,
                  const QString& wanted) {
  auto* dialog = new SettingsDialog(settings, window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &SettingsDialog::fileWanted, files, &SettingsFiles::open);
  dialog->find(wanted);
  dialog->open();
}

void addSettingsCommands(CommandRegistry& commands, QMainWindow* window, Settings* settings,
                         SettingsFiles* files) {
  const QString edit = tr("Edit");
  commands.add({.id = "app.settings",
                .category = edit,
                .text = tr("&Settings…"),
                .help = tr("Theme, font and all other preferences, for you or for this project."),
                .keys = {Qt::CTRL | Qt::Key_Comma},
                .icon = "settings",
                .places = {{"edit", 5}, {"tools", 2}},
                .run = [settings, files, window] { showSettings(window, settings, files, {}); }});
  commands.add({.id = "app.settingsFile",
                .category = edit,
                .text = tr("Settings &File"),
                .help = tr("Edit your settings.json as a text."),
                .places = {{"edit", 5}},
                .run = [files] { files->open(SettingsScope::kUser); }});
  commands.add({.id = "app.projectSettingsFile",
                .category = edit,
                .text = tr("Project's Se&ttings File"),
                .help = tr("Edit the .waferpair/settings.json of the open folder as a text."),
                .when = Context::kFolderOpen,
                .places = {{"edit", 5}},
                .run = [files] { files->open(SettingsScope::kProject); }});
}

}  // namespace waferpair::gui
