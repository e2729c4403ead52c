// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/tasks/task_runner.h"

#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QThreadPool>
#include <algorithm>
#include <chrono>

#include "editor/text/save_file.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/kit/start_gate.h"
#include "gui/project/file_index.h"
#include "gui/project/workspace.h"
#include "gui/tasks/task_problems.h"
#include "gui/terminal/terminal_outputs.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "workbench/language/diagnostic_store.h"
#include "workbench/tasks/find_tasks.h"
#include "workbench/tasks/shell_line.h"
#include "workbench/tasks/tasks_file.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {

using workbench::Task;
using workbench::TaskKind;
using workbench::Tasks;
using workbench::TerminalSession;

namespace {

// While a task writes, its output is read at most this often.
constexpr std::chrono::milliseconds kReadOutputEvery(1500);
// Whoever waits longer looks at something else meanwhile.
constexpr qint64 kLongRun = 10'000;  // ms
constexpr qsizetype kMostRuns = 50;  // that are remembered

QString reporterOf(const Task& task) { return QStringLiteral("task\n") + task.id(); }

QString seconds(qint64 ms) {
  return TaskRunner::tr("%n second(s)", nullptr, static_cast<int>((ms + 500) / 1000));
}

}  // namespace

TaskRunner::TaskRunner(Parts parts, QObject* parent)
    : QObject(parent), parts_(std::move(parts)), history_(parts_.historyFile) {
  connect(parts_.workspace, &Workspace::foldersChanged, this, [this](const QStringList& folders) {
    for (const auto& run : runs_)
      if (!folders.contains(run->project)) parts_.found->retract(reporterOf(run->task));
  });
  parts_.gate->addRunning(this, [this] {
    QVector<RunningStart> running;
    for (const auto& run : runs_)
      if (!run->status && run->view)
        running.append({{run->project, programs::GivenStart::Kind::kTask, run->task.name, {}, {}},
                        [view = run->view] {
                          if (view) view->session()->hangUp();
                        }});
    return running;
  });
}

int TaskRunner::running() const {
  return static_cast<int>(
      std::count_if(runs_.begin(), runs_.end(), [](const auto& run) { return !run->status; }));
}

// -- Finding and choosing

void TaskRunner::find(const QString& folder, const std::function<void(const Tasks&)>& found) {
  if (folder.isEmpty()) return;
  QThreadPool::globalInstance()->start(
      [self = QPointer<TaskRunner>(this), folder, own = parts_.ownFile, found] {
        const Tasks tasks = workbench::findTasks(folder, own);
        // The window may be gone by then.
        QMetaObject::invokeMethod(qApp, [self, folder, tasks, found] {
          if (self && self->parts_.workspace->folders().contains(folder)) found(tasks);
        });
      });
}

void TaskRunner::sortByUse(QVector<Task>* tasks) const {
  const QStringList& used = history_.entries();
  const auto rank = [&used](const Task& task) {
    const qsizetype at = used.indexOf(task.id());
    return at < 0 ? used.size() : at;
  };
  std::stable_sort(tasks->begin(), tasks->end(),
                   [&](const Task& a, const Task& b) { return rank(a) < rank(b); });
}

QString TaskRunner::titleOf(const Task& task) {
  return task.source == QLatin1String(workbench::kProjectTasks) || task.source.contains(u'/')
             ? task.name
             : task.source + QStringLiteral(": ") + task.name;
}

void TaskRunner::choose() {
  find(parts_.workspace->frontFolder(),
       [this](const Tasks& found) { showOffer(tr("Tasks"), found.tasks, found.problems); });
}

void TaskRunner::showOffer(const QString& name, QVector<Task> tasks, const QStringList& problems) {
  sortByUse(&tasks);
  const QString folder = tasks.isEmpty() ? parts_.workspace->frontFolder() : tasks.first().project;
  QList<PickerItem> items;
  for (qsizetype i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    QString hint = workbench::shownLine(task.command);
    if (task.folder != folder) hint += tr(" in %1").arg(QDir(folder).relativeFilePath(task.folder));
    items.append({.text = titleOf(task), .hint = hint, .data = i});
  }
  parts_.picker->open(name, tr("Run a task"), items,
                      [this, tasks](const QVariant& chosen) { run(tasks[chosen.toLongLong()]); });
  QStringList notes = problems;
  if (tasks.isEmpty()) notes.append(tr("No tasks were found in this project's files."));
  if (!notes.isEmpty())
    parts_.picker->setNote(notes.join(u' '), tr("&Write Tasks…"), [this] { edit(); });
}

void TaskRunner::runKind(TaskKind kind) {
  find(parts_.workspace->frontFolder(), [this, kind](const Tasks& found) {
    QVector<Task> fitting;
    for (const Task& task : found.tasks)
      if (task.kind == kind) fitting.append(task);
    sortByUse(&fitting);
    const bool wasRun = !fitting.isEmpty() && history_.entries().contains(fitting.first().id());
    if (wasRun || fitting.size() == 1) return run(fitting.first());
    const QString name = kind == TaskKind::kBuild  ? tr("Tasks that build")
                         : kind == TaskKind::kTest ? tr("Tasks that test")
                                                   : tr("Tasks that run the project");
    showOffer(name, fitting.isEmpty() ? found.tasks : fitting, found.problems);
  });
}

