// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/window_menus.h"
#include "gui/kit/theme.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include "gui/documents/editor_keys.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/icons.h"
#include "gui/project/workspace.h"
#include "gui/shell/window_commands.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// The commands with these ids; "-" is a separator, what does not exist is left out.
void addItems(const WindowParts& p, QMenu* menu, std::initializer_list<const char*> ids) {
  for (const char* id : ids) {
    if (qstrcmp(id, "-") == 0) {
      menu->addSeparator();
    } else if (QAction* action = p.commands->action(QLatin1String(id))) {
      menu->addAction(action);
    }
  }
}

// The editor handles these keys itself (which of several meanings applies is its matter), so the
// menu shows them as text only.
void addEditorItems(const WindowParts& p, QMenu* menu,
                    std::initializer_list<editor::EditorAction> actions) {
  for (const editor::EditorAction wanted : actions) {
    for (const editor::KeyBinding& binding : editor::KeyTable::bindings()) {
      if (binding.action != wanted) continue;
      auto* action = new QAction(menu);
      action->setObjectName(QStringLiteral("editor.") + QLatin1String(binding.id));
      const auto show = [action, keys = p.editorKeys, description = binding.description, wanted] {
        const QString key = keys->table().key(wanted).toString(QKeySequence::NativeText);
        action->setText(QLatin1String(description) + (key.isEmpty() ? QString() : u'\t' + key));
      };
      show();
      QObject::connect(p.editorKeys, &EditorKeys::changed, action, show);
      QObject::connect(action, &QAction::triggered, p.tabs, [p, wanted] {
        if (Document* document = p.tabs->current()) document->editor()->perform(wanted);
      });
      QObject::connect(p.tabs, &EditorTabs::currentChanged, action,
                       [action](const Document* document) { action->setEnabled(document); });
      action->setEnabled(p.tabs->current());
      menu->addAction(action);
    }
  }
}

QMenu* addMenu(const WindowParts& p, const char* name, const QString& title) {
  QMenu* menu = p.window->menuBar()->addMenu(title);
  menu->setObjectName(QLatin1String(name));
  return menu;
}

void addRecentMenu(const WindowParts& p, QMenu* file) {
  auto* menu = new QMenu(tr("Open &Recent"), file);
  menu->setObjectName(QStringLiteral("recentMenu"));
  QObject::connect(menu, &QMenu::aboutToShow, menu, [p, menu] {
    menu->clear();
    for (const QString& folder : p.workspace->recentFolders()) {
      QString shown = QDir::toNativeSeparators(folder);
      shown.replace(u'&', QStringLiteral("&&"));
      if (!QFileInfo(folder).isDir()) shown = tr("%1 (not there any more)").arg(shown);
      QAction* action = menu->addAction(shown);
      action->setObjectName(QStringLiteral("recent.") + folder);
      QObject::connect(action, &QAction::triggered, p.tabs, [p, folder] { openRecent(p, folder); });
    }
    if (menu->isEmpty()) menu->addAction(tr("None yet"))->setEnabled(false);
    menu->addSeparator();
    menu->addAction(p.commands->action(QStringLiteral("file.forgetRecent")));
  });
  // Ahead of what follows the two "open" items.
  file->insertMenu(p.commands->action(QStringLiteral("file.quickOpen")), menu);
}

}  // namespace

