// SPDX-License-Identifier: GPL-3.0-or-later
// The window: puts the parts together and ends the program in good order. What it can do is in
// window_commands.h, where it shows that in window_menus.h.
#pragma once

#include <QMainWindow>
#include <memory>

#include "gui/shell/window_parts.h"
#include "gui/store/app_paths.h"
#include "gui/store/file_position.h"

class QStackedWidget;

namespace waferpair::gui {

class DiskWatcher;
class Document;
class ProjectFeed;
class StartGuard;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  // `runtime` may be null: no suggestions and no wafer view then. It is not owned and outlives the
  // window.
  MainWindow(const AppPaths& paths, RuntimeService* runtime);
  ~MainWindow() override;

  // What takes its time: opens `targets` (folders, FILE:LINE:COL) or, without any, what was open
  // last, then what a crash left unsaved; after a crash during the start it asks first. Call when
  // the window can be seen.
  void start(const QStringList& targets);

  // Puts every unsaved text and what is open on disk, for an end that nobody can be asked about.
  // May be called when the display is gone.
  void keepEverything();

  const WindowParts& parts() const { return parts_; }

  // Whatever is open: parts give way before anything is cut.
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  // Once: the window has been painted for the first time.
  void painted();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void makeParts(const AppPaths& paths);
  void layOut();
  void layOutDocks();
  void layOutStatusBar();
  void connectParts();
  void openLastTime(const QStringList& targets);
  void openTargets(const QStringList& targets);
  void showCurrent(Document* document);
  void showTitle();
  void notify(const QString& problem);
  void applySettings();
  void restoreLayout();

  WindowParts parts_;
  DiskWatcher* diskWatcher_ = nullptr;
  ProjectFeed* projectFeed_ = nullptr;  // null without a runtime
  QStackedWidget* pages_ = nullptr;
  StartPage* startPage_ = nullptr;
  std::unique_ptr<StartGuard> startGuard_;
  bool wasPainted_ = false;
  bool asking_ = false;    // about unsaved texts, before closing
  bool mayClose_ = false;  // they have been dealt with
  int notices_ = 0;
};

}  // namespace waferpair::gui
