// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/main_window.h"

#include <sys/stat.h>

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QLayout>
#include <QMenuBar>
#include <QMetaMethod>
#include <QStackedWidget>
#include <QTimer>
#include <cerrno>
#include <chrono>
#include <memory>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/watch_limit.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/debug/debug_tools.h"
#include "gui/documents/attention.h"
#include "gui/documents/auto_saver.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/recovery_keeper.h"
#include "gui/documents/save_flow.h"
#include "gui/git/changes_panel.h"
#include "gui/git/git_tools.h"
#include "gui/help/crash_news.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dialog_size.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/icons.h"
#include "gui/kit/key_maps.h"
#include "gui/kit/keyboard_home.h"
#include "gui/kit/shown_texts.h"
#include "gui/kit/theme.h"
#include "gui/model/model_picker.h"
#include "gui/model/pairing_models.h"
#include "gui/model/runtime_status.h"
#include "gui/pairing/edit_tasks.h"
#include "gui/pairing/pair_dock.h"
#include "gui/project/disk_watcher.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_tree.h"
#include "gui/project/project_feed.h"
#include "gui/project/workspace.h"
#include "gui/shell/ai_switch.h"
#include "gui/shell/chord_wait.h"
#include "gui/shell/context_watch.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/menus.h"
#include "gui/shell/session_keeper.h"
#include "gui/shell/start_page.h"
#include "gui/shell/status_line.h"
#include "gui/shell/view_commands.h"
#include "gui/shell/zen_mode.h"
#include "gui/store/file_position.h"
#include "gui/store/start_guard.h"
#include "gui/store/text_history.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/wafer/trace_commands.h"
#include "gui/wafer/wafer_dock.h"
#include "gui/workbench/diagnostic_status.h"
#include "gui/workbench/language_tools.h"
#include "wafer_view/wafer_view.h"

