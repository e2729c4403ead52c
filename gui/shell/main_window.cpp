// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/main_window.h"
#include "gui/kit/theme.h"

#include <QAction>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QLayout>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <chrono>

#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/editor_keys.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/recovery_keeper.h"
#include "gui/documents/save_flow.h"
#include "gui/kit/banner.h"
#include "gui/kit/dialog_size.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/dock_title.h"
#include "gui/kit/icons.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/model/runtime_status.h"
#include "gui/model/runtime_texts.h"
#include "gui/project/disk_watcher.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_tree.h"
#include "gui/project/project_feed.h"
#include "gui/project/quick_open.h"
#include "gui/project/workspace.h"
#include "gui/shell/command_palette.h"
#include "gui/shell/file_drop.h"
#include "gui/shell/session_keeper.h"
#include "gui/shell/start_page.h"
#include "gui/shell/status_line.h"
#include "gui/shell/window_commands.h"
#include "gui/shell/window_menus.h"
#include "gui/store/start_guard.h"
#include "gui/wafer/wafer_dock.h"

namespace waferpair::gui {
namespace {

constexpr QSize kSmallest(640, 400);
constexpr QSize kRoomy(1100, 500);  // the wafer view has its place beside the text
constexpr QSize kUsual(1440, 900);
// Long enough for what was open to be painted and highlighted.
constexpr std::chrono::seconds kStartTime(5);

}  // namespace

MainWindow::MainWindow(const AppPaths& paths, RuntimeService* runtime) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(programIcon());
  setDockNestingEnabled(true);
  // Not as large as what is open would ask for: it gives way once the window is smaller.
  layout()->setSizeConstraint(QLayout::SetNoConstraint);
  setMinimumSize(kSmallest);
  parts_.window = this;
  parts_.runtime = runtime;
  makeParts(paths);
  addFileCommands(parts_);
  addStartCommands(parts_);
  addEditCommands(parts_);
  addStatusCommands(parts_);
  addViewCommands(parts_);
  addTreeCommands(parts_);
  addModelCommands(parts_);
  addWaferCommands(parts_);
  addShadowCommands(parts_);
  addHelpCommands(parts_);
  addActivityBar(parts_);
  layOut();
  addPaneCommands(parts_, pages_);
  addMenus(parts_);
  connectParts();
  notify(parts_.commands->load());
  notify(parts_.editorKeys->load());
  applySettings();
  showCurrent(nullptr);
  resizeWithin(this, kUsual);
  restoreLayout();
}

MainWindow::~MainWindow() {
  // The documents still speak to the recovery store and the completions as they go.
  delete pages_;
}

void MainWindow::makeParts(const AppPaths& paths) {
  WindowParts& p = parts_;
  const QString keysFile = paths.config + QStringLiteral("/keys.json");
  p.settings = new Settings(paths.config + QStringLiteral("/settings.json"), this);
  p.commands = new CommandRegistry(this, keysFile);
  p.editorKeys = new EditorKeys(keysFile, this);

  pages_ = new QStackedWidget;
  DocumentServices services{p.runtime ? p.runtime->completions() : nullptr, p.settings,
                            &p.editorKeys->table()};
  p.tabs = new EditorTabs(services, pages_);
  p.workspace = new Workspace(p.tabs, paths.state, this);
  diskWatcher_ = new DiskWatcher(p.tabs);
  p.recovery = new RecoveryKeeper(p.tabs, paths.state + QStringLiteral("/recovery"));
  p.saveFlow = new SaveFlow(p.tabs, this);
  p.fileIndex = new FileIndex(this);
  p.picker = new Picker(this);
  p.prompt = new InputPrompt(this);
  p.quickOpen = new QuickOpen(p.fileIndex, p.picker);
  p.palette = new CommandPalette(p.commands, p.editorKeys, p.tabs, p.picker);
  p.statusLine = new StatusLine(p.picker, this);
  p.notices = new BannerStack(this);
  p.notices->setObjectName(QStringLiteral("notices"));

  p.filesDock = new QDockWidget(tr("Files"), this);
  p.filesDock->setObjectName(QStringLiteral("filesDock"));
  p.tree = new FolderTree(p.prompt, p.filesDock);
  if (p.runtime) {
    auto* dock = new WaferDock(p.runtime, this);
    p.waferDock = dock;
    p.waferStrip = new DockStrip(this, dock, kRoomy, QStringLiteral("wafer"));
    p.waferStrip->setMakesRoom(p.filesDock);
    projectFeed_ = new ProjectFeed(p.fileIndex, p.runtime->documents(), {}, this);
    p.runtimeStatus = new RuntimeStatus(p.runtime, projectFeed_, this);
  }
  // It watches the docks. Commands copy the parts, so all of them are there before the first
  // command.
  p.session = new SessionKeeper(p.tabs, p.workspace, this);
}

