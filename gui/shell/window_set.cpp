// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/window_set.h"

#include <QApplication>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "gui/client/runtime_host.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/recovery_keeper.h"
#include "gui/model/runtime_memory.h"
#include "gui/project/workspace.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/main_window.h"
#include "gui/store/session_store.h"

namespace waferpair::gui {
namespace {

constexpr QPoint kCascade(32, 32);
// The place of the tab that was let go, in the window that it gets.
constexpr QPoint kTabInWindow(200, 60);

}  // namespace

WindowSet::WindowSet(const AppPaths& paths, std::shared_ptr<RuntimeHost> host, Made made)
    : paths_(paths), host_(std::move(host)), made_(std::move(made)) {}

WindowSet::~WindowSet() {
  for (const Entry& entry : std::exchange(entries_, {})) {
    entry.window->disconnect(this);
    delete entry.companion;
    delete entry.window;
    delete entry.runtime;
  }
}

// -- Opening

MainWindow* WindowSet::makeFirst(bool restores) {
  QList<int> numbers = restores ? SessionStore(paths_.state).openWindows() : QList<int>();
  if (numbers.isEmpty()) numbers.append(0);
  // What was left unsaved in windows that do not come back is the first one's.
  QStringList recovers;
  const QStringList all =
      QDir(paths_.state)
          .entryList({QStringLiteral("recovery*")}, QDir::Dirs | QDir::NoDotAndDotDot);
  for (const QString& name : all) {
    const QString directory = paths_.state + u'/' + name;
    const bool isTheirs = std::any_of(numbers.cbegin(), numbers.cend(), [&](int number) {
      return directory == MainWindow::recoveryDirectory(paths_, number);
    });
    if (!isTheirs) recovers.append(directory);
  }
  const int number = numbers.takeFirst();
  pending_ = numbers;
  MainWindow* first = make(number, false, recovers);
  connect(first, &MainWindow::restored, this, [this] {
    for (const int further : std::exchange(pending_, {})) openNumber(further, {}, true);
  });
  return first;
}

MainWindow* WindowSet::open(const QStringList& targets) {
  return openNumber(freeNumber(), targets, false);
}

MainWindow* WindowSet::openNumber(int number, const QStringList& targets, bool restores) {
  const MainWindow* before = active();
  MainWindow* window = make(number, true, {});
  if (before && !restores) {
    window->restoreState(before->saveState());
    window->setGeometry(before->geometry().translated(kCascade));
  }
  connect(window, &MainWindow::painted, window, [window, targets, restores] {
    if (targets.isEmpty() && !restores) return window->startEmpty();
    window->start(targets);
  });
  window->show();
  if (!restores) raise(window);
  return window;
}

MainWindow* WindowSet::make(int number, bool isFurther, const QStringList& recovers) {
  Entry entry;
  if (host_) entry.runtime = new RuntimeService(host_, rememberedShadow(paths_));
  entry.window = new MainWindow(paths_, entry.runtime, {number, isFurther, recovers});
  if (made_) entry.companion = made_(entry.window);
  entries_.append(entry);
  wire(entry.window);
  remember();
  return entry.window;
}

void WindowSet::wire(MainWindow* window) {
  window->installEventFilter(this);
  connect(window, &MainWindow::closed, this, [this, window] { onClosed(window); });
  connect(window, &MainWindow::closeRefused, this, [this] {
    quitting_ = false;
    remember();
  });
  connect(window, &MainWindow::windowWanted, this, &WindowSet::open);
  connect(window, &MainWindow::windowWantedFor, this,
          [this, window](Document* document) { moveToNew(document, window); });
  connect(window, &MainWindow::nextWindowWantedFor, this,
          [this, window](Document* document) { moveToNext(document, window); });
  connect(window, &MainWindow::nextWindowWanted, this, [this, window] { raise(next(window)); });
  connect(window, &MainWindow::quitWanted, this, &WindowSet::quit);
  EditorTabs* tabs = window->parts().tabs;
  tabs->setTabsAt([this](const QPoint& global) {
    MainWindow* at = windowAt(global);
    return at ? at->parts().tabs : nullptr;
  });
  connect(tabs, &EditorTabs::windowWanted, this,
          [this, window](Document* document, const QPoint& global) {
            moveToNew(document, window, global);
          });
  window->parts().folders->setIsElsewhere([this, window](const QString& folder) {
    const QString path = QFileInfo(folder).canonicalFilePath();
    const QList<MainWindow*> all = windows();
    return std::any_of(all.cbegin(), all.cend(), [&](const MainWindow* other) {
      return other != window && other->parts().workspace->folders().contains(path);
    });
  });
  window->parts().folders->setShowElsewhere([this, window](const QString& folder) {
    const QString path = QFileInfo(folder).canonicalFilePath();
    for (MainWindow* other : windows()) {
      if (other == window || !other->parts().workspace->folders().contains(path)) continue;
      raise(other);
      return true;
    }
    return false;
  });
}

// -- Tabs that go from one to another

void WindowSet::moveToNew(Document* document, MainWindow* from, std::optional<QPoint> at) {
  MainWindow* window = open();
  // Where it lies is decided before it is seen.
  if (at) window->move(*at - kTabInWindow);
  window->parts().tabs->takeOver(document, from->parts().tabs);
}

void WindowSet::moveToNext(Document* document, MainWindow* from) {
  MainWindow* to = next(from);
  if (to == from) return moveToNew(document, from);
  if (to->parts().tabs->takeOver(document, from->parts().tabs)) raise(to);
}

MainWindow* WindowSet::windowAt(const QPoint& global) const {
  const QWidget* top = QApplication::topLevelAt(global);
  for (const Entry& entry : entries_)
    if (entry.window == top) return entry.window;
  // A tool tip or the like lies over it.
  for (const Entry& entry : entries_)
    if (top && entry.window->isVisible() && entry.window->geometry().contains(global))
      return entry.window;
  return nullptr;
}

// -- Which there are

QList<MainWindow*> WindowSet::windows() const {
  QList<MainWindow*> windows;
  for (const Entry& entry : entries_) windows.append(entry.window);
  return windows;
}

MainWindow* WindowSet::active() const {
  if (active_) return active_;
  return entries_.isEmpty() ? nullptr : entries_.first().window;
}

RuntimeService* WindowSet::runtimeOf(const MainWindow* window) const {
  for (const Entry& entry : entries_)
    if (entry.window == window) return entry.runtime;
  return nullptr;
}

MainWindow* WindowSet::next(const MainWindow* window) const {
  const QList<MainWindow*> all = windows();
  return all[(all.indexOf(window) + 1) % all.size()];
}

int WindowSet::freeNumber() const {
  int number = 0;
  const auto isTaken = [this](int wanted) {
    return pending_.contains(wanted) ||
           std::any_of(entries_.cbegin(), entries_.cend(),
                       [wanted](const Entry& entry) { return entry.window->number() == wanted; });
  };
  while (isTaken(number)) ++number;
  return number;
}

void WindowSet::raise(MainWindow* window) {
  if (window->isMinimized()) window->showNormal();
  window->raise();
  window->activateWindow();
}

bool WindowSet::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::WindowActivate) {
    for (const Entry& entry : entries_) {
      if (entry.window != watched || active_ == entry.window) continue;
      active_ = entry.window;
      Q_EMIT activeChanged(active_);
    }
  }
  return QObject::eventFilter(watched, event);
}

