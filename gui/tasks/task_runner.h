// SPDX-License-Identifier: GPL-3.0-or-later
// A project's tasks, found, chosen and run in terminals: their output is read for problems, and
// what became of them is told. UI thread only; files are read by a thread.
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "gui/store/text_history.h"
#include "workbench/tasks/task.h"

class QDockWidget;

namespace waferpair::workbench {
class DiagnosticStore;
}

namespace waferpair::gui {

class BannerStack;
class EditorTabs;
class FileIndex;
class Picker;
class StartGate;
class TerminalPanel;
class TerminalView;
class Workspace;

class TaskRunner : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  struct Parts {
    EditorTabs* tabs;
    Workspace* workspace;
    FileIndex* index;
    Picker* picker;
    BannerStack* notices;
    StartGate* gate;
    TerminalPanel* terminals;
    QDockWidget* terminalDock;
    workbench::DiagnosticStore* found;
    std::function<void()> showProblems;
    QString ownFile;      // the user's tasks; need not be there
    QString historyFile;  // which tasks were run last
  };
  TaskRunner(Parts parts, QObject* parent);

  // What has become of a task that was run.
  struct Run {
    workbench::Task task;
    QString project;  // that was open
    QPointer<TerminalView> view;
    QElapsedTimer clock;
    std::optional<int> status;  // none: it runs; -1: it was ended, or could not be started
    qint64 took = 0;            // ms, once it has ended
    int errors = 0;             // that its output names
    int begun = 0;              // how often
    std::function<void(int status)> then;  // is told once how it ended
  };
  // Null: none was run here. The one begun last.
  const Run* last() const { return runs_.empty() ? nullptr : runs_.back().get(); }
  // How many run.
  int running() const;

  // Has the user choose one, those run last first.
  void choose();
  // Runs the task of this kind: the one run last, else the only one there is; of several the user
  // chooses.
  void runKind(workbench::TaskKind kind);
  // The one run last again.
  void again();
  // Once the user has agreed to it.
  void run(const workbench::Task& task);
  // Finds the task of this name (or "source: name"); nothing: there is none.
  void findNamed(const QString& folder, const QString& name,
                 const std::function<void(const std::optional<workbench::Task>&)>& found);
  // Runs one that the user has agreed to, and tells how it ended.
  void runAgreed(const workbench::Task& task, const std::function<void(int status)>& then);
  // Ends those that run; of several the user chooses.
  void stop();
  // Shows the terminal of the last one.
  void show();
  // Opens the project's own file of tasks, made where it is not there.
  void edit();

 Q_SIGNALS:
  // Of what runs, or how it ended.
  void changed();

 private:
  void find(const QString& folder, const std::function<void(const workbench::Tasks&)>& found);
  void showOffer(const QString& name, QVector<workbench::Task> tasks, const QStringList& problems);
  void sortByUse(QVector<workbench::Task>* tasks) const;
  void begin(const workbench::Task& task);
  void saveOpenFiles();
  void follow(const std::shared_ptr<Run>& run);
  void readOutput(const std::shared_ptr<Run>& run);
  void ended(const std::shared_ptr<Run>& run);
  static void tellThen(Run* run);
  void tell(const Run& run);
  static QString titleOf(const workbench::Task& task);

  Parts parts_;
  TextHistory history_;  // ids of tasks
  std::vector<std::shared_ptr<Run>> runs_;
};

}  // namespace waferpair::gui
