// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a MainWindow tell one another.
#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QMenu>
#include <QTimer>
#include <algorithm>
#include <chrono>

#include "editor/assist/snippet_store.h"
#include "editor/text/watch_limit.h"
#include "gui/client/runtime_service.h"
#include "gui/debug/debug_tools.h"
#include "gui/documents/compare_commands.h"
#include "gui/documents/editor_commands.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/recovery_keeper.h"
#include "gui/documents/save_flow.h"
#include "gui/documents/spelling.h"
#include "gui/documents/spelling_commands.h"
#include "gui/git/git_tools.h"
#include "gui/git/worktree_actions.h"
#include "gui/help/crash_news.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/keyboard_home.h"
#include "gui/kit/pane_cycle.h"
#include "gui/kit/theme.h"
#include "gui/model/pairing_models.h"
#include "gui/model/runtime_memory.h"
#include "gui/pairing/next_edit_service.h"
#include "gui/pairing/pair_dock.h"
#include "gui/project/disk_watcher.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_tree.h"
#include "gui/project/quick_open.h"
#include "gui/project/workspace.h"
#include "gui/shell/file_drop.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/main_window.h"
#include "gui/shell/menus.h"
#include "gui/shell/session_keeper.h"
#include "gui/shell/start_page.h"
#include "gui/shell/status_line.h"
#include "gui/suggestions/suggestion_counts.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/workbench/language_features.h"
#include "gui/workbench/language_tools.h"
#include "gui/workbench/problems_panel.h"
#include "gui/workbench/search_panel.h"