void MainWindow::layOut() {
  WindowParts& p = parts_;
  auto* center = new QWidget(this);
  auto* column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  startPage_ = new StartPage(p.commands,
                             {QStringLiteral("file.openFolder"), QStringLiteral("file.open"),
                              QStringLiteral("file.new"), QStringLiteral("file.quickOpen"),
                              QStringLiteral("file.openSample"), QStringLiteral("view.palette")},
                             pages_);
  pages_->addWidget(startPage_);
  pages_->addWidget(p.tabs);
  column->addWidget(p.notices);
  column->addWidget(pages_, 1);
  setCentralWidget(center);

  layOutDocks();
  layOutStatusBar();
}

void MainWindow::layOutDocks() {
  const WindowParts& p = parts_;
  auto* filesTitle = new DockTitle(p.filesDock);
  for (const char* id : {"files.newFile", "files.newFolder", "files.collapse"}) {
    QAction* action = p.commands->action(QLatin1String(id));
    QToolButton* button = filesTitle->addButton(QStringLiteral("title.") + QLatin1String(id), {},
                                                action->text().remove(u'&').remove(QChar(0x2026)));
    button->setIcon(action->icon());
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
  }
  p.filesDock->setWidget(p.tree);
  addDockWidget(Qt::LeftDockWidgetArea, p.filesDock);
  resizeDocks({p.filesDock}, {240}, Qt::Horizontal);
  if (!p.waferDock) return;
  auto* waferTitle = new DockTitle(p.waferDock);
  QToolButton* fold = waferTitle->addButton(QStringLiteral("waferFold"),
                                            QStringLiteral("chevron-right"), tr("Fold to a strip"));
  fold->hide();
  connect(fold, &QToolButton::clicked, p.waferStrip, &DockStrip::fold);
  connect(p.waferStrip, &DockStrip::changed, fold,
          [fold, strip = p.waferStrip] { fold->setVisible(strip->isCramped()); });
  addDockWidget(Qt::RightDockWidgetArea, p.waferDock);
  resizeDocks({p.waferDock}, {460}, Qt::Horizontal);
  connect(p.runtime, &RuntimeService::figuresChanged, p.waferStrip,
          [strip = p.waferStrip, runtime = p.runtime] {
            strip->setFigure(texts::waferRate(runtime->figures(), runtime->shadow()));
          });
}

void MainWindow::layOutStatusBar() {
  const WindowParts& p = parts_;
  auto* row = new StatusRow(this);
  row->setObjectName(QStringLiteral("statusRow"));
  if (p.runtimeStatus) row->addRow(p.runtimeStatus);
  row->addRow(p.statusLine);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setContentsMargins(0, 0, 4, 0);
  statusBar()->addPermanentWidget(row);
}

QSize MainWindow::minimumSizeHint() const { return kSmallest; }

