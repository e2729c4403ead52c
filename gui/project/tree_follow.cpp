// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/tree_follow.h"

#include <QAction>
#include <QDockWidget>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/project/folder_tree.h"
#include "gui/project/workspace.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

const QLatin1String kTreeTool("tree");
const QLatin1String kFollows("follows");

bool follows(const Workspace& workspace) {
  return workspace.kept(kTreeTool)[kFollows].toBool(true);
}

}  // namespace

void addTreeFollow(CommandRegistry& commands, FolderTree* tree, QDockWidget* dock, EditorTabs* tabs,
                   Workspace* workspace) {
  const auto follow = [tree, dock, tabs, workspace] {
    const Document* front = tabs->current();
    if (!front || dock->isHidden() || !follows(*workspace)) return;
    if (!workspace->folderOf(front->path()).isEmpty()) tree->follow(front->path());
  };
  QAction* toggle = commands.add({.id = "files.follow",
                                  .category = tr("Files"),
                                  .text = tr("Follow the &Open File"),
                                  .help = tr("Select the file of the text in front in the tree, as "
                                             "one goes from text to text."),
                                  .checkable = true,
                                  .when = Context::kFolderOpen,
                                  .places = {{"tree", 4}, {"view", 5}},
                                  .run = [workspace, follow] {
                                    workspace->keep(kTreeTool, {{kFollows, !follows(*workspace)}});
                                    follow();
                                  }});
  const auto show = [toggle, workspace] { toggle->setChecked(follows(*workspace)); };
  show();
  QObject::connect(workspace, &Workspace::keptChanged, toggle, show);
  QObject::connect(workspace, &Workspace::sessionRestored, toggle, show);
  QObject::connect(tabs, &EditorTabs::currentChanged, tree, follow);
  QObject::connect(dock, &QDockWidget::visibilityChanged, tree, [follow](bool isVisible) {
    if (isVisible) follow();
  });
}

}  // namespace waferpair::gui
