// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/folder_flow.h"

#include <QDir>
#include <QFileDialog>
#include <QMainWindow>
#include <utility>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/save_flow.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/project/folder_names.h"
#include "gui/project/folder_tree.h"
#include "gui/project/quick_open.h"
#include "gui/project/sample_project.h"
#include "gui/project/workspace.h"
#include "gui/shell/session_keeper.h"
#include "gui/store/app_paths.h"
#include "gui/store/folder_trust.h"
#include "gui/store/resource_paths.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// Paths, the one used last first, without the text in front.
QStringList recentlyUsed(const EditorTabs& tabs) {
  QStringList paths;
  for (const Document* document : tabs.recentDocuments()) {
    if (!document->path().isEmpty() && document != tabs.current()) paths.append(document->path());
  }
  return paths;
}

}  // namespace

FolderFlow::FolderFlow(const Parts& parts) : QObject(parts.window), p_(parts) {}

void FolderFlow::closeTexts(std::function<void()> then) {
  p_.session->store();
  p_.saveFlow->close(p_.tabs->documents(), [then = std::move(then)](bool closed) {
    if (closed) then();
  });
}

void FolderFlow::open(const QString& folder, std::function<void()> then) {
  if (!p_.workspace->mayOpen(folder)) return;
  if (showElsewhere_ && showElsewhere_(folder)) return;
  closeTexts([this, folder, then = std::move(then)] {
    p_.workspace->open(folder);
    if (then) then();
  });
}

void FolderFlow::openRecent(const QString& folder) {
  if (editor::isFolderAt(folder)) return open(folder);
  p_.notices
      ->show(QStringLiteral("goneNotice"), Banner::Kind::kWarning,
             tr("The folder %1 is not there any more.").arg(QDir::toNativeSeparators(folder)))
      .addButton(QStringLiteral("forgetGone"), tr("Take It Off the List"),
                 [this, folder] { p_.workspace->forgetRecent(folder); });
}

void FolderFlow::close() {
  closeTexts([this] { p_.workspace->closeFolder(); });
}

void FolderFlow::add(const QString& folder) {
  if (p_.workspace->folder().isEmpty()) return open(folder);
  const QString notice = QStringLiteral("addFolderNotice");
  p_.notices->remove(notice);
  const QString why = isElsewhere_ && isElsewhere_(folder)
                          ? tr("%1 is open in another window. Close it there, then add it here.")
                                .arg(withTilde(QDir::cleanPath(folder)))
                          : p_.workspace->add(folder);
  if (!why.isEmpty()) p_.notices->show(notice, Banner::Kind::kWarning, why);
}

void FolderFlow::addNamed(const QString& folder) {
  if (!p_.workspace->folders().contains(editor::realPath(folder))) add(folder);
}

void FolderFlow::remove(const QString& folder) {
  if (!p_.workspace->folders().contains(folder)) return;
  if (p_.workspace->folders().size() == 1) return close();
  p_.session->store();  // as it is with all of them, before another one is the first
  p_.workspace->remove(folder);
}

void FolderFlow::openPaths(const QStringList& paths) {
  QStringList folders;
  for (const QString& path : paths) {
    if (editor::isFolderAt(path)) {
      folders.append(path);
    } else {
      p_.tabs->open(path);
    }
  }
  if (folders.isEmpty()) return;
  open(folders.takeFirst(), [this, folders] {
    for (const QString& folder : folders) addNamed(folder);
  });
}

QString FolderFlow::startFolder() const {
  const Document* document = p_.tabs->current();
  if (document && !document->path().isEmpty()) return QFileInfo(document->path()).absolutePath();
  return p_.workspace->folder().isEmpty() ? QDir::homePath() : p_.workspace->folder();
}

void FolderFlow::askForFiles() {
  auto* dialog = new QFileDialog(p_.window, tr("Open File"), startFolder());
  dialog->setObjectName(QStringLiteral("openFileDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
    for (const QString& file : files) p_.tabs->open(file);
  });
  dialog->open();
}