void MainWindow::connectParts() {
  const WindowParts& p = parts_;
  connect(p.settings, &Settings::changed, this, &MainWindow::applySettings);
  connect(p.settings, &Settings::problem, this, &MainWindow::notify);
  connect(p.editorKeys, &EditorKeys::changed, this, [this] {
    for (Document* document : parts_.tabs->documents()) document->applySettings();
  });
  connect(p.workspace, &Workspace::problem, this, &MainWindow::notify);
  connect(p.workspace, &Workspace::recentChanged, this,
          [this] { startPage_->setRecent(parts_.workspace->recentFolders()); });
  connect(p.workspace, &Workspace::folderChanged, this, [this](const QString& folder) {
    parts_.fileIndex->setFolder(folder);
    parts_.tree->setFolder(folder);
    parts_.saveFlow->setFolder(folder.isEmpty() ? QDir::homePath() : folder);
    if (parts_.runtime) parts_.runtime->setProjectRoot(folder);
    showTitle();
  });
  connect(startPage_, &StartPage::folderChosen, this,
          [this](const QString& folder) { openRecent(parts_, folder); });
  connect(startPage_, &StartPage::removeWanted, p.workspace,
          [this](const QString& folder) { parts_.workspace->forgetRecent(folder); });
  QAction* openFolderAction = p.commands->action(QStringLiteral("file.openFolder"));
  connect(p.tree, &FolderTree::openFolderWanted, openFolderAction, &QAction::trigger);
  connect(p.quickOpen, &QuickOpen::openFolderWanted, openFolderAction, &QAction::trigger);
  startPage_->setRecent(p.workspace->recentFolders());

  connect(p.tabs, &EditorTabs::problem, this, &MainWindow::notify);
  connect(p.tabs, &EditorTabs::currentChanged, this, &MainWindow::showCurrent);
  connect(p.tabs, &EditorTabs::closeRequested, this,
          [this](Document* document) { parts_.saveFlow->close({document}); });
  connect(p.tabs, &EditorTabs::tabMenuRequested, this,
          [this](Document* document, const QPoint& global) {
            parts_.tabs->setCurrent(document);
            makeTabMenu(parts_)->popup(global);
          });
  connect(p.tabs, &EditorTabs::opened, this, [this](Document* document) {
    connect(document, &Document::titleChanged, this, &MainWindow::showTitle);
    connect(document, &Document::saveAsWanted, this,
            [this, document] { parts_.saveFlow->saveAs(document); });
    connect(document, &Document::saved, this, [this, document] {
      if (document->title() == QLatin1String(".gitignore")) parts_.tree->model()->reloadRules();
    });
  });
  connect(p.recovery->store(), &RecoveryStore::problem, this, &MainWindow::notify);
  connect(p.session, &SessionKeeper::problem, this, &MainWindow::notify);
  if (p.runtime) {
    connect(p.runtime, &RuntimeService::notRemembered, this, &MainWindow::notify);
  }

  connect(p.tree, &FolderTree::problem, this, &MainWindow::notify);
  connect(p.tree, &FolderTree::openRequested, this,
          [this](const QString& path, bool takeFocus) { parts_.tabs->openFile(path, takeFocus); });
  connect(p.tree, &FolderTree::renamed, p.tabs, &EditorTabs::pathRenamed);
  connect(p.tree, &FolderTree::menuRequested, this,
          [this](const QPoint& global) { makeTreeMenu(parts_)->popup(global); });
  connect(p.quickOpen, &QuickOpen::chosen, this,
          [this](const QString& path) { parts_.tabs->openFile(path); });
  auto* drop = new FileDrop(this);
  connect(p.tabs, &EditorTabs::opened, drop,
          [drop](Document* document) { drop->watch(document->editor()->viewport()); });
  connect(drop, &FileDrop::dropped, this, [this](const QStringList& paths) {
    for (const QString& path : paths) {
      if (QFileInfo(path).isDir()) {
        openFolder(parts_, path);
      } else {
        parts_.tabs->openFile(path);
      }
    }
    activateWindow();
  });
}

void MainWindow::start(const QStringList& targets) {
  // In a process of its own: it gets ready while the files are opened here.
  if (parts_.runtime) parts_.runtime->start();
  startGuard_ = std::make_unique<StartGuard>(parts_.workspace->store()->directory());
  QTimer::singleShot(kStartTime, this, [this] { startGuard_->completed(); });
  if (!startGuard_->lastStartCrashed()) {
    openLastTime(targets);
    return;
  }
  // Until the user decides nothing is kept, lest this empty window take the place of what was open.
  Banner& banner = parts_.notices->show(
      QStringLiteral("startCrashed"), Banner::Kind::kWarning,
      tr("The program crashed while it was starting, so what was open is not opened by itself this "
         "time. All of it is kept, unsaved text too."));
  banner.addButton(QStringLiteral("openLastTime"), tr("Open It Again"),
                   [this, targets] { openLastTime(targets); });
  connect(&banner, &Banner::dismissed, parts_.session, &SessionKeeper::begin);
}

void MainWindow::openLastTime(const QStringList& targets) {
  openTargets(targets);
  QStringList problems;
  parts_.recovery->recover(&problems);
  for (const QString& problem : problems) notify(problem);
  if (Document* document = parts_.tabs->current()) document->setFocus();
  parts_.session->begin();
}

void MainWindow::keepEverything() {
  parts_.recovery->keepAll();
  parts_.session->store();
}

