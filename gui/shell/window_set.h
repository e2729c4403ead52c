// SPDX-License-Identifier: GPL-3.0-or-later
// The windows of the program. All are in one process and share one model server, each over a
// session of its own: a model is in memory once, whichever window closes first, and a tab goes from
// one to another with its undo history. A crash ends them all; what was unsaved and what was open
// is on disk by then. The numbers of the windows that are open are kept, and those come back at the
// next start, each with its own place, folder and texts.
//
// UI thread only.
#pragma once

#include <QList>
#include <QObject>
#include <QPoint>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>

#include "gui/store/app_paths.h"

namespace waferpair::gui {

class Document;
class EditorTabs;
class MainWindow;
class RuntimeHost;
class RuntimeService;

class WindowSet : public QObject {
  Q_OBJECT
 public:
  // Is told of each window before it is shown. What it returns, if anything, goes with the window,
  // right before it.
  using Made = std::function<QObject*(MainWindow*)>;
  // Without `host` there are no suggestions.
  WindowSet(const AppPaths& paths, std::shared_ptr<RuntimeHost> host, Made made = {});
  ~WindowSet() override;

  // Makes the first window, which the caller shows and starts. With `restores` the further ones
  // that were open last come as soon as it has what it had.
  MainWindow* makeFirst(bool restores);
  // Opens a further window with these files and folders in it; without any it is empty.
  MainWindow* open(const QStringList& targets = {});
  // Moves the text to a window of its own, at that place of the screen if there is one.
  void moveToNew(Document* document, MainWindow* from, std::optional<QPoint> at = {});

  // In the order in which they were made.
  QList<MainWindow*> windows() const;
  // The one that had the keyboard last; null once all are closed.
  MainWindow* active() const;
  // Null without a model.
  RuntimeService* runtimeOf(const MainWindow* window) const;
  // Brings it to the front.
  static void raise(MainWindow* window);

  void keepEverything();
  // Closes all, each asking about what is unsaved; as soon as one stays, those that are left stay.
  void quit();

 Q_SIGNALS:
  void activeChanged(waferpair::gui::MainWindow* window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Entry {
    MainWindow* window = nullptr;
    RuntimeService* runtime = nullptr;
    QObject* companion = nullptr;  // as Made returned it
  };

  MainWindow* make(int number, bool isFurther, const QStringList& recovers);
  void wire(MainWindow* window);
  MainWindow* openNumber(int number, const QStringList& targets, bool restores);
  void onClosed(MainWindow* window);
  void moveToNext(Document* document, MainWindow* from);
  MainWindow* next(const MainWindow* window) const;
  MainWindow* windowAt(const QPoint& global) const;
  int freeNumber() const;
  void remember() const;

  AppPaths paths_;
  std::shared_ptr<RuntimeHost> host_;
  Made made_;
  QList<Entry> entries_;
  QList<int> pending_;  // numbers of windows that were open and come back in a moment
  MainWindow* active_ = nullptr;
  bool quitting_ = false;  // those that are closed come back at the next start
};

}  // namespace waferpair::gui
