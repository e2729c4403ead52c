// SPDX-License-Identifier: GPL-3.0-or-later
// A program that is debugged: the conversation with its adapter from the start to the end, its
// threads and where they stand. What the adapter does wrong (it dies, is silent, lies) ends the
// session with a sentence, and nothing else. UI thread only; nothing here waits.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "workbench/debug/breakpoints.h"
#include "workbench/debug/dap_connection.h"
#include "workbench/debug/dap_values.h"
#include "workbench/debug/debug_launch.h"

namespace waferpair::workbench {

class AdapterLink;

enum class DebugState { kStarting, kRunning, kStopped, kEnding, kEnded };

class DebugSession : public QObject {
  Q_OBJECT
 public:
  struct Patience {
    std::chrono::milliseconds first{15'000};  // for the adapter's first answer
    std::chrono::milliseconds slow{10'000};   // until the user is told that the start takes long
    std::chrono::milliseconds end{3'000};     // for the answer to the wish to end
  };
  // `exceptions`: the filters that are on; none: as the adapter has them at first.
  struct Start {
    FoundAdapter adapter;
    DebugLaunch launch;  // expanded
    std::optional<QStringList> exceptions = {};
    Patience patience = {};
  };
  // `breakpoints` outlives this.
  DebugSession(const Start& start, Breakpoints* breakpoints, QObject* parent = nullptr);
  ~DebugSession() override;

  void begin();
  // Ends the program, or lets go of it where it was attached to. The second time at once.
  void stop();

  DebugState state() const { return state_; }
  bool isStopped() const { return state_ == DebugState::kStopped; }
  bool isOver() const { return state_ == DebugState::kEnded; }
  const DebugLaunch& launch() const { return start_.launch; }
  const DebugAdapter& adapter() const { return start_.adapter.adapter; }
  // Why it has ended other than well; empty: it has not.
  const QString& problem() const { return problem_; }
  // The program was begun; where this is false as it ends, it never ran.
  bool hasBegun() const { return hasBegun_; }
  // Of the program that has ended, as far as the adapter says.
  std::optional<int> exitCode() const { return exitCode_; }
  // What the adapter says that it can do: "supportsSetVariable".
  bool can(const QString& ability) const { return abilities_.value(ability).toBool(); }
  const QJsonObject& abilities() const { return abilities_; }

  // -- Running. Nothing happens in a state in which it would make no sense.
  enum class Step { kOver, kIn, kOut };
  void resume();
  void pause();
  // `byInstruction`: of the machine, where the adapter can.
  void step(Step step, bool byInstruction = false);
  // Goes on until that line is reached (or another breakpoint).
  void runTo(const QString& path, int line);

  // -- Where it stands. The thread and the frame that the user looks at are the current ones.
  struct ThreadState {
    DebugThread thread;
    bool isStopped = false;
    QString reason;  // why, in words
    QVector<StackFrame> frames;
    bool hasMore = false;  // frames
    bool isAsked = false;
  };
  const QVector<ThreadState>& threads() const { return threads_; }
  qint64 currentThread() const { return thread_; }
  const StackFrame* currentFrame() const;
  int currentFrameIndex() const { return frame_; }
  void select(qint64 thread, int frame);
  // Asks for (more of) a thread's frames.
  void fetchFrames(qint64 thread);
  // Why the program was stopped last, in words; details of an exception come later.
  const QString& reason() const { return reason_; }
  const QString& exceptionText() const { return exception_; }

  // -- Values. Answers that come once the program runs again are failures.
  using Values = std::function<void(const QVector<Variable>& values, const QString& problem)>;
  using Value = std::function<void(const Variable& value, const QString& problem)>;
  void scopes(const Values& then);
  // `count` more than 0: so many of what has indexes; 0: all; less: what has names.
  void variables(qint64 reference, qint64 start, qint64 count, const Values& then);
  // `context` is "watch", "repl", "hover" or "clipboard".
  void evaluate(const QString& expression, const QString& context, const Value& then);
  // Gives `variable`, which is in `container`, another value.
  void setValue(qint64 container, const Variable& variable, const QString& value,
                const Value& then);
  bool canSet(qint64 container, const Variable& variable) const;
  using Instructions = std::function<void(const QVector<Instruction>& all, const QString& problem)>;
  void disassemble(const QString& reference, int from, int count, const Instructions& then);

  // -- Breakpoints
  // Where the adapter has put the breakpoint with this id, if it has said so.
  std::optional<BoundBreakpoint> bound(qint64 breakpoint) const;
  QVector<ExceptionFilter> exceptionFilters() const { return readExceptionFilters(abilities_); }
  QStringList exceptionsOn() const { return exceptions_; }
  void setExceptions(const QStringList& filters);

  // Answers runInTerminal(); `problem` is empty where it was done.
  void ranInTerminal(qint64 request, const QString& problem);

 Q_SIGNALS:
  void stateChanged();
  // Threads or their frames are others now.
  void threadsChanged();
  // The user looks at another frame, or at none: values are others.
  void frameChanged();
  // Variables may have other values, though the program has not run.
  void valuesChanged();
  // The program, or the adapter ("console"), says something: "stdout", "stderr", "console", ...
  void said(const QString& category, const QString& text);
  void boundChanged(const QString& path);
  // The adapter has told which exceptions it knows.
  void abilitiesChanged();
  // The start takes long.
  void slow();
  // The adapter wants this command to be run in a terminal: see ranInTerminal().
  void runInTerminal(qint64 request, const waferpair::programs::ProgramCommand& command,
                     const QString& folder, const QString& title);

 private:
  void initialize();
  void sendLaunch();
  void takeEvent(const QString& event, const QJsonObject& body);
  void takeRequest(qint64 request, const QString& command, const QJsonObject& arguments);
  void configure();
  void begun();
  void stopped(const QJsonObject& body);
  void continued(const QJsonObject& body);
  void refreshThreads();
  void takeThreads(const QVector<DebugThread>& threads);
  void takeFrames(qint64 thread, const QJsonObject& body, bool isFirst);
  void showStop(qint64 thread, const QString& reason);
  ThreadState* find(qint64 thread);
  // It goes on; none: all threads do.
  void running(std::optional<qint64> thread = {});
  void describeException();
  const Breakpoint* loggedAt(const StackFrame& frame) const;
  void log(const Breakpoint& breakpoint, const StackFrame& frame);
  void sendBreakpoints(const QString& path, const std::function<void()>& then = {});
  void takeBound(const QString& path, const QVector<Breakpoint>& asked, const QJsonObject& body);
  void takeBreakpointEvent(const QJsonObject& body);
  QString unableTo(const Breakpoint& breakpoint) const;
  void sendExceptions();
  void setState(DebugState state);
  void disconnectAdapter();
  void fail(const QString& problem);
  // The adapter refuses to begin: with its remedy, and what it printed about that.
  void failToLaunch(const QString& problem);
  void end();
  void linkEnded(const QString& how);

  // Asks, and drops the answer where the program has run on since.
  void ask(const QString& command, const QJsonObject& arguments,
           const DapConnection::Answer& answer);

  Start start_;
  Breakpoints* breakpoints_;
  std::unique_ptr<AdapterLink> link_;
  DapConnection dap_;
  DebugState state_ = DebugState::kStarting;
  QJsonObject abilities_;
  QString problem_;
  std::optional<int> exitCode_;
  bool isConfigured_ = false;    // it has the breakpoints
  bool isLaunched_ = false;      // it has answered that
  bool wasInitialized_ = false;  // it wants the breakpoints
  bool hasBegun_ = false;
  QString complaint_;  // what it printed as an error while it was starting, its end
  QTimer firstTimer_{this};
  QTimer slowTimer_{this};
  QTimer endTimer_{this};

  QVector<ThreadState> threads_;
  qint64 thread_ = 0;
  int frame_ = -1;
  qint64 stop_ = 0;  // how often it was stopped or went on
  QString reason_;
  QString exception_;
  struct Place {
    QString path;
    int line = 0;
  };
  std::optional<Place> runTo_;

  QHash<qint64, BoundBreakpoint> bound_;  // by our ids
  QStringList exceptions_;
};

}  // namespace waferpair::workbench
