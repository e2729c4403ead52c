// SPDX-License-Identifier: GPL-3.0-or-later
// The way round the window.
#include <QDockWidget>
#include <QMainWindow>
#include <QStatusBar>
#include <QToolBar>
#include <QTreeView>

#include "gui/debug/debug_panel.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/find_bar.h"
#include "gui/git/changes_panel.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/pane_cycle.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/review_panel.h"
#include "gui/project/folder_tree.h"
#include "gui/shell/view_commands.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/translate.h"
#include "gui/wafer/wafer_dock.h"
#include "gui/workbench/problems_panel.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

namespace waferpair::gui {
namespace {

bool enterTree(FolderTree* tree) {
  QTreeView* view = tree->view();
  // Without a current row nobody sees where the keyboard is.
  if (view->model() && !view->currentIndex().isValid())
    view->setCurrentIndex(view->model()->index(0, 0, view->rootIndex()));
  tree->setFocus(Qt::TabFocusReason);
  return true;
}

bool enterText(EditorTabs* tabs, QWidget* text) {
  const Document* document = tabs->current();
  if (!document) return focusFirst(text);
  tabs->setFocus(Qt::TabFocusReason);
  document->editor()->setFocus(Qt::TabFocusReason);
  return true;
}

bool enterAsk(PairDock* dock) {
  if (dock->plan()->isVisible()) {
    dock->plan()->enter();
    return true;
  }
  if (dock->review()->isVisible()) {
    dock->review()->enter();
    return true;
  }
  if (!dock->ask()->isVisible()) return focusFirst(dock);
  dock->ask()->enter({});
  return true;
}

bool enterWafer(WaferDock* dock) {
  if (!dock->panel()->isVisible()) return focusFirst(dock);
  dock->panel()->view()->setFocus(Qt::TabFocusReason);
  return true;
}

}  // namespace

void addPaneCommands(CommandRegistry& commands, QMainWindow* window, const Panes& p) {
  auto* panes = new PaneCycle(window);
  panes->add(p.text, [tabs = p.tabs, text = p.text] { return enterText(tabs, text); });
  panes->add(p.pair, [pair = p.pair] { return enterAsk(pair); });
  if (p.wafer) panes->add(p.wafer, [wafer = p.wafer] { return enterWafer(wafer); });
  panes->add(p.problems, [problems = p.problems] {
    problems->enter();
    return true;
  });
  panes->add(p.terminals, [terminals = p.terminals] {
    terminals->enter();
    return true;
  });
  panes->add(p.changes, [changes = p.changes] {
    changes->enter();
    return true;
  });
  panes->add(p.debug, [debug = p.debug] {
    debug->enter();
    return true;
  });
  panes->add(window->statusBar());
  panes->add(window->findChild<QToolBar*>(QStringLiteral("activityBar")));
  panes->add(p.filesDock, [tree = p.tree] { return enterTree(tree); });
  panes->add(p.notices);
  panes->add(p.tabs->findBar());

  const QString go = tr("Go");
  commands.add(
      {.id = "go.nextPart",
       .category = go,
       .text = tr("Next Part of the &Window"),
       .help = tr("Take the keyboard to the text, the questions, the wafer, the status bar, the "
                  "tools, the files, notices and the find bar in turn."),
       .keys = {Qt::Key_F6},
       .places = {{"go", 4}},
       .run = [panes] { panes->step(+1); }});
  commands.add({.id = "go.previousPart",
                .category = go,
                .text = tr("Previous Part of the Window"),
                .help = tr("Take the keyboard to the part before."),
                .keys = {Qt::SHIFT | Qt::Key_F6},
                .places = {{"go", 4}},
                .run = [panes] { panes->step(-1); }});
}

}  // namespace waferpair::gui
