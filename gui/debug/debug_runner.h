// SPDX-License-Identifier: GPL-3.0-or-later
// What is debugged in a window: on the user's word a session is begun, after the task that builds
// the program and with the adapter that is found for it. One session at a time. UI thread only;
// adapters are looked for by a thread.
#pragma once

#include <QPointer>

#include "gui/debug/debug_memory.h"
#include "gui/debug/debug_parts.h"
#include "workbench/debug/debug_session.h"
#include "workbench/tasks/task.h"

namespace waferpair::gui {

class TerminalView;

class DebugRunner : public QObject {
  Q_OBJECT
 public:
  DebugRunner(const DebugParts& parts, QObject* parent);
  ~DebugRunner() override;

  // Begins to debug it; what is wrong is said in a notice. Where something is debugged already the
  // user is asked whether that is to end.
  void debug(const workbench::DebugLaunch& launch);
  // What was debugged last, anew.
  void restart();
  void stop();
  // Ends what is debugged, so that a process that was attached to goes on as it was, and then
  // calls `done`; at once where nothing is.
  void settle(const std::function<void()>& done);
  // The window goes: nothing is begun or said any more.
  void endAll();

  // Null: none. One that is over stays until the next begins.
  workbench::DebugSession* session() const { return session_; }
  // Something is debugged, or about to be.
  bool isBusy() const;
  bool isStopped() const { return session_ && session_->isStopped(); }
  // Of this project; of no name: nothing was.
  const workbench::DebugLaunch& last() const { return kept_.last; }
  workbench::Breakpoints* breakpoints() { return &breakpoints_; }
  const workbench::DebugAdapters& adapters() const { return adapters_; }
  const QStringList& watches() const { return kept_.watches; }
  void setWatches(const QStringList& expressions);
  void setExceptions(const QStringList& filters);
  // Where the text in front and the project are.
  workbench::DebugPlace placeFor(const workbench::DebugLaunch& launch) const;
  // The open folder whose trust counts for it; empty: none is open.
  QString projectOf(const workbench::DebugLaunch& launch) const;
  void say(const QString& text, bool isError);

 Q_SIGNALS:
  // Another session, or none.
  void sessionChanged();
  // Of the session.
  void stateChanged();
  void watchesChanged();
  // A process is to be chosen for it: debug() it with one.
  void processWanted(const waferpair::workbench::DebugLaunch& launch);

 private:
  void setFolder(const QString& folder);
  void keepSoon();
  void keep();
  // What is to be debugged: as debug() was told, that with its variables replaced, and the task
  // that is run first.
  struct Wish {
    workbench::DebugLaunch launch;
    workbench::DebugLaunch ready;
    std::optional<workbench::Task> task;
    QString folder = {};  // that gives it; empty: none does
  };
  void askFor(Wish wish);
  void askForTask(const Wish& wish);
  void take(const Wish& wish);
  void build(const Wish& wish);
  void find(const workbench::DebugLaunch& ready);
  void begin(const workbench::DebugLaunch& ready, const workbench::FoundAdapter& adapter);
  void showState();
  void showEnd();
  void runInTerminal(qint64 request, const programs::ProgramCommand& command, const QString& folder,
                     const QString& title);

  DebugParts p_;
  DebugMemory memory_;
  workbench::DebugAdapters adapters_;
  workbench::Breakpoints breakpoints_;
  QString folder_;
  DebugKept kept_;
  workbench::DebugLaunch started_;  // as debug() was told
  QString startedIn_;               // the folder that gives it
  QPointer<workbench::DebugSession> session_;
  QPointer<TerminalView> terminal_;
  QTimer keepSoon_{this};
  int starting_ = 0;  // grows with each start: what comes of an earlier one is dropped
  bool isStarting_ = false;
  bool again_ = false;  // once what runs has ended
  bool ended_ = false;
};

}  // namespace waferpair::gui