namespace waferpair::gui {
namespace {

constexpr QSize kSmallest(640, 400);
constexpr QSize kUsual(1440, 900);
// Long enough for what was open to be painted and highlighted.
constexpr std::chrono::seconds kStartTime(5);

// In all windows, and in those to come.
void setMotion(bool on) {
  static const int flashTime = QApplication::cursorFlashTime();  // the desktop's
  QApplication::setCursorFlashTime(on ? flashTime : 0);
  view::WaferView::setAnimatedAtFirst(on);
  for (QWidget* widget : QApplication::allWidgets()) {
    if (auto* wafer = qobject_cast<view::WaferView*>(widget)) wafer->setAnimated(on);
    if (auto* window = qobject_cast<QMainWindow*>(widget)) window->setAnimated(on);
  }
}

// There is no such file, and its folder is there; or a link leads to where it would be made.
bool mayBeMade(const QFileInfo& file) {
  struct stat info;
  if (stat(editor::pathBytes(file.filePath()).constData(), &info) == 0 || errno != ENOENT)
    return false;
  return editor::isThere(file.filePath()) || editor::isFolderAt(file.path());
}

}  // namespace

MainWindow::MainWindow(const AppPaths& paths, RuntimeService* runtime, WindowPlace place)
    : place_(std::move(place)) {
  keepTextsShown();
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(programIcon());
  setDockNestingEnabled(true);
  menuBar()->setAccessibleName(tr("Menus"));
  // The layout must not ask for all the room of what is open: it gives way once the window is
  // smaller.
  layout()->setSizeConstraint(QLayout::SetNoConstraint);
  setMinimumSize(kSmallest);
  parts_.runtime = runtime;
  makeParts(paths);
  addCommands(paths);
  addActivityBar(this, *parts_.commands);
  layOut();
  addPaneCommands(*parts_.commands, this,
                  {pages_, parts_.tabs, parts_.pairDock, parts_.waferDock, parts_.filesDock,
                   parts_.tree, parts_.problems, parts_.terminals, parts_.git->panel(),
                   parts_.notices, parts_.debug->panel()});
  addMenus(this, *parts_.commands, parts_.folders, parts_.workspace);
  ai_ = new AiSwitch({parts_.settings, parts_.commands, parts_.roster, parts_.pairDock,
                      parts_.runtime, parts_.waferDock, ofModels_},
                     this);
  new ChordWait(this, parts_.commands);
  connectParts();
  notify(parts_.commands->load());
  applySettings();
  showCurrent(nullptr);
  resizeWithin(this, kUsual);
  restoreLayout();
  ai_->hideDocks();
}

MainWindow::~MainWindow() {
  // The documents still speak to the recovery store and the completions as they go.
  // The keyboard's last ways are of no interest.
  contextWatch_.reset();
  keyboardHome_.reset();
  autoSaver_.reset();
  delete pages_;
}

QSize MainWindow::minimumSizeHint() const { return kSmallest; }

void MainWindow::start(const QStringList& targets) {
  // The model server is a process of its own: it gets ready while the files are opened here.
  if (parts_.runtime && ai_->isOn()) parts_.runtime->start();
  pairingModels_->start();
  if (place_.isFurther) return openLastTime(targets);
  startGuard_ = std::make_unique<StartGuard>(parts_.workspace->store()->directory());
  QTimer::singleShot(kStartTime, this, [this] { startGuard_->completed(); });
  if (startGuard_->lastStartCrashed()) return askAfterCrash(targets, crashNews_->take());
  crashNews_->look();
  openLastTime(targets);
}

// Until the user decides nothing is kept, lest this empty window take the place of what was open.
void MainWindow::askAfterCrash(const QStringList& targets, bool hasReport) {
  const QString what =
      tr("The program crashed while it was starting, so what was open is not opened by itself this "
         "time. All of it is kept, unsaved text too.");
  Banner& banner =
      parts_.notices->show(QStringLiteral("startCrashed"), Banner::Kind::kWarning,
                           hasReport ? what + u' ' + CrashNews::whereReportsAre() : what);
  banner.addButton(QStringLiteral("openLastTime"), tr("Open It Again"),
                   [this, targets] { openLastTime(targets); });
  if (hasReport)
    banner.addButton(QStringLiteral("showCrash"), tr("Show the &Report"), [this, targets] {
      crashNews_->showReports();
      askAfterCrash(targets, true);  // the question stays
    });
  connect(&banner, &Banner::dismissed, session_, &SessionKeeper::begin);
}

void MainWindow::startEmpty() {
  opensLast_ = false;
  start({});
}

void MainWindow::openLastTime(const QStringList& targets) {
  const auto isLater = std::make_shared<bool>(false);
  const auto isOpen = [this, isLater](const QStringList& news) {
    // The user may have gone to a panel while large files were read.
    const QWidget* keyboard = QApplication::focusWidget();
    const bool isElsewhere =
        *isLater && keyboard && keyboard->isVisible() && !parts_.tabs->isAncestorOf(keyboard);
    for (const QString& text : news) notify(text);
    parts_.terminals->begin();
    if (Document* document = parts_.tabs->current(); document && !isElsewhere) document->setFocus();
    session_->begin();
    Q_EMIT restored();
  };
  openTargets(targets, [this, isOpen] { parts_.recovery->recover(place_.recovers, isOpen); });
  *isLater = true;
}

void MainWindow::keepEverything() {
  parts_.recovery->keepAll();
  session_->store();
  parts_.pairDock->keepEverything();
}

void MainWindow::quit() {
  if (!isSignalConnected(QMetaMethod::fromSignal(&MainWindow::quitWanted))) {
    close();
    return;
  }
  Q_EMIT quitWanted();
}

QString MainWindow::recoveryDirectory(const AppPaths& paths, int number) {
  const QString first = paths.state + QStringLiteral("/recovery");
  return number == 0 ? first : first + QStringLiteral("-%1").arg(number);
}

// What was open comes before what was named; large files are read meanwhile.
void MainWindow::openTargets(const QStringList& targets, const std::function<void()>& then) {
  const QString last = parts_.workspace->store()->lastFolder();
  const bool opensLast = targets.isEmpty() && opensLast_;
  if (opensLast && editor::isFolderAt(last)) {
    parts_.workspace->open(last);
  } else if (opensLast && last.isEmpty()) {
    parts_.workspace->restoreSession();
  } else if (opensLast) {
    parts_.folders->openRecent(last);  // says that it is gone, once
    parts_.workspace->store()->setLastFolder({});
  }
  QList<FilePosition> files;
  QStringList paths;
  bool hasFolder = false;
  for (const QString& target : targets) {
    if (editor::isFolderAt(target)) {
      // Further ones are added to the first.
      if (std::exchange(hasFolder, true)) {
        parts_.folders->addNamed(target);
      } else {
        parts_.workspace->open(target);
      }
      continue;
    }
    files.append(parseFilePosition(target));
    paths.append(files.last().path);
  }
  parts_.workspace->whenRestored([this, files, paths, then] {
    parts_.tabs->readBeforehand(paths, [this, files, then, attention = Attention(parts_.tabs)] {
      const bool isSame = attention.isOnSameText(), isKept = attention.isKept();
      const QPointer<Document> front = parts_.tabs->current();
      for (const FilePosition& file : files) openPlace(file, isKept);
      if (!isSame && front) parts_.tabs->setCurrent(front);
      then();
    });
  });
}

Document* MainWindow::openPlace(const FilePosition& place, bool takesFocus) {
  const QFileInfo file(place.path);
  if (parts_.waferDock && editor::isFileAt(place.path) &&
      file.suffix() == QLatin1String("wptrace")) {
    openTrace({this, parts_.runtime->trace(), parts_.waferDock, parts_.waferStrip, parts_.notices},
              place.path);
    return nullptr;
  }
  Document* document = nullptr;
  if (!mayBeMade(file)) {
    document = parts_.tabs->openFile(place.path, takesFocus);
  } else if (document = parts_.tabs->documentAt(place.path); document) {
    parts_.tabs->setCurrent(document);
  } else {
    document = parts_.tabs->newDocument(file.fileName());
    document->moveTo(file.absoluteFilePath());
    if (takesFocus) document->setFocus();
  }
  if (document && place.position)
    document->editor()->goToLine(place.position->line - 1, place.position->column - 1);
  return document;
}

void MainWindow::showCurrent(Document* document) {
  pages_->setCurrentWidget(document ? static_cast<QWidget*>(parts_.tabs) : startPage_);
  statusLine_->setDocument(document);
  diagnosticStatus_->setDocument(document);
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

void MainWindow::tellLoadFailure(const QString& file, const QString& problem) {
  const QString id = QStringLiteral("loadFailed ") + file;
  if (problem.isEmpty()) return parts_.notices->remove(id);
  parts_.notices->show(id, Banner::Kind::kError, problem)
      .addButton(QStringLiteral("loadAgain"), tr("&Load Again"),
                 [this, file] { parts_.runtime->hosted()->load(file); })
      .addButton(QStringLiteral("chooseAnother"), tr("&Choose Another"),
                 [this] { parts_.modelPicker->open(); });
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
  const Look look = preferredLook(preferences);
  const bool isResized = Theme::instance().setSize(preferences.interfaceSize);
  if (isResized || Theme::instance().look() != look) Theme::instance().apply(look);
  if (std::exchange(reducesMotion_, preferences.reduceMotion) != preferences.reduceMotion)
    setMotion(!preferences.reduceMotion);
  if (std::exchange(keyMap_, preferences.keyMap) != preferences.keyMap)
    parts_.commands->setKeyMap(keyTable(keyMap_));
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
    saveFlow_->settle(
        p.tabs->documents(), [this] { parts_.recovery->discardAll(); },
        [this](bool settled) {
          asking_ = false;
          if (!settled) return Q_EMIT closeRefused();
          asking_ = true;
          parts_.terminals->settle([this](bool mayEnd) {
            asking_ = false;
            if (!mayEnd) return Q_EMIT closeRefused();
            parts_.debug->runner()->settle([this] {
              mayClose_ = true;
              // close() waits for the event loop: the box that asked is still closing.
              QTimer::singleShot(0, this, &QWidget::close);
            });
          });
        });
    return;
  }
  zen_->set(false);
  p.pairStrip->settle();
  if (p.waferStrip) p.waferStrip->settle();
  session_->end();
  p.languages->endAll();
  p.debug->runner()->endAll();
  p.terminals->remember();
  p.recovery->store()->flush();
  event->accept();
  Q_EMIT closed();
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::ActivationChange && isActiveWindow() && diskWatcher_) {
    if (parts_.runtime) parts_.runtime->documents()->askGateAgain();
    diskWatcher_->checkAll();
    parts_.git->refresh();
    if (editor::WatchLimit::instance().isMet()) parts_.tree->model()->refresh();
    startPage_->lookAgain();
    if (projectFeed_) projectFeed_->lookAgain();
  }
}

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  if (wasPainted_) return;
  wasPainted_ = true;
  // The signal is sent after this frame is on the screen.
  QTimer::singleShot(0, this, &MainWindow::painted);
}

}  // namespace waferpair::gui
