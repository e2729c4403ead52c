// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/git_tools.h"

#include "gui/git/git_marks.h"
#include "gui/project/folder_tree.h"
#include "gui/project/workspace.h"

namespace waferpair::gui {

GitTools::GitTools(Workspace* workspace, FolderTree* tree, QObject* parent)
    : QObject(parent), tree_(tree) {
  connect(workspace, &Workspace::folderChanged, &watch_, &workbench::GitWatch::setFolder);
  connect(&watch_, &workbench::GitWatch::changed, this, &GitTools::showMarks);
}

void GitTools::showMarks() {
  if (!watch_.status()) return tree_->setMarker({});
  tree_->setMarker([status = watch_.status()](const QString& path) {
    const auto folder = status->folders.constFind(path);
    const bool isAround = folder != status->folders.cend() && !status->files.contains(path);
    return isAround ? gitFolderMark(*folder) : gitMark(status->stateOf(path));
  });
}

}  // namespace waferpair::gui
