// SPDX-License-Identifier: GPL-3.0-or-later
// What the status bar offers, for the keyboard and the palette, and the way round the window.
#include <QMainWindow>
#include <QStatusBar>
#include <QToolBar>
#include <QTreeView>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/find_bar.h"
#include "gui/kit/banner.h"
#include "gui/kit/pane_cycle.h"
#include "gui/project/folder_tree.h"
#include "gui/shell/status_line.h"
#include "gui/shell/window_commands.h"
#include "gui/translate.h"
#include "gui/wafer/wafer_dock.h"
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

}  // namespace

void addStatusCommands(const WindowParts& p) {
  const QString edit = tr("Edit");
  CommandRegistry& c = *p.commands;
  const auto add = [&](const char* id, const QString& text, const QString& help, Qt::Key key,
                       void (StatusLine::*choose)()) {
    c.add({QLatin1String(id),
           edit,
           text,
           help,
           {QKeySequence(Qt::CTRL | Qt::Key_K, QKeyCombination(key))},
           {},
           false,
           true},
          [line = p.statusLine, choose] { (line->*choose)(); });
  };
  add("edit.language", tr("&Language…"), tr("Highlight this file as another language."), Qt::Key_M,
      &StatusLine::chooseLanguage);
  add("edit.indentation", tr("&Indentation…"), tr("Indent with spaces or tabs, and how wide."),
      Qt::Key_I, &StatusLine::chooseIndentation);
  add("edit.encoding", tr("&Encoding…"), tr("Save this file in another encoding."), Qt::Key_E,
      &StatusLine::chooseEncoding);
  add("edit.lineEnds", tr("Line En&ds…"), tr("Convert the line ends of this file."), Qt::Key_L,
      &StatusLine::chooseLineEnds);
}

void addPaneCommands(const WindowParts& p, QWidget* text) {
  auto* panes = new PaneCycle(p.window);
  panes->add(text, [p, text] {
    if (const Document* document = p.tabs->current()) {
      p.tabs->setFocus(Qt::TabFocusReason);
      document->editor()->setFocus(Qt::TabFocusReason);
      return true;
    }
    return focusFirst(text);
  });
  if (WaferDock* dock = p.waferDock) {
    panes->add(dock, [dock] {
      if (!dock->panel()->isVisible()) return focusFirst(dock);
      dock->panel()->view()->setFocus(Qt::TabFocusReason);
      return true;
    });
  }
  panes->add(p.window->statusBar());
  panes->add(p.window->findChild<QToolBar*>(QStringLiteral("activityBar")));
  panes->add(p.filesDock, [p] { return enterTree(p.tree); });
  panes->add(p.notices);
  panes->add(p.tabs->findBar());

  const QString go = tr("Go");
  p.commands->add({"go.nextPart",
                   go,
                   tr("Next Part of the &Window"),
                   tr("Take the keyboard to the text, the wafer, the status bar, the tools, the "
                      "files, notices and the find bar in turn."),
                   {Qt::Key_F6}},
                  [panes] { panes->step(+1); });
  p.commands->add({"go.previousPart",
                   go,
                   tr("Previous Part of the Window"),
                   tr("The same the other way."),
                   {Qt::SHIFT | Qt::Key_F6}},
                  [panes] { panes->step(-1); });
}

}  // namespace waferpair::gui