void MainWindow::openTargets(const QStringList& targets) {
  const QString last = parts_.workspace->store()->lastFolder();
  if (targets.isEmpty() && QFileInfo(last).isDir()) {
    parts_.workspace->open(last);
  } else if (targets.isEmpty() && last.isEmpty()) {
    parts_.workspace->restoreSession();
  } else if (targets.isEmpty()) {
    openRecent(parts_, last);  // says that it is gone, once
    parts_.workspace->store()->setLastFolder({});
  }
  for (const QString& target : targets) {
    if (QFileInfo(target).isDir()) {
      // One window, one folder: a second one named replaces the first.
      parts_.workspace->open(target);
      continue;
    }
    const FilePosition place = parseFilePosition(target);
    Document* document = parts_.tabs->openFile(place.path);
    if (document && place.position) {
      document->editor()->goToLine(place.position->line - 1, place.position->column - 1);
    }
  }
  if (Document* document = parts_.tabs->current()) document->setFocus();
}

void MainWindow::showCurrent(Document* document) {
  pages_->setCurrentWidget(document ? static_cast<QWidget*>(parts_.tabs) : startPage_);
  parts_.commands->setDocumentOpen(document);
  parts_.statusLine->setDocument(document);
  if (parts_.runtimeStatus) {
    parts_.runtimeStatus->watch(document ? document->suggestions() : nullptr);
    projectFeed_->setActive(document ? document->path() : QString(),
                            document ? document->editor()->language() : QString());
  }
  showTitle();
}

void MainWindow::showTitle() {
  const Document* document = parts_.tabs->current();
  QStringList title;
  if (document) title.append(document->title() + QStringLiteral("[*]"));
  if (!parts_.workspace->folder().isEmpty()) title.append(parts_.workspace->name());
  title.append(QStringLiteral("Waferpair"));
  setWindowTitle(title.join(QStringLiteral(" — ")));
  setWindowModified(document && document->isModified());
}

void MainWindow::notify(const QString& problem) {
  if (problem.isEmpty()) return;
  // The same news again replaces the older; no more than a few at a time.
  constexpr int kMostNotices = 4;
  for (int i = 0; i < kMostNotices; ++i) {
    const QString id = QStringLiteral("notice%1").arg(i);
    const Banner* banner = parts_.notices->find(id);
    if (banner && banner->text() == problem) return;
  }
  parts_.notices->show(QStringLiteral("notice%1").arg(notices_++ % kMostNotices),
                       Banner::Kind::kWarning, problem);
}

void MainWindow::applySettings() {
  const Preferences& preferences = parts_.settings->get();
  if (Theme::instance().kind() != preferences.theme) Theme::instance().apply(preferences.theme);
  parts_.tree->setShown(preferences.hiddenFiles, preferences.ignoredFiles);
  if (projectFeed_) projectFeed_->setEnabled(preferences.projectFiles);
}

void MainWindow::restoreLayout() {
  QString problem;
  const WindowLayout layout = parts_.workspace->store()->loadLayout(&problem);
  if (!problem.isEmpty()) notify(problem + tr(" The window is as at the first start."));
  if (!layout.geometry.isEmpty()) restoreGeometry(layout.geometry);
  if (!layout.state.isEmpty()) restoreState(layout.state);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  const WindowParts& p = parts_;
  if (!mayClose_) {
    event->ignore();
    if (asking_) return;
    asking_ = true;
    p.saveFlow->settle(
        p.tabs->documents(), [this] { parts_.recovery->discardAll(); },
        [this](bool settled) {
          asking_ = false;
          if (!settled) return;
          mayClose_ = true;
          // Not from within the answer: the box that asked is still closing.
          QTimer::singleShot(0, this, &QWidget::close);
        });
    return;
  }
  if (p.waferStrip) p.waferStrip->settle();
  p.session->end();
  p.recovery->store()->flush();
  event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::ActivationChange && isActiveWindow() && diskWatcher_) {
    if (parts_.runtime) parts_.runtime->documents()->askGateAgain();
    diskWatcher_->checkAll();
    startPage_->lookAgain();
    if (projectFeed_) projectFeed_->lookAgain();
  }
}

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  if (wasPainted_) return;
  wasPainted_ = true;
  // After this frame is on the screen.
  QTimer::singleShot(0, this, &MainWindow::painted);
}

}  // namespace waferpair::gui
