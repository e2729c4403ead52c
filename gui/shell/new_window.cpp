// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/new_window.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QProcess>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

void openWindow(EditorTabs* tabs, const QString& target, bool hasModel) {
  // It inherits the profile that this process was pointed at.
  const QString program = QCoreApplication::applicationFilePath();
  if (QProcess::startDetached(program, newWindowArguments(target, hasModel))) return;
  Q_EMIT tabs->problem(
      tr("Another window could not be opened: %1 cannot be started. Was the program "
         "moved or removed since this window was opened?")
          .arg(QDir::toNativeSeparators(program)));
}

}  // namespace

QStringList newWindowArguments(const QString& target, bool hasModel) {
  QStringList arguments{QStringLiteral("--new-window")};
  if (!hasModel) arguments += QStringLiteral("--no-runtime");
  // A name that begins with a hyphen is a name.
  if (!target.isEmpty()) arguments += {QStringLiteral("--"), target};
  return arguments;
}

void addWindowCommands(CommandRegistry& commands, EditorTabs* tabs, bool hasModel) {
  const QString file = tr("File");
  commands.add({.id = "file.newWindow",
                .category = file,
                .text = tr("New &Window"),
                .help = tr("Open another window, with nothing in it yet."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_N},
                .places = {{"file"}},
                .run = [tabs, hasModel] { openWindow(tabs, {}, hasModel); }});
  commands.add({.id = "file.folderInNewWindow",
                .category = file,
                .text = tr("Open Folder in New Window…"),
                .help = tr("Open a project's folder in another window."),
                .icon = "folder-open",
                .places = {{"file"}},
                .run = [tabs, hasModel] {
                  auto* dialog = new QFileDialog(tabs->window(), tr("Open Folder in New Window"),
                                                 QDir::homePath());
                  dialog->setObjectName(QStringLiteral("newWindowFolderDialog"));
                  dialog->setAttribute(Qt::WA_DeleteOnClose);
                  dialog->setFileMode(QFileDialog::Directory);
                  dialog->setOption(QFileDialog::ShowDirsOnly);
                  QObject::connect(dialog, &QFileDialog::fileSelected, tabs,
                                   [tabs, hasModel](const QString& folder) {
                                     openWindow(tabs, folder, hasModel);
                                   });
                  dialog->open();
                }});
  commands.add({.id = "file.inNewWindow",
                .category = file,
                .text = tr("Open This File in New Window"),
                .help = tr("Open the file of this tab in another window, too, as it is on disk."),
                .when = Context::kDocumentOpen,
                .places = {{"tab", 3}},
                .run = [tabs, hasModel] {
                  const QString path = tabs->current()->path();
                  if (path.isEmpty()) {
                    Q_EMIT tabs->problem(tr("This text has no file yet. Save it first."));
                  } else {
                    openWindow(tabs, path, hasModel);
                  }
                }});
}

}  // namespace waferpair::gui