void addMenus(const WindowParts& p) {
  using editor::EditorAction;
  QMenu* file = addMenu(p, "fileMenu", tr("&File"));
  addItems(p, file,
           {"file.new", "file.open", "file.openFolder", "file.quickOpen", "file.openSample", "-",
            "file.save", "file.saveAs", "file.saveAll", "file.revert", "-", "file.close",
            "file.closeOthers", "file.closeAll", "file.reopenClosed", "file.closeFolder", "-",
            "file.quit"});
  addRecentMenu(p, file);

  QMenu* edit = addMenu(p, "editMenu", tr("&Edit"));
  addItems(p, edit,
           {"edit.undo", "edit.redo", "-", "edit.cut", "edit.copy", "edit.paste", "edit.selectAll",
            "-", "edit.find", "edit.replace", "edit.findNext", "edit.findPrevious", "-"});
  QMenu* lines = edit->addMenu(tr("&Lines"));
  lines->setObjectName(QStringLiteral("linesMenu"));
  addEditorItems(
      p, lines,
      {EditorAction::kToggleComment, EditorAction::kDuplicateLine, EditorAction::kDeleteLine,
       EditorAction::kMoveLineUp, EditorAction::kMoveLineDown, EditorAction::kIndent,
       EditorAction::kUnindent, EditorAction::kSelectNextOccurrence});
  QMenu* format = edit->addMenu(tr("F&ormat"));
  format->setObjectName(QStringLiteral("formatMenu"));
  addItems(p, format, {"edit.language", "edit.indentation", "edit.encoding", "edit.lineEnds"});
  addItems(p, edit, {"-", "app.settings"});

  QMenu* view = addMenu(p, "viewMenu", tr("&View"));
  addItems(
      p, view,
      {"view.palette", "-", "view.files", "view.wafer", "-", "view.theme", "view.fullScreen", "-"});
  addEditorItems(p, view,
                 {EditorAction::kToggleWordWrap, EditorAction::kToggleWhitespace,
                  EditorAction::kZoomIn, EditorAction::kZoomOut, EditorAction::kZoomReset});
  addItems(p, view, {"-", "view.hiddenFiles", "view.ignoredFiles"});

  QMenu* go = addMenu(p, "goMenu", tr("&Go"));
  addItems(p, go,
           {"go.line", "-", "go.recentTab", "go.recentTabBack", "go.nextTab", "go.previousTab", "-",
            "go.editor", "files.focus", "files.reveal", "-", "go.nextPart", "go.previousPart"});

  if (p.runtime) {
    QMenu* model = addMenu(p, "modelMenu", tr("&Model"));
    addItems(p, model, {"model.suggestions"});
    addEditorItems(
        p, model,
        {EditorAction::kSuggest, EditorAction::kReadSuggestion, EditorAction::kAcceptSuggestion,
         EditorAction::kAcceptWord, EditorAction::kAcceptLine, EditorAction::kDismiss});
    addItems(p, model, {"-", "model.details", "model.choose", "model.restart"});
  }

  if (p.waferDock) {
    QMenu* wafer = addMenu(p, "waferMenu", tr("&Wafer"));
    addItems(p, wafer,
             {"view.wafer", "wafer.shadow", "wafer.shadowPlacement", "-", "wafer.record",
              "wafer.stopRecording", "wafer.openTrace", "wafer.closeTrace"});
  }

  QMenu* help = addMenu(p, "helpMenu", tr("&Help"));
  addItems(p, help, {"help.keys", "help.shortcuts", "-", "help.about"});
}

void addActivityBar(const WindowParts& p) {
  auto* bar = new QToolBar(tr("Tools"), p.window);
  bar->setObjectName(QStringLiteral("activityBar"));
  bar->setMovable(false);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  bar->setIconSize(QSize(20, 20));
  const auto add = [&](const char* id) {
    QAction* action = p.commands->action(QLatin1String(id));
    if (!action) return;
    bar->addAction(action);
    QWidget* button = bar->widgetForAction(action);
    button->setObjectName(QStringLiteral("tool.") + QLatin1String(id));
    button->setAccessibleName(action->text().remove(u'&').remove(QChar(0x2026)));
    button->setFocusPolicy(Qt::TabFocus);
  };
  for (const char* id : {"view.files", "file.quickOpen", "edit.find", "view.palette"}) add(id);
  auto* spring = new QWidget(bar);
  spring->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  bar->addWidget(spring);
  for (const char* id : {"view.wafer", "view.theme", "app.settings"}) add(id);
  p.window->addToolBar(Qt::LeftToolBarArea, bar);

  // The picture shows what a click leads to.
  QAction* theme = p.commands->action(QStringLiteral("view.theme"));
  const auto showTheme = [theme] {
    theme->setIcon(
        icon(Theme::instance().isDark() ? QStringLiteral("sun") : QStringLiteral("moon")));
  };
  QObject::connect(&Theme::instance(), &Theme::changed, theme, showTheme);
  showTheme();
}

QMenu* makeTabMenu(const WindowParts& p) {
  auto* menu = new QMenu(p.window);
  menu->setObjectName(QStringLiteral("tabMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addItems(p, menu,
           {"file.close", "file.closeOthers", "file.closeAll", "file.reopenClosed", "-",
            "file.save", "file.revert", "-", "files.reveal"});
  return menu;
}

QMenu* makeTreeMenu(const WindowParts& p) {
  auto* menu = new QMenu(p.window);
  menu->setObjectName(QStringLiteral("treeMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addItems(p, menu,
           {"files.newFile", "files.newFolder", "-", "files.rename", "files.delete", "-",
            "files.copyPath", "-", "view.hiddenFiles", "view.ignoredFiles", "files.collapse"});
  return menu;
}

}  // namespace waferpair::gui
