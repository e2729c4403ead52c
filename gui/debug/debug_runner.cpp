// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/debug_runner.h"

#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QMainWindow>
#include <QThreadPool>
#include <chrono>

#include "editor/text/unseen.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/kit/start_gate.h"
#include "gui/project/workspace.h"
#include "gui/tasks/task_runner.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {

using workbench::DebugAdapter;
using workbench::DebugLaunch;
using workbench::DebugSession;
using workbench::DebugState;
using workbench::FoundAdapter;

namespace {

constexpr char kDebugNotice[] = "debug";
constexpr char kAgreeNotice[] = "debugAgree";
constexpr std::chrono::milliseconds kKeepDelay(300);

workbench::DebugAdapters shippedAdapters() {
  QFile file(QStringLiteral(":/debug_adapters.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return workbench::readDebugAdapters(file.readAll(), file.fileName());
}

// Says what this system has against attaching; empty: nothing.
QString attachHint() {
  QFile file(QStringLiteral("/proc/sys/kernel/yama/ptrace_scope"));
  if (!file.open(QIODevice::ReadOnly) || file.readAll().trimmed() == "0") return {};
  return u' ' + DebugRunner::tr(
                    "This system lets a process be attached to only by what started "
                    "it, until it is told otherwise: %1")
                    .arg(QStringLiteral("sudo sysctl kernel.yama.ptrace_scope=0"));
}

}  // namespace

DebugRunner::DebugRunner(const DebugParts& parts, QObject* parent)
    : QObject(parent), p_(parts), memory_(parts.memoryFile), adapters_(shippedAdapters()) {
  p_.sync->subscribe(&breakpoints_);
  keepSoon_.setSingleShot(true);
  keepSoon_.setInterval(kKeepDelay);
  connect(&keepSoon_, &QTimer::timeout, this, &DebugRunner::keep);
  connect(p_.workspace, &Workspace::folderChanged, this, &DebugRunner::setFolder);
  connect(&breakpoints_, &workbench::Breakpoints::fileChanged, this, &DebugRunner::keepSoon);
  connect(&breakpoints_, &workbench::Breakpoints::moved, this, &DebugRunner::keepSoon);
  setFolder(p_.workspace->folder());
  p_.gate->addRunning(this, [this]() -> QVector<RunningStart> {
    if (!isBusy()) return {};
    return {{startOf(started_, startedIn_, {}), [this] { stop(); }}};
  });
}

DebugRunner::~DebugRunner() {
  ended_ = true;
  if (keepSoon_.isActive()) keep();
  // While this is whole: what is asked of it is told that there is no answer.
  delete session_;
}

void DebugRunner::setFolder(const QString& folder) {
  if (keepSoon_.isActive()) keep();
  folder_ = folder;
  kept_ = memory_.load(folder);
  breakpoints_.load(kept_.breakpoints);
  keepSoon_.stop();
  Q_EMIT watchesChanged();
}

void DebugRunner::keepSoon() { keepSoon_.start(); }

void DebugRunner::keep() {
  keepSoon_.stop();
  kept_.breakpoints = breakpoints_.toJson();
  const QString wrong = memory_.save(folder_, kept_);
  if (!wrong.isEmpty()) say(wrong, true);
}

void DebugRunner::setWatches(const QStringList& expressions) {
  if (kept_.watches == expressions) return;
  kept_.watches = expressions;
  keepSoon();
  Q_EMIT watchesChanged();
}

void DebugRunner::setExceptions(const QStringList& filters) {
  if (!session_) return;
  kept_.exceptions.insert(session_->adapter().id, filters);
  keepSoon();
  session_->setExceptions(filters);
}

bool DebugRunner::isBusy() const { return isStarting_ || (session_ && !session_->isOver()); }

void DebugRunner::say(const QString& text, bool isError) {
  if (ended_) return;
  p_.notices->show(QLatin1String(kDebugNotice),
                   isError ? Banner::Kind::kError : Banner::Kind::kInfo, text);
}

QString DebugRunner::projectOf(const DebugLaunch& launch) const {
  if (p_.workspace->folders().contains(launch.project)) return launch.project;
  for (const QString& place : {launch.program, launch.folder})
    if (const QString folder = p_.workspace->folderOf(place); !folder.isEmpty()) return folder;
  return p_.workspace->folder();
}

workbench::DebugPlace DebugRunner::placeFor(const DebugLaunch& launch) const {
  const Document* front = p_.tabs->current();
  if (!front) return {projectOf(launch), {}, 0, {}};
  return {projectOf(launch), front->path(), front->editor()->caretLine() + 1,
          QString::fromUtf8(front->editor()->selectedText())};
}

// -- Before the session

void DebugRunner::debug(const DebugLaunch& launch) {
  if (ended_) return;
  if (isBusy()) {
    p_.notices
        ->show(QLatin1String(kDebugNotice), Banner::Kind::kInfo,
               tr("“%1” is being debugged.").arg(started_.name))
        .addButton(QStringLiteral("debugInstead"), tr("&End It, Debug “%1”").arg(launch.name),
                   [this, launch] {
                     started_ = launch;
                     restart();
                   })
        .addButton(QStringLiteral("debugKeep"), tr("&Go On with It"), [] {});
    return;
  }
  workbench::ExpandedLaunch ready = expanded(launch, placeFor(launch));
  if (!ready.problem.isEmpty())
    return say(tr("“%1” cannot be debugged. %2").arg(launch.name, ready.problem), true);
  if (ready.wantsProcess) {
    Q_EMIT processWanted(launch);
    return;
  }
  if (launch.task.isEmpty()) return askFor({launch, ready.launch, {}});
  p_.tasks->findNamed(
      projectOf(launch), launch.task,
      [self = QPointer(this), launch,
       ready = ready.launch](const std::optional<workbench::Task>& task) {
        if (!self || self->isBusy()) return;
        if (task) return self->askFor({launch, ready, task});
        self->say(tr("“%1” is not debugged: there is no task “%2”.").arg(launch.name, launch.task),
                  true);
      });
}

// What a file of the project says is run only once the user agreed to all of it, and nothing of a
// folder that is not trusted.
void DebugRunner::askFor(Wish wish) {
  const DebugLaunch& ready = wish.ready;
  QString folder = projectOf(ready);
  if (folder.isEmpty()) folder = ready.folder;
  // A process or a core is attached to without any folder.
  if (folder.isEmpty() && ready.program.isEmpty()) return take(wish);
  if (folder.isEmpty()) folder = QFileInfo(ready.program).path();
  wish.folder = folder;
  QString what = ready.program;
  if (!ready.arguments.isEmpty()) what += u' ' + ready.arguments.join(u' ');
  if (what.isEmpty()) what = requestOf(ready);
  QString text = tr("%1 of this project asks to debug “%2”: %3, in %4.")
                     .arg(wish.launch.source, editor::oneLineForm(wish.launch.name),
                          editor::oneLineForm(what), editor::oneLineForm(ready.folder));
  if (wish.task)
    text +=
        u' ' + tr("Before that it runs the task “%1”.").arg(editor::oneLineForm(wish.task->name));
  const auto task = wish.task ? startOf(*wish.task, folder) : programs::GivenStart();
  programs::GivenStart start = startOf(wish.launch, folder, task.given);
  start.decidedBy = task.decidedBy;
  p_.gate->start(start,
                 [this, wish] {
                   if (!ended_ && !isBusy()) askForTask(wish);
                 },
                 {.id = QLatin1String(kAgreeNotice),
                  .question = text,
                  .yesName = QStringLiteral("debugAgreed"),
                  .yes = tr("&Debug It"),
                  .noName = QStringLiteral("debugDeclined")});
}

// A configuration was shown with its task. Of what the user chose, the task is still to be shown.
void DebugRunner::askForTask(const Wish& wish) {
  if (!wish.task || !wish.launch.source.isEmpty()) return take(wish);
  p_.gate->start(startOf(*wish.task, wish.task->project), [this, wish] {
    if (!ended_ && !isBusy()) take(wish);
  });
}

void DebugRunner::take(const Wish& wish) {
  started_ = wish.launch;
  startedIn_ = wish.folder;
  kept_.last = wish.launch;
  keepSoon();
  p_.notices->remove(QLatin1String(kDebugNotice));
  for (Document* document : p_.tabs->documents()) document->saveByItself();
  isStarting_ = true;
  ++starting_;
  Q_EMIT stateChanged();
  build(wish);
}

void DebugRunner::build(const Wish& wish) {
  if (!wish.task) return find(wish.ready);
  p_.tasks->runAgreed(
      *wish.task, [self = QPointer(this), ready = wish.ready, start = starting_](int status) {
        if (!self || self->starting_ != start || !self->isStarting_) return;
        if (status == 0) return self->find(ready);
        self->isStarting_ = false;
        Q_EMIT self->stateChanged();
        self->say(tr("“%1” is not debugged: the task “%2” has failed.").arg(ready.name, ready.task),
                  true);
      });
}

void DebugRunner::find(const DebugLaunch& ready) {
  const QVector<DebugAdapter> fitting =
      ready.type.isEmpty() ? adapters_.forLanguage(ready.language) : adapters_.forType(ready.type);
  if (fitting.isEmpty()) {
    isStarting_ = false;
    Q_EMIT stateChanged();
    return say(tr("“%1” cannot be debugged: no debug adapter is known for “%2”.")
                   .arg(ready.name, ready.type.isEmpty() ? ready.language : ready.type),
               true);
  }
  QThreadPool::globalInstance()->start(
      [self = QPointer<DebugRunner>(this), fitting, ready, start = starting_] {
        const FoundAdapter found =
            workbench::findAdapter(fitting, QProcessEnvironment::systemEnvironment());
        QMetaObject::invokeMethod(qApp, [self, found, ready, start] {
          if (self && self->starting_ == start && self->isStarting_) self->begin(ready, found);
        });
      });
}

// -- The session

void DebugRunner::begin(const DebugLaunch& ready, const FoundAdapter& adapter) {
  isStarting_ = false;
  const bool isUnable = (ready.process > 0 && adapter.adapter.attachArgument.isEmpty()) ||
                        (!ready.core.isEmpty() && adapter.adapter.coreArgument.isEmpty());
  if (!adapter.isFine() || isUnable) {
    Q_EMIT stateChanged();
    return say(tr("“%1” cannot be debugged. %2")
                   .arg(ready.name, isUnable ? tr("%1 cannot do that.").arg(adapter.adapter.name)
                                             : adapter.problem),
               true);
  }
  if (session_) session_->deleteLater();
  const auto exceptions = kept_.exceptions.constFind(adapter.adapter.id);
  DebugSession::Start start{adapter, ready};
  if (exceptions != kept_.exceptions.cend()) start.exceptions = *exceptions;
  session_ = new DebugSession(start, &breakpoints_, this);
  connect(session_, &DebugSession::stateChanged, this, &DebugRunner::showState);
  connect(session_, &DebugSession::runInTerminal, this, &DebugRunner::runInTerminal);
  connect(session_, &DebugSession::slow, this, [this] {
    p_.notices
        ->show(QLatin1String(kDebugNotice), Banner::Kind::kInfo,
               tr("%1 is still starting “%2”.").arg(session_->adapter().name, started_.name))
        .addButton(QStringLiteral("debugStopSlow"), tr("&Stop It"), [this] { stop(); });
  });
  Q_EMIT sessionChanged();
  Q_EMIT stateChanged();
  session_->begin();
}

void DebugRunner::showState() {
  if (session_ && session_->state() == DebugState::kRunning)
    p_.notices->remove(QLatin1String(kDebugNotice));
  if (session_ && session_->isOver()) showEnd();
  Q_EMIT stateChanged();
  if (session_ && session_->isOver() && std::exchange(again_, false)) {
    const DebugLaunch launch = started_;
    QMetaObject::invokeMethod(
        this, [this, launch] { debug(launch); }, Qt::QueuedConnection);
  }
}

void DebugRunner::showEnd() {
  const QString& wrong = session_->problem();
  if (wrong.isEmpty() || ended_) return;
  const DebugLaunch& launch = session_->launch();
  const QString hint = launch.process > 0 ? attachHint() : QString();
  p_.notices
      ->show(QLatin1String(kDebugNotice), Banner::Kind::kError,
             (session_->hasBegun() ? tr("“%1” is no longer debugged. %2")
                                   : tr("“%1” cannot be debugged. %2"))
                     .arg(launch.name, wrong) +
                 hint)
      .addButton(QStringLiteral("debugAgain"), tr("&Try Again"), [this] { restart(); });
}

void DebugRunner::restart() {
  if (started_.name.isEmpty()) return;
  if (session_ && !session_->isOver()) {
    again_ = true;
    return session_->stop();
  }
  isStarting_ = false;
  ++starting_;
  debug(started_);
}

void DebugRunner::stop() {
  again_ = false;
  if (std::exchange(isStarting_, false)) {
    ++starting_;
    Q_EMIT stateChanged();
  }
  if (session_) session_->stop();
}

void DebugRunner::settle(const std::function<void()>& done) {
  if (!session_ || session_->isOver()) return done();
  connect(session_, &DebugSession::stateChanged, this,
          [this, done, told = std::make_shared<bool>(false)] {
            if (session_ && session_->isOver() && !std::exchange(*told, true)) done();
          });
  stop();
}

void DebugRunner::endAll() {
  ended_ = true;
  if (keepSoon_.isActive()) keep();
  if (session_) session_->stop();
}

void DebugRunner::runInTerminal(qint64 request, const programs::ProgramCommand& command,
                                const QString& folder, const QString& title) {
  const QString name = title.isEmpty() ? started_.name : title;
  const QString place = QFileInfo(folder).isDir() ? folder : startedIn_;
  p_.terminalDock->show();
  p_.terminalDock->raise();
  terminal_ = p_.terminals->run({name, command, false}, place);
  const workbench::TerminalSession* run = terminal_ ? terminal_->session() : nullptr;
  const bool isFine = run && (run->isRunning() || run->status() == 0);
  session_->ranInTerminal(
      request,
      isFine ? QString() : tr("%1 could not be started in a terminal.").arg(command.program));
}

}  // namespace waferpair::gui