void FolderFlow::askForFolder() {
  auto* dialog = new QFileDialog(p_.window, tr("Open Folder"), startFolder());
  dialog->setObjectName(QStringLiteral("openFolderDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& folder) { open(folder); });
  dialog->open();
}

void FolderFlow::askForFolderToAdd() {
  auto* dialog = new QFileDialog(p_.window, tr("Add Folder to Window"), startFolder());
  dialog->setObjectName(QStringLiteral("addFolderDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) { add(folder); });
  dialog->open();
}

void FolderFlow::askForFolderToRemove() {
  const QStringList folders = p_.workspace->folders();
  const QStringList labels = folderLabels(folders);
  QList<PickerItem> items;
  for (qsizetype i = 0; i < folders.size(); ++i)
    items.append(
        {.text = editor::shownPath(labels[i]), .hint = withTilde(folders[i]), .data = folders[i]});
  p_.picker->open(tr("Folders of this window"), tr("Which one to take out of the window"), items,
                  [this](const QVariant& folder) { remove(folder.toString()); });
  p_.picker->setNote(tr("Its files and the texts that are open stay as they are."));
}

void FolderFlow::askForSamplePlace(const QString& sample, std::function<void()> then) {
  const QString place = withTilde(usualSamplePlace());
  p_.prompt->open(
      tr("Where to copy the sample project (Return opens the copy)"),
      QDir::toNativeSeparators(place), place.size(),
      [sample](const QString& text) { return checkSamplePlace(sample, samplePlace(text)); },
      [this, sample, then = std::move(then)](const QString& text) {
        const QString copy = samplePlace(text);
        if (const QString wrong = copySampleProject(sample, copy); !wrong.isEmpty()) {
          p_.notices->show(QStringLiteral("sampleNotice"), Banner::Kind::kError, wrong);
          return;
        }
        // It is this program's own, and nobody else has written in it.
        (void)p_.trust->trust(copy);
        open(copy, then);
      });
}

void addFolderCommands(CommandRegistry& commands, FolderFlow* flow, QuickOpen* quickOpen,
                       EditorTabs* tabs, Workspace* workspace, FolderTree* tree) {
  const QString file = tr("File");
  commands.add({.id = "file.open",
                .category = file,
                .text = tr("&Open File…"),
                .help = tr("Open a file from anywhere."),
                .keys = {Qt::CTRL | Qt::Key_O},
                .icon = "file",
                .places = {{"file"}, {"start", 1, 2}},
                .run = [flow] { flow->askForFiles(); }});
  commands.add({.id = "file.openFolder",
                .category = file,
                .text = tr("Open &Folder…"),
                .help = tr("Open a project's folder."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_O},
                .icon = "folder-open",
                .places = {{"file"}, {"start", 1, 1}},
                .run = [flow] { flow->askForFolder(); }});
  commands.add({.id = "file.addFolder",
                .category = file,
                .text = tr("&Add Folder to Window…"),
                .help = tr("Open another project's folder beside the one that is open."),
                .icon = "folder-open",
                .places = {{"file"}},
                .run = [flow] { flow->askForFolderToAdd(); }});
  commands.add(
      {.id = "file.removeFolder",
       .category = file,
       .text = tr("Remo&ve Folder from Window…"),
       .help = tr("Take one of the folders out of this window; its files stay on disk. Where there "
                  "is only one, it is closed."),
       .icon = "folder",
       .when = Context::kFolderOpen,
       .places = {{"file", 3}},
       .run = [flow] { flow->askForFolderToRemove(); }});
  commands.add({.id = "files.removeFolder",
                .category = tr("Files"),
                .text = tr("Remo&ve Folder from Window"),
                .help = tr("Take the folder in which the selected row lies out of this window; its "
                           "files stay on disk. Where there is only one, it is closed."),
                .icon = "folder",
                .when = Context::kFolderOpen,
                .places = {{"tree", 4}},
                .run = [flow, tree] { flow->remove(tree->selectedFolder()); }});
  commands.add({.id = "file.quickOpen",
                .category = file,
                .text = tr("&Quick Open…"),
                .help = tr("Open a file of the project by a few letters of its name."),
                .keys = {Qt::CTRL | Qt::Key_P},
                .icon = "find-file",
                .places = {{"file", 1, 2}, {"tools", 1, 2}, {"start", 1, 4}},
                .run = [quickOpen, tabs] { quickOpen->open(recentlyUsed(*tabs)); }});
  commands.add({.id = "file.closeFolder",
                .category = file,
                .text = tr("Close Fol&der"),
                .help = tr("Close the folder, or all of this window's, and the files."),
                .icon = "folder",
                .when = Context::kFolderOpen,
                .places = {{"file", 3}},
                .run = [flow] { flow->close(); }});
  commands.add({.id = "file.forgetRecent",
                .category = file,
                .text = tr("Forget Recent Folders"),
                .help = tr("Empty the list of recent folders."),
                .icon = "trash",
                .places = {{"file/recent", 2}},
                .run = [workspace] { workspace->forgetRecent(); }});
  const QString sample = resourcePath(QStringLiteral("sample_project"));
  if (sample.isEmpty()) return;  // not installed
  commands.add({.id = "file.openSample",
                .category = file,
                .text = tr("Open Sample Pro&ject…"),
                .help = tr("Copy the small project that comes along, and open the copy."),
                .icon = "play",
                .places = {{"file", 1, 2}, {"start", 1, 5}},
                .run = [flow, sample] { flow->askForSamplePlace(sample); }});
}

}  // namespace waferpair::gui