void TaskRunner::again() {
  if (!runs_.empty()) return run(runs_.back()->task);
  // Of an earlier run of the program.
  find(parts_.workspace->frontFolder(), [this](const Tasks& found) {
    for (const QString& id : history_.entries())
      for (const Task& task : found.tasks)
        if (task.id() == id) return run(task);
    showOffer(tr("Tasks"), found.tasks, found.problems);
  });
}

// -- Running

void TaskRunner::saveOpenFiles() {
  for (Document* document : parts_.tabs->documents()) document->saveByItself();
}

void TaskRunner::run(const Task& task) {
  parts_.gate->start(workbench::startOf(task, task.project), [this, task] { begin(task); },
                     {.id = QStringLiteral("taskAgree"),
                      .yesName = QStringLiteral("taskAgreed"),
                      .yes = tr("&Run It"),
                      .noName = QStringLiteral("taskDeclined")});
}

void TaskRunner::begin(const Task& task) {
  const Document* front = parts_.tabs->current();
  if (asksForFile(task) && (!front || front->path().isEmpty())) {
    parts_.notices->show(QStringLiteral("task"), Banner::Kind::kWarning,
                         tr("“%1” is about the file in front, and none is open.").arg(task.name));
    return;
  }
  const Task ready =
      expanded(task, {task.project, front ? front->path() : QString(),
                      front ? front->editor()->lineAt(front->editor()->caret()) + 1 : 0});
  if (!QFileInfo(ready.folder).isDir()) {
    parts_.notices->show(QStringLiteral("task"), Banner::Kind::kError,
                         tr("“%1” is to run in %2, which is no folder. Correct it in the file of "
                            "tasks, or make the folder.")
                             .arg(task.name, QDir::toNativeSeparators(ready.folder)));
    return;
  }
  for (const auto& each : runs_) {
    if (each->task.id() != task.id() || each->status) continue;
    // It runs already: two of one kind would be in each other's way.
    show();
    parts_.notices
        ->show(QStringLiteral("task"), Banner::Kind::kInfo, tr("“%1” still runs.").arg(task.name))
        .addButton(QStringLiteral("taskRestart"), tr("&Start It Again"),
                   [this, task, each = std::weak_ptr(each)] {
                     const std::shared_ptr<Run> old = each.lock();
                     if (old && old->view) old->view->session()->start();
                   })
        .addButton(QStringLiteral("taskKeep"), tr("&Let It Run"), [] {});
    return;
  }
  saveOpenFiles();
  parts_.notices->remove(QStringLiteral("task"));
  history_.add(task.id());
  std::erase_if(runs_, [&](const auto& each) { return each->task.id() == task.id(); });
  if (runs_.size() >= kMostRuns) runs_.erase(runs_.begin());
  auto run = std::make_shared<Run>();
  run->task = task;
  run->project = task.project;
  runs_.push_back(run);
  parts_.terminalDock->show();
  parts_.terminalDock->raise();
  run->view = parts_.terminals->run({titleOf(task), ready.command, false}, ready.folder);
  follow(run);
}

void TaskRunner::follow(const std::shared_ptr<Run>& run) {
  TerminalView* view = run->view;
  TerminalSession* session = view->session();
  auto* soon = new QTimer(view);
  soon->setSingleShot(true);
  soon->setInterval(kReadOutputEvery);
  connect(soon, &QTimer::timeout, this, [this, run] { readOutput(run); });
  connect(session, &TerminalSession::changed, soon, [run, soon] {
    if (!run->status && !soon->isActive()) soon->start();
  });
  const auto begin = [this, run] {
    run->status.reset();
    run->errors = 0;
    ++run->begun;
    run->clock.start();
    parts_.found->retract(reporterOf(run->task));
    Q_EMIT changed();
  };
  connect(session, &TerminalSession::runningChanged, this, [this, run, session, begin] {
    if (session->isRunning()) return begin();
    if (!run->status) {
      run->status = session->status().value_or(-1);
      ended(run);
    }
  });
  // Its tab was closed.
  connect(view, &QObject::destroyed, this, [this, run] {
    if (run->status) return;
    run->status = -1;
    run->took = run->clock.elapsed();
    tellThen(run.get());
    Q_EMIT changed();
  });
  begin();
  // What cannot be started has ended by now.
  if (session->status()) {
    run->status = session->status();
    ended(run);
  }
}

void TaskRunner::ended(const std::shared_ptr<Run>& run) {
  run->took = run->clock.elapsed();
  readOutput(run);
  tellThen(run.get());
  Q_EMIT changed();
  if (run->took >= kLongRun) tell(*run);
}

