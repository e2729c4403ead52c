// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/menus.h"

#include <QAction>
#include <QDir>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <algorithm>

#include "editor/text/path_on_disk.h"
#include "gui/kit/command_registry.h"
#include "gui/project/workspace.h"
#include "gui/shell/folder_flow.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

struct MenuRow {
  const char* name;        // of MenuPlace::menu
  const char* objectName;  // for tests and assistive technology
  const char* title;
  MenuPlace in = {};  // for a menu within another
};

constexpr MenuRow kMenus[] = {
    {"file", "fileMenu", QT_TRANSLATE_NOOP("Window", "&File")},
    {"file/recent", "recentMenu", QT_TRANSLATE_NOOP("Window", "Open &Recent"), {"file", 1, 1}},
    {"file/compare", "compareMenu", QT_TRANSLATE_NOOP("Window", "&Compare"), {"file", 2, 1}},
    {"edit", "editMenu", QT_TRANSLATE_NOOP("Window", "&Edit")},
    {"edit/lines", "linesMenu", QT_TRANSLATE_NOOP("Window", "&Lines"), {"edit", 4}},
    {"edit/carets",
     "caretsMenu",
     QT_TRANSLATE_NOOP("Window", "Carets and &Selection"),
     {"edit", 4}},
    {"edit/format", "formatMenu", QT_TRANSLATE_NOOP("Window", "F&ormat"), {"edit", 4}},
    {"edit/spelling", "spellingMenu", QT_TRANSLATE_NOOP("Window", "S&pelling"), {"edit", 4}},
    {"edit/merge", "mergeMenu", QT_TRANSLATE_NOOP("Window", "&Merge"), {"edit", 4}},
    {"view", "viewMenu", QT_TRANSLATE_NOOP("Window", "&View")},
    {"view/folds", "foldsMenu", QT_TRANSLATE_NOOP("Window", "Fo&lding"), {"view", 4}},
    {"view/panes", "panesMenu", QT_TRANSLATE_NOOP("Window", "Pa&nes"), {"view", 4}},
    {"view/terminal", "terminalMenu", QT_TRANSLATE_NOOP("Window", "T&erminals"), {"view", 4}},
    {"go", "goMenu", QT_TRANSLATE_NOOP("Window", "&Go")},
    {"run", "runMenu", QT_TRANSLATE_NOOP("Window", "&Run")},
    {"run/tests", "testsMenu", QT_TRANSLATE_NOOP("Window", "Tes&ting"), {"run", 2, 1}},
    {"run/debug", "debugMenu", QT_TRANSLATE_NOOP("Window", "Debugg&ing"), {"run", 5, 1}},
    {"git", "gitMenu", QT_TRANSLATE_NOOP("Window", "G&it")},
    {"git/refs",
     "refsMenu",
     QT_TRANSLATE_NOOP("Window", "&Branches, Tags and Stashes"),
     {"git", 5}},
    {"pair", "pairMenu", QT_TRANSLATE_NOOP("Window", "&Pair")},
    {"model", "modelMenu", QT_TRANSLATE_NOOP("Window", "&Model")},
    {"model/suggest", "suggestMenu", QT_TRANSLATE_NOOP("Window", "S&uggestions"), {"model", 1}},
    {"wafer", "waferMenu", QT_TRANSLATE_NOOP("Window", "&Wafer")},
    {"help", "helpMenu", QT_TRANSLATE_NOOP("Window", "&Help")},
};

// An item of a menu: a command, or a menu of its own.
struct Item {
  MenuPlace place;
  QAction* action = nullptr;
  const MenuRow* menu = nullptr;
};

QMenu* fill(QMenu* menu, const char* name, const CommandRegistry& commands);

// A menu of which nothing is shown is not shown either.
void showWhereFilled(QMenu* menu) {
  const auto look = [menu] {
    const QList<QAction*> actions = menu->actions();
    menu->menuAction()->setVisible(std::any_of(
        actions.begin(), actions.end(),
        [](const QAction* action) { return action->isVisible() && !action->isSeparator(); }));
  };
  for (const QAction* action : menu->actions())
    QObject::connect(action, &QAction::visibleChanged, menu, look);
  look();
}

