// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFileDialog>
#include <QMainWindow>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/save_flow.h"
#include "gui/kit/command_registry.h"
#include "gui/project/quick_open.h"
#include "gui/project/workspace.h"
#include "gui/shell/session_keeper.h"
#include "gui/shell/window_commands.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

QString startFolder(const WindowParts& p) {
  const Document* document = p.tabs->current();
  if (document && !document->path().isEmpty()) return QFileInfo(document->path()).absolutePath();
  return p.workspace->folder().isEmpty() ? QDir::homePath() : p.workspace->folder();
}

void askForFiles(const WindowParts& p) {
  auto* dialog = new QFileDialog(p.window, tr("Open File"), startFolder(p));
  dialog->setObjectName(QStringLiteral("openFileDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  QObject::connect(dialog, &QFileDialog::filesSelected, p.tabs, [p](const QStringList& files) {
    for (const QString& file : files) p.tabs->openFile(file);
  });
  dialog->open();
}

void askForFolder(const WindowParts& p) {
  auto* dialog = new QFileDialog(p.window, tr("Open Folder"), startFolder(p));
  dialog->setObjectName(QStringLiteral("openFolderDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  QObject::connect(dialog, &QFileDialog::fileSelected, p.tabs,
                   [p](const QString& folder) { openFolder(p, folder); });
  dialog->open();
}

QStringList recentlyUsed(const WindowParts& p) {
  QStringList paths;
  for (const Document* document : p.tabs->recentDocuments()) {
    if (!document->path().isEmpty() && document != p.tabs->current()) {
      paths.append(document->path());
    }
  }
  return paths;
}

}  // namespace

void openFolder(const WindowParts& p, const QString& folder) {
  if (!p.workspace->mayOpen(folder)) return;
  p.session->store();
  p.saveFlow->close(p.tabs->documents(), [p, folder](bool closed) {
    if (closed) p.workspace->open(folder);
  });
}

void addFileCommands(const WindowParts& p) {
  const QString file = tr("File");
  CommandRegistry& c = *p.commands;
  c.add({"file.new",
         file,
         tr("&New File"),
         tr("Begin an empty text."),
         {Qt::CTRL | Qt::Key_N},
         "new-file"},
        [p] { p.tabs->newDocument()->setFocus(); });
  c.add({"file.open",
         file,
         tr("&Open File…"),
         tr("Open a file from anywhere."),
         {Qt::CTRL | Qt::Key_O},
         "file"},
        [p] { askForFiles(p); });
  c.add({"file.openFolder",
         file,
         tr("Open &Folder…"),
         tr("Open a project's folder."),
         {Qt::CTRL | Qt::SHIFT | Qt::Key_O},
         "folder-open"},
        [p] { askForFolder(p); });
  c.add({"file.quickOpen",
         file,
         tr("&Quick Open…"),
         tr("Open a file of the project by a few letters of its name."),
         {Qt::CTRL | Qt::Key_P},
         "find-file"},
        [p] { p.quickOpen->open(recentlyUsed(p)); });
  c.add({"file.save",
         file,
         tr("&Save"),
         tr("Save this file."),
         {Qt::CTRL | Qt::Key_S},
         "save",
         false,
         true},
        [p] { p.saveFlow->save(p.tabs->current()); });
  c.add({"file.saveAs",
         file,
         tr("Save &As…"),
         tr("Save this text under another name."),
         {Qt::CTRL | Qt::SHIFT | Qt::Key_S},
         "save",
         false,
         true},
        [p] { p.saveFlow->saveAs(p.tabs->current()); });
  c.add({"file.saveAll",
         file,
         tr("Save A&ll"),
         tr("Save every text that has changes."),
         {Qt::CTRL | Qt::ALT | Qt::Key_S},
         "save",
         false,
         true},
        [p] { p.saveFlow->saveAll(p.tabs->modifiedDocuments()); });
  c.add({"file.revert",
         file,
         tr("Re&vert to Saved"),
         tr("Go back to the text on disk, as one step that can be undone."),
         {},
         "refresh",
         false,
         true},
        [p] { p.tabs->current()->revert(); });
  c.add({"file.close",
         file,
         tr("&Close"),
         tr("Close this file."),
         {Qt::CTRL | Qt::Key_W},
         "close",
         false,
         true},
        [p] { p.saveFlow->close({p.tabs->current()}); });
  c.add({"file.closeOthers",
         file,
         tr("Close &Others"),
         tr("Close all files but this one."),
         {},
         "close",
         false,
         true},
        [p] {
          QList<Document*> others = p.tabs->documents();
          others.removeOne(p.tabs->current());
          p.saveFlow->close(others);
        });
  c.add({"file.closeAll",
         file,
         tr("Close All"),
         tr("Close all files."),
         {Qt::CTRL | Qt::SHIFT | Qt::Key_W},
         "close",
         false,
         true},
        [p] { p.saveFlow->close(p.tabs->documents()); });
  c.add({"file.reopenClosed",
         file,
         tr("&Reopen Closed File"),
         tr("Open the file that was closed last, where it was."),
         {Qt::CTRL | Qt::SHIFT | Qt::Key_T},
         "recent"},
        [p] { p.tabs->reopenClosed(); });
  c.add({"file.closeFolder",
         file,
         tr("Close Fol&der"),
         tr("Close the folder and its files."),
         {},
         "folder"},
        [p] {
          p.session->store();
          p.saveFlow->close(p.tabs->documents(), [p](bool closed) {
            if (closed) p.workspace->closeFolder();
          });
        });
  c.add({"file.forgetRecent",
         file,
         tr("Forget Recent Folders"),
         tr("Empty the list of recent folders."),
         {},
         "trash"},
        [p] { p.workspace->forgetRecent(); });
  c.add({"file.quit", file, tr("&Quit"), tr("Close the window."), {Qt::CTRL | Qt::Key_Q}},
        [p] { p.window->close(); });
}

}  // namespace waferpair::gui