namespace waferpair::gui {
namespace {

constexpr std::chrono::seconds kPollDisk(5);

}  // namespace

void MainWindow::connectParts() {
  const WindowParts& p = parts_;
  keyboardHome_ = std::make_unique<KeyboardHome>(this, [this] {
    if (Document* document = parts_.tabs->current()) return document->setFocus();
    focusFirst(startPage_);
  });
  connect(p.settings, &Settings::changed, this, &MainWindow::applySettings);
  connect(p.settings, &Settings::problem, this, &MainWindow::notify);
  connect(&Theme::instance(), &Theme::desktopChanged, this, &MainWindow::applySettings);
  if (p.suggestionCounts)
    connect(p.suggestionCounts, &SuggestionCounts::problem, this, &MainWindow::notify);
  connect(editorCommands_, &EditorCommands::keysChanged, this, [this] {
    for (Document* document : parts_.tabs->documents()) document->applySettings();
  });
  connect(p.workspace, &Workspace::problem, this, &MainWindow::notify);
  connect(p.workspace, &Workspace::recentChanged, this,
          [this] { startPage_->setRecent(parts_.workspace->recentFolders()); });
  connect(p.workspace, &Workspace::folderChanged, this, [this](const QString& folder) {
    parts_.terminals->setFolder(folder);
    startPage_->setThings(folder.isEmpty() ? thingsToTry_->things() : QList<ThingToTry>());
  });
  connect(p.workspace, &Workspace::foldersChanged, this, [this](const QStringList& folders) {
    parts_.fileIndex->setFolders(folders);
    parts_.tree->setFolders(folders);
    parts_.problems->setFolders(folders);
    parts_.terminals->setPlaces(folders, parts_.workspace->frontFolder());
    if (parts_.runtime) parts_.runtime->setProjectRoot(folders.value(0));
    showTitle();
  });
  connect(p.workspace, &Workspace::frontFolderChanged, this, [this](const QString& folder) {
    parts_.terminals->setPlaces(parts_.workspace->folders(), folder);
    snippets_->setProjectFolder(folder.isEmpty() ? QString()
                                                 : folder + QStringLiteral("/.waferpair/snippets"));
    spelling_->setFolder(folder);
    saveFlow_->setFolder(folder.isEmpty() ? QDir::homePath() : folder);
    tellNextEdits();
  });
  connect(p.git->worktrees(), &WorktreeActions::folderWanted, this,
          [this](const QString& folder) { parts_.folders->open(folder); });
  connect(startPage_, &StartPage::folderChosen, this,
          [this](const QString& folder) { parts_.folders->openRecent(folder); });
  connect(startPage_, &StartPage::thingChosen, thingsToTry_, &ThingsToTry::run);
  connect(startPage_, &StartPage::removeWanted, p.workspace,
          [this](const QString& folder) { parts_.workspace->forgetRecent(folder); });
  connect(p.tree, &FolderTree::openFolderWanted, parts_.folders, &FolderFlow::askForFolder);
  connect(quickOpen_, &QuickOpen::prefixTyped, this, [&p](QChar prefix) {
    const QHash<QChar, const char*> commands{{u':', "go.line"},
                                             {u'@', "go.symbol"},
                                             {u'#', "go.projectSymbol"},
                                             {u'>', "view.palette"},
                                             {u'?', "ask.ask"}};
    p.commands->action(QLatin1String(commands.value(prefix)))->trigger();
  });
  connect(quickOpen_, &QuickOpen::openFolderWanted, parts_.folders, &FolderFlow::askForFolder);
  connect(statusLine_, &StatusLine::goToLineWanted, p.commands->action(QStringLiteral("go.line")),
          &QAction::trigger);
  startPage_->setRecent(p.workspace->recentFolders());

  connect(p.search, &SearchPanel::queryChanged, this,
          [this] { parts_.workspace->keep(QStringLiteral("search"), parts_.search->query()); });
  connect(p.pairDock, &PairDock::pageChanged, this, [this] {
    parts_.workspace->keep(QStringLiteral("pair"),
                           {{QStringLiteral("page"), static_cast<int>(parts_.pairDock->page())}});
  });
  connect(p.workspace, &Workspace::sessionRestored, this, [this] {
    parts_.search->restore(parts_.workspace->kept(QStringLiteral("search")));
    const int page = parts_.workspace->kept(QStringLiteral("pair"))[u"page"].toInt();
    parts_.pairDock->showPage(static_cast<PairDock::Page>(std::clamp(page, 0, 2)));
  });

  connect(p.tabs, &EditorTabs::problem, this, &MainWindow::notify);
  connect(snippets_, &editor::SnippetStore::problemChanged, this,
          [this](const QString& file, const QString& problem) {
            const QString id = QStringLiteral("snippets ") + file;
            if (problem.isEmpty()) return parts_.notices->remove(id);
            parts_.notices->show(id, Banner::Kind::kWarning, problem)
                .addButton(QStringLiteral("openSnippets"), tr("&Open the File"),
                           [this, file] { parts_.tabs->openFile(file); });
          });
  connect(p.tabs, &EditorTabs::currentChanged, this, &MainWindow::showCurrent);
  connect(p.tabs, &EditorTabs::closeRequested, this,
          [this](Document* document) { saveFlow_->close({document}); });
  connect(p.tabs, &EditorTabs::tabMenuRequested, this,
          [this](Document* document, const QPoint& global) {
            parts_.tabs->setCurrent(document);
            makeContextMenu("tab", *parts_.commands, this)->popup(global);
          });
  connect(spelling_, &Spelling::problem, this, &MainWindow::notify);
  connect(p.tabs, &EditorTabs::opened, this, [this](Document* document) {
    connect(document->editor(), &editor::CodeEditor::menuWanted, this,
            [this, document](const QPoint& global) {
              QMenu* menu = makeContextMenu("editor", *parts_.commands, this);
              offerSpelling(menu, spelling_, document);
              menu->popup(global);
            });
    connect(document, &Document::titleChanged, this, &MainWindow::showTitle);
    connect(document, &Document::saveAsWanted, this,
            [this, document] { saveFlow_->saveAs(document); });
    connect(document, &Document::compareWanted, this,
            [this, document] { compareWithSaved(parts_.tabs, document); });
    connect(document, &Document::reopenWanted, this, [this, document] {
      parts_.tabs->setCurrent(document);
      parts_.commands->run(QStringLiteral("edit.reopenEncoding"));
    });
    connect(document, &Document::saved, this, [this, document] {
      if (document->title() == QLatin1String(".gitignore")) parts_.tree->model()->reloadRules();
    });
  });
  connect(p.fileIndex, &FileIndex::changed, this, &MainWindow::tellNextEdits);
  connect(p.nextEdits, &NextEditService::problem, this, &MainWindow::notify);
  connect(p.recovery->store(), &RecoveryStore::problem, this, &MainWindow::notify);
  connect(session_, &SessionKeeper::problem, this, &MainWindow::notify);
  connect(p.pairDock, &PairDock::problem, this, &MainWindow::notify);
  connect(p.languages, &LanguageTools::problem, this, &MainWindow::notify);
  connect(p.terminals, &TerminalPanel::fileWanted, this,
          [this](const QString& path, int line, int column) {
            parts_.tabs->open(path, {.then = [line, column](Document* document) {
                                if (document && line > 0)
                                  document->editor()->goToLine(line - 1, std::max(0, column - 1));
                              }});
          });
  connect(p.terminals, &TerminalPanel::menuWanted, this, [this](const QPoint& global) {
    makeContextMenu("terminal", *parts_.commands, this)->popup(global);
  });
  connect(p.terminals, &TerminalPanel::emptied, this, [this] { parts_.terminalDock->hide(); });
  connect(pairingModels_, &PairingModels::problem, this, &MainWindow::notify);
  connect(pairingModels_, &PairingModels::loadFailed, this, &MainWindow::tellLoadFailure);
  if (p.runtime) {
    connect(&p.runtime->server(), &RuntimeServer::died, crashNews_, &CrashNews::look);
    connect(runtimeMemory_, &RuntimeMemory::problem, this, &MainWindow::notify);
  }

  // Somebody has to look, once the system does not tell: the window that has the keyboard, every
  // few seconds, and each when it is come back to.
  const auto doWithoutWatches = [this] {
    parts_.notices->show(
        QStringLiteral("watchLimit"), Banner::Kind::kWarning,
        tr("The system watches no more files: all that fs.inotify.max_user_watches and "
           "fs.inotify.max_user_instances allow are taken. What other programs change is looked "
           "for "
           "every few seconds instead. To allow more: sudo sysctl "
           "fs.inotify.max_user_watches=1048576 fs.inotify.max_user_instances=1024, then start "
           "Waferpair again."));
    auto* poll = new QTimer(this);
    connect(poll, &QTimer::timeout, this, [this] {
      if (!isActiveWindow()) return;
      diskWatcher_->checkAll();
      parts_.git->refresh();
      parts_.tree->model()->refresh();
    });
    poll->start(kPollDisk);
  };
  auto& watches = editor::WatchLimit::instance();
  if (watches.isMet()) doWithoutWatches();
  connect(&watches, &editor::WatchLimit::met, this, doWithoutWatches);
  connect(p.tree, &FolderTree::problem, this, &MainWindow::notify);
  connect(p.tree, &FolderTree::openRequested, this, [this](const QString& path, bool takeFocus) {
    parts_.tabs->open(path, {.takesFocus = takeFocus, .isPreview = !takeFocus});
  });
  connect(p.tree, &FolderTree::renamed, p.tabs, &EditorTabs::pathRenamed);
  connect(p.tree, &FolderTree::renamed, p.debug->runner()->breakpoints(),
          &workbench::Breakpoints::pathRenamed);
  connect(languageFeatures_, &LanguageFeatures::renamed, p.debug->runner()->breakpoints(),
          &workbench::Breakpoints::pathRenamed);
  connect(p.tree, &FolderTree::menuRequested, this, [this](const QPoint& global) {
    makeContextMenu("tree", *parts_.commands, this)->popup(global);
  });
  connect(quickOpen_, &QuickOpen::chosen, this,
          [this](const QString& path) { parts_.tabs->open(path); });
  auto* drop = new FileDrop(this);
  connect(p.tabs, &EditorTabs::opened, drop,
          [drop](Document* document) { drop->watch(document->editor()->viewport()); });
  connect(drop, &FileDrop::dropped, this, [this](const QStringList& paths) {
    parts_.folders->openPaths(paths);
    activateWindow();
  });
}

void MainWindow::tellNextEdits() {
  const QString& folder = parts_.workspace->frontFolder();
  parts_.nextEdits->setProject(folder, parts_.fileIndex->filesOf(folder));
}

}  // namespace waferpair::gui