QMenu* makeMenu(const MenuRow& row, QWidget* parent, const CommandRegistry& commands) {
  auto* menu = new QMenu(tr(row.title), parent);
  menu->setObjectName(QLatin1String(row.objectName));
  return fill(menu, row.name, commands);
}

QMenu* fill(QMenu* menu, const char* name, const CommandRegistry& commands) {
  QList<Item> items;
  for (const CommandRegistry::Placed& placed : commands.placedIn(name)) {
    items.append({placed.place, commands.action(placed.command->id)});
  }
  for (const MenuRow& row : kMenus) {
    if (qstrcmp(row.in.menu, name) == 0) items.append({row.in, nullptr, &row});
  }
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::pair(a.place.group, a.place.order) < std::pair(b.place.group, b.place.order);
  });
  for (qsizetype i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (i > 0 && items[i - 1].place.group != item.place.group) menu->addSeparator();
    if (item.action) {
      menu->addAction(item.action);
    } else {
      menu->addMenu(makeMenu(*item.menu, menu, commands));
    }
  }
  showWhereFilled(menu);
  return menu;
}

// The folders of late, ahead of the commands that are in it.
void showRecent(QMenu* menu, FolderFlow* flow, const Workspace& workspace) {
  for (QAction* old : menu->actions()) {
    if (old->parent() == menu) delete old;
  }
  QList<QAction*> folders;
  for (const QString& folder : workspace.recentFolders()) {
    QString shown = QDir::toNativeSeparators(folder);
    shown.replace(u'&', QStringLiteral("&&"));
    if (!editor::isFolderAt(folder)) shown = tr("%1 (not there any more)").arg(shown);
    auto* action = new QAction(shown, menu);
    action->setObjectName(QStringLiteral("recent.") + folder);
    QObject::connect(action, &QAction::triggered, flow,
                     [flow, folder] { flow->openRecent(folder); });
    folders.append(action);
  }
  if (folders.isEmpty()) {
    folders.append(new QAction(tr("None yet"), menu));
    folders.last()->setEnabled(false);
  }
  folders.append(new QAction(menu));
  folders.last()->setSeparator(true);
  menu->insertActions(menu->actions().value(0), folders);
}

}  // namespace

void addMenus(QMainWindow* window, const CommandRegistry& commands, FolderFlow* flow,
              Workspace* workspace) {
  for (const MenuRow& row : kMenus) {
    const bool isInBar = *row.in.menu == '\0';
    // Without a model there are no commands for one.
    if (!isInBar || commands.placedIn(row.name).isEmpty()) continue;
    window->menuBar()->addMenu(makeMenu(row, window->menuBar(), commands));
  }
  auto* recent = window->menuBar()->findChild<QMenu*>(QStringLiteral("recentMenu"));
  QObject::connect(recent, &QMenu::aboutToShow, recent,
                   [recent, flow, workspace] { showRecent(recent, flow, *workspace); });
}

void addActivityBar(QMainWindow* window, const CommandRegistry& commands) {
  auto* bar = new QToolBar(tr("Tools"), window);
  bar->setObjectName(QStringLiteral("activityBar"));
  bar->setMovable(false);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  bar->setIconSize(QSize(20, 20));
  int group = 1;
  for (const CommandRegistry::Placed& placed : commands.placedIn("tools")) {
    if (placed.place.group != group) {
      group = placed.place.group;
      auto* spring = new QWidget(bar);
      spring->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
      bar->addWidget(spring);
    }
    QAction* action = commands.action(placed.command->id);
    bar->addAction(action);
    QWidget* button = bar->widgetForAction(action);
    button->setObjectName(QStringLiteral("tool.") + placed.command->id);
    button->setAccessibleName(placed.command->caption());
    button->setFocusPolicy(Qt::TabFocus);
  }
  window->addToolBar(Qt::LeftToolBarArea, bar);
}

QMenu* makeContextMenu(const char* name, const CommandRegistry& commands, QMainWindow* window) {
  auto* menu = new QMenu(window);
  menu->setObjectName(QLatin1String(name) + QStringLiteral("Menu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  return fill(menu, name, commands);
}

}  // namespace waferpair::gui
