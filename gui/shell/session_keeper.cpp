// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/session_keeper.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QScrollBar>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/file_bookmarks.h"
#include "gui/project/workspace.h"

namespace waferpair::gui {
namespace {

// Tabs, the folder and the layout change seldom; carets and views with every key.
constexpr int kSoonMs = 250;
constexpr int kAtLeisureMs = 2000;

}  // namespace

SessionKeeper::SessionKeeper(EditorTabs* tabs, Workspace* workspace, QMainWindow* window)
    : QObject(window), tabs_(tabs), workspace_(workspace), window_(window) {
  thread_.setMaxThreadCount(1);
  thread_.setExpiryTimeout(5000);
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &SessionKeeper::write);
  const auto soon = [this] { storeWithin(kSoonMs); };
  connect(tabs_, &EditorTabs::opened, this, [this](Document* document) { track(document); });
  connect(tabs_, &EditorTabs::opened, this, soon);
  connect(tabs_, &EditorTabs::closed, this, soon);
  connect(tabs_, &EditorTabs::currentChanged, this, soon);
  connect(tabs_, &EditorTabs::moved, this, soon);
  connect(workspace_, &Workspace::folderChanged, this, soon);
  connect(workspace_, &Workspace::foldersChanged, this, soon);
  connect(workspace_, &Workspace::keptChanged, this, soon);
  connect(tabs_->bookmarks(), &FileBookmarks::changed, this, soon);

  window_->installEventFilter(this);
  const auto docks = window_->findChildren<QDockWidget*>();
  for (QDockWidget* dock : docks) {
    dock->installEventFilter(this);
    connect(dock, &QDockWidget::dockLocationChanged, this, &SessionKeeper::layoutChanged);
    connect(dock, &QDockWidget::topLevelChanged, this, &SessionKeeper::layoutChanged);
  }
}

SessionKeeper::~SessionKeeper() { thread_.waitForDone(); }

void SessionKeeper::track(Document* document) {
  // Its path, among others.
  connect(document, &Document::titleChanged, this, [this] { storeWithin(kSoonMs); });
  const auto atLeisure = [this] { storeWithin(kAtLeisureMs); };
  connect(document->editor(), &editor::CodeEditor::cursorMoved, this, atLeisure);
  connect(document->editor(), &editor::CodeEditor::foldsChanged, this, atLeisure);
  connect(document->editor()->verticalScrollBar(), &QScrollBar::valueChanged, this, atLeisure);
}

bool SessionKeeper::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::WindowStateChange:
    case QEvent::ShowToParent:
    case QEvent::HideToParent:
      layoutChanged();
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

WindowLayout SessionKeeper::layoutNow() const {
  return {window_->saveGeometry(), window_->saveState()};
}

void SessionKeeper::holdLayout(bool hold) {
  held_.reset();
  if (hold) held_ = layoutNow();
  layoutChanged();
}

void SessionKeeper::layoutChanged() {
  layoutDirty_ = true;
  storeWithin(kSoonMs);
}

void SessionKeeper::storeWithin(int ms) {
  if (!keeping_) return;
  // Changes do not restart the timer: what goes on changing is kept, too.
  if (!timer_.isActive() || timer_.remainingTime() > ms) timer_.start(ms);
}

void SessionKeeper::begin() {
  keeping_ = true;
  storeWithin(kSoonMs);
}

void SessionKeeper::store() {
  if (!keeping_) return;
  write();
  thread_.waitForDone();
}

void SessionKeeper::end() {
  store();
  keeping_ = false;
  timer_.stop();
}

void SessionKeeper::write() {
  timer_.stop();
  // A part of what was open must not take the place of the whole; the rest tells when it is there.
  std::optional<Session> session;
  if (!workspace_->isRestoring()) session = workspace_->session();
  std::optional<WindowLayout> layout;
  if (std::exchange(layoutDirty_, false)) layout = held_ ? *held_ : layoutNow();
  if ((!session || session == written_) && !layout) return;
  if (session) written_ = session;
  // The store knows no more than where its files are: any thread may write.
  thread_.start([this, session, layout, store = *workspace_->store()] {
    QString wrong = session ? store.save(*session) : QString();
    if (wrong.isEmpty() && layout) wrong = store.saveLayout(*layout);
    if (wrong.isEmpty()) return;
    QMetaObject::invokeMethod(this, [this, wrong] {
      written_.reset();  // the next change tries again
      layoutDirty_ = true;
      Q_EMIT problem(wrong);
    });
  });
}

}  // namespace waferpair::gui