void WindowSet::remember() const {
  if (quitting_) return;
  QList<int> numbers = pending_;
  for (const Entry& entry : entries_) numbers.append(entry.window->number());
  // What cannot be written is told of by the session of each window, which lies in the same folder.
  if (!numbers.isEmpty()) SessionStore(paths_.state).setOpenWindows(numbers);
}

// -- The end

void WindowSet::onClosed(MainWindow* window) {
  const bool isLast = entries_.size() == 1;
  if (isLast) return;  // the program ends, and the window with it
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [window](const Entry& entry) { return entry.window == window; });
  if (at == entries_.end()) return;
  if (RuntimeService* runtime = at->runtime)
    connect(window, &QObject::destroyed, runtime, &QObject::deleteLater);
  if (at->companion) at->companion->deleteLater();
  entries_.erase(at);
  if (active_ == window || !active_) {
    active_ = entries_.last().window;
    Q_EMIT activeChanged(active_);
  }
  window->deleteLater();
  remember();
  if (quitting_) entries_.last().window->close();
}

void WindowSet::keepEverything() {
  for (const Entry& entry : entries_) entry.window->keepEverything();
}

void WindowSet::quit() {
  if (entries_.isEmpty()) return;
  remember();
  quitting_ = true;
  active()->close();
}

}  // namespace waferpair::gui
