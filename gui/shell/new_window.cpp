// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/new_window.h"

#include <QDir>
#include <QFileDialog>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/shell/main_window.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

void askForFolder(MainWindow* window) {
  auto* dialog =
      new QFileDialog(window, MainWindow::tr("Open Folder in New Window"), QDir::homePath());
  dialog->setObjectName(QStringLiteral("newWindowFolderDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  QObject::connect(dialog, &QFileDialog::fileSelected, window,
                   [window](const QString& folder) { Q_EMIT window->windowWanted({folder}); });
  dialog->open();
}

}  // namespace

void addWindowCommands(CommandRegistry& commands, MainWindow* window) {
  const QString file = tr("File");
  const QString view = tr("View");
  EditorTabs* tabs = window->parts().tabs;
  commands.add({.id = "file.newWindow",
                .category = file,
                .text = tr("New &Window"),
                .help = tr("Open another window, with nothing in it yet."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_N},
                .places = {{"file"}},
                .run = [window] { Q_EMIT window->windowWanted({}); }});
  commands.add({.id = "file.folderInNewWindow",
                .category = file,
                .text = tr("Open Folder in New Window…"),
                .help = tr("Open a project's folder in another window."),
                .icon = "folder-open",
                .places = {{"file"}},
                .run = [window] { askForFolder(window); }});
  commands.add({.id = "file.inNewWindow",
                .category = file,
                .text = tr("Open This File in New Window"),
                .help = tr("Open the file of this tab in another window, too, as it is on disk."),
                .when = Context::kDocumentOpen,
                .places = {{"tab", 3}},
                .run = [window, tabs] {
                  const QString path = tabs->current()->path();
                  if (path.isEmpty()) {
                    Q_EMIT tabs->problem(tr("This text has no file yet. Save it first."));
                  } else {
                    Q_EMIT window->windowWanted({path});
                  }
                }});
  commands.add({.id = "panes.moveToNewWindow",
                .category = view,
                .text = tr("Move to New W&indow"),
                .help = tr("Move this tab to a window of its own, with its unsaved text and what "
                           "can be undone."),
                .keys = {chord(Qt::SHIFT | Qt::Key_N)},
                .when = Context::kDocumentOpen,
                .places = {{"view/panes", 3}, {"tab", 3}},
                .run = [window, tabs] { Q_EMIT window->windowWantedFor(tabs->current()); }});
  commands.add({.id = "panes.moveToNextWindow",
                .category = view,
                .text = tr("Move to Ne&xt Window"),
                .help = tr("Move this tab to the next window, or to a new one."),
                .keys = {chord(Qt::CTRL | Qt::Key_N)},
                .when = Context::kDocumentOpen,
                .places = {{"view/panes", 3}, {"tab", 3}},
                .run = [window, tabs] { Q_EMIT window->nextWindowWantedFor(tabs->current()); }});
  commands.add({.id = "view.nextWindow",
                .category = view,
                .text = tr("&Next Window"),
                .help = tr("Go to the next window of the program."),
                .keys = {chord(Qt::Key_Tab)},
                .places = {{"view/panes", 3}},
                .run = [window] { Q_EMIT window->nextWindowWanted(); }});
  commands.add({.id = "file.closeWindow",
                .category = file,
                .text = tr("Close Windo&w"),
                .help = tr("Close this window; the others stay."),
                .keys = {chord(Qt::CTRL | Qt::Key_Q)},
                .places = {{"file", 4}},
                .run = [window] { window->close(); }});
  commands.add({.id = "file.quit",
                .category = file,
                .text = tr("&Quit"),
                .help = tr("Close all windows."),
                .keys = {Qt::CTRL | Qt::Key_Q},
                .places = {{"file", 4}},
                .run = [window] { window->quit(); }});
}

}  // namespace waferpair::gui