void TaskRunner::tellThen(Run* run) {
  if (const auto then = std::exchange(run->then, {})) then(*run->status);
}

void TaskRunner::findNamed(const QString& folder, const QString& name,
                           const std::function<void(const std::optional<Task>&)>& tell) {
  if (folder.isEmpty()) return tell({});
  find(folder, [name, tell](const Tasks& found) {
    for (const Task& each : found.tasks)
      if (each.name == name || titleOf(each) == name ||
          each.source + QStringLiteral(": ") + each.name == name)
        return tell(each);
    tell({});
  });
}

void TaskRunner::runAgreed(const Task& task, const std::function<void(int status)>& then) {
  begin(task);
  // One that could not be run at all has no such run.
  const auto begun = std::find_if(runs_.begin(), runs_.end(),
                                  [&](const auto& each) { return each->task.id() == task.id(); });
  if (begun == runs_.end()) return then(-1);
  if ((*begun)->status) return then(*(*begun)->status);
  (*begun)->then = then;
}

// The output is taken here, and read by a thread: it may be long.
void TaskRunner::readOutput(const std::shared_ptr<Run>& run) {
  if (!run->view) return;
  const QString output = wholeOutput(*run->view);
  const QString folder = run->project;
  QThreadPool::globalInstance()->start([self = QPointer<TaskRunner>(this), run, output, folder,
                                        files = parts_.index->filesOf(folder), begun = run->begun] {
    const auto problems = taskProblems(output, run->task, folder, files);
    QMetaObject::invokeMethod(qApp, [self, run, problems, folder, begun] {
      // Of an earlier run, or another project, they are of no use.
      if (!self || !self->parts_.workspace->folders().contains(folder) || begun != run->begun)
        return;
      int errors = 0;
      for (auto file = problems.begin(); file != problems.end(); ++file) {
        self->parts_.found->reportAsTold(reporterOf(run->task), file.key(), file.value(),
                                         workbench::ColumnUnit::kUtf8);
        errors += static_cast<int>(std::count_if(
            file.value().begin(), file.value().end(),
            [](const auto& one) { return one.severity == workbench::Severity::kError; }));
      }
      if (std::exchange(run->errors, errors) != errors) Q_EMIT self->changed();
    });
  });
}

// Of a task that took long, while the user may have been elsewhere.
void TaskRunner::tell(const Run& run) {
  const bool isFine = run.status == 0;
  const QString& name = run.task.name;
  const QString took = seconds(run.took);
  const QString text = isFine            ? tr("“%1” is done, after %2.").arg(name, took)
                       : *run.status > 0 ? tr("“%1” has failed with status %2, after %3.")
                                               .arg(name, QString::number(*run.status), took)
                                         : tr("“%1” was ended after %2.").arg(name, took);
  Banner& banner = parts_.notices->show(
      QStringLiteral("task"), isFine ? Banner::Kind::kInfo : Banner::Kind::kWarning, text);
  banner.addButton(QStringLiteral("taskOutput"), tr("Show &Output"), [this] { show(); });
  if (!isFine)
    banner.addButton(QStringLiteral("taskProblems"), tr("Show &Problems"), parts_.showProblems);
  if (QWidget* window = parts_.notices->window(); !window->isActiveWindow())
    QApplication::alert(window);
}

void TaskRunner::stop() {
  std::vector<std::shared_ptr<Run>> all;
  for (const auto& run : runs_)
    if (!run->status && run->view) all.push_back(run);
  const auto end = [](const Run& run) {
    if (run.view) run.view->session()->hangUp();
  };
  if (all.size() == 1) return end(*all.front());
  if (all.empty()) return;
  QList<PickerItem> items;
  for (size_t i = 0; i < all.size(); ++i)
    items.append({.text = titleOf(all[i]->task),
                  .hint = seconds(all[i]->clock.elapsed()),
                  .data = static_cast<qlonglong>(i)});
  parts_.picker->open(tr("Tasks that run"), tr("Stop a task"), items,
                      [all, end](const QVariant& chosen) { end(*all[chosen.toULongLong()]); });
}

void TaskRunner::show() {
  const Run* shown = last();
  if (!shown || !shown->view) return;
  parts_.terminalDock->show();
  parts_.terminalDock->raise();
  parts_.terminals->bring(shown->view);
}

void TaskRunner::edit() {
  const QString folder = parts_.workspace->frontFolder();
  if (folder.isEmpty()) return;
  const QString file = folder + u'/' + QLatin1String(workbench::kProjectTasks);
  if (!QFileInfo::exists(file)) {
    QDir(folder).mkpath(QFileInfo(file).path());
    const auto saved = editor::saveFile(file, workbench::tasksFileTemplate());
    if (!saved) {
      parts_.notices->show(QStringLiteral("task"), Banner::Kind::kError, saved.error().message());
      return;
    }
  }
  parts_.tabs->openFile(file);
}

}  // namespace waferpair::gui
