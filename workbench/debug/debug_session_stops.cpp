// SPDX-License-Identifier: GPL-3.0-or-later
// Where the program of a session stands, how it goes on, and what its values are.
#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>
#include <memory>

#include "editor/text/translate.h"
#include "workbench/debug/debug_session.h"

namespace waferpair::workbench {
namespace {

constexpr int kFramesAtOnce = 20;
constexpr qsizetype kMostExpressions = 50;  // in a text that is logged

QString wordsOfReason(const QJsonObject& body) {
  const QString reason = body[u"reason"].toString();
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"step", QT_TRANSLATE_NOOP("Workbench", "after a step")},
      {"breakpoint", QT_TRANSLATE_NOOP("Workbench", "at a breakpoint")},
      {"function breakpoint", QT_TRANSLATE_NOOP("Workbench", "at a breakpoint")},
      {"data breakpoint", QT_TRANSLATE_NOOP("Workbench", "where a value changed")},
      {"instruction breakpoint", QT_TRANSLATE_NOOP("Workbench", "at a breakpoint")},
      {"exception", QT_TRANSLATE_NOOP("Workbench", "at an exception")},
      {"pause", QT_TRANSLATE_NOOP("Workbench", "as you wished")},
      {"entry", QT_TRANSLATE_NOOP("Workbench", "at its beginning")},
      {"goto", QT_TRANSLATE_NOOP("Workbench", "at the line you chose")}};
  for (const auto& [known, words] : kWords)
    if (reason == QLatin1String(known)) return translate(words);
  const QString told = boundedText(body[u"description"], kMostOfDapName).simplified();
  return told.isEmpty() ? boundedText(reason, kMostOfDapName) : told;
}

}  // namespace

// -- Going on

void DebugSession::resume() {
  if (!isStopped()) return;
  dap_.request(QStringLiteral("continue"), {{QStringLiteral("threadId"), thread_}},
               [this](const DapAnswer& answer) {
                 if (isOver() || answer.isFine()) return;
                 Q_EMIT said(QStringLiteral("important"), answer.problem + u'\n');
               });
  running();
}

void DebugSession::step(Step step, bool byInstruction) {
  if (!isStopped()) return;
  QJsonObject arguments{{QStringLiteral("threadId"), thread_}};
  if (byInstruction && can(QStringLiteral("supportsSteppingGranularity")))
    arguments.insert(QStringLiteral("granularity"), QStringLiteral("instruction"));
  const QString command = step == Step::kOver ? QStringLiteral("next")
                          : step == Step::kIn ? QStringLiteral("stepIn")
                                              : QStringLiteral("stepOut");
  dap_.request(command, arguments, [this, was = stop_ + 1](const DapAnswer& answer) {
    if (isOver() || answer.isFine()) return;
    Q_EMIT said(QStringLiteral("important"), answer.problem + u'\n');
    // It stands where it stood.
    if (stop_ == was) {
      setState(DebugState::kStopped);
      refreshThreads();
    }
  });
  running();
}

void DebugSession::pause() {
  if (state_ != DebugState::kRunning) return;
  const qint64 thread = thread_ != 0 || threads_.isEmpty() ? thread_ : threads_.first().thread.id;
  dap_.request(QStringLiteral("pause"), {{QStringLiteral("threadId"), thread}},
               [this](const DapAnswer& answer) {
                 if (!isOver() && !answer.isFine())
                   Q_EMIT said(QStringLiteral("important"), answer.problem + u'\n');
               });
}

void DebugSession::runTo(const QString& path, int line) {
  if (!isStopped()) return;
  runTo_ = Place{path, line};
  sendBreakpoints(path, [this] { resume(); });
}

void DebugSession::running(std::optional<qint64> thread) {
  ++stop_;
  bool anyStopped = false;
  for (ThreadState& each : threads_) {
    if (!thread || each.thread.id == *thread) {
      each.isStopped = false;
      each.reason.clear();
      each.frames.clear();
      each.hasMore = false;
      each.isAsked = false;
    }
    anyStopped = anyStopped || each.isStopped;
  }
  frame_ = -1;
  reason_.clear();
  exception_.clear();
  setState(anyStopped ? DebugState::kStopped : DebugState::kRunning);
  Q_EMIT threadsChanged();
  Q_EMIT frameChanged();
}

void DebugSession::continued(const QJsonObject& body) {
  // That of a wish of ours is known already.
  if (state_ != DebugState::kStopped) return;
  const bool all = body[u"allThreadsContinued"].toBool(false);
  running(all ? std::nullopt : std::optional(body[u"threadId"].toInteger(0)));
}

// -- Standing still

DebugSession::ThreadState* DebugSession::find(qint64 thread) {
  const auto at = std::find_if(threads_.begin(), threads_.end(),
                               [&](const ThreadState& each) { return each.thread.id == thread; });
  return at == threads_.end() ? nullptr : &*at;
}

void DebugSession::stopped(const QJsonObject& body) {
  if (state_ == DebugState::kEnding) return;
  ++stop_;
  const bool all = body[u"allThreadsStopped"].toBool(false);
  const QString reason = wordsOfReason(body);
  const qint64 thread = body[u"threadId"].toInteger(threads_.isEmpty() ? 0 : threads_[0].thread.id);
  for (ThreadState& each : threads_) {
    if (!all && each.thread.id != thread) continue;
    each = {each.thread, true, {}, {}, false, false};
  }
  if (!find(thread)) threads_.append({{thread, {}}, true, {}, {}, false, false});
  find(thread)->reason = reason;
  exception_.clear();
  const bool isException = body[u"reason"].toString() == QLatin1String("exception");
  if (isException) {
    exception_ = boundedText(body[u"text"], kMostOfDapName).simplified();
    if (exception_.isEmpty())
      exception_ = boundedText(body[u"description"], kMostOfDapName).simplified();
  }
  if (const auto to = std::exchange(runTo_, {})) sendBreakpoints(to->path);
  thread_ = thread;
  frame_ = -1;
  // Where it may only be to print something, nobody is told before that is known.
  const QVector<Breakpoint> ours = breakpoints_->all();
  const bool mayLog = !can(QStringLiteral("supportsLogPoints")) && !isException &&
                      std::any_of(ours.begin(), ours.end(), [](const Breakpoint& each) {
                        return each.isOn && !each.log.isEmpty();
                      });
  if (!mayLog) showStop(thread, reason);
  const bool isStep = body[u"reason"].toString() == QLatin1String("step");
  ask(QStringLiteral("threads"), {}, [this, all, thread](const DapAnswer& answer) {
    if (!answer.isFine()) return;
    takeThreads(readThreads(answer.body));
    for (ThreadState& each : threads_)
      if (all || each.thread.id == thread) each.isStopped = true;
    Q_EMIT threadsChanged();
  });
  find(thread)->isAsked = true;
  ask(QStringLiteral("stackTrace"),
      {{QStringLiteral("threadId"), thread},
       {QStringLiteral("startFrame"), 0},
       {QStringLiteral("levels"), kFramesAtOnce}},
      [this, thread, reason, mayLog, isStep, isException](const DapAnswer& answer) {
        if (isOver() || thread != thread_) return;
        if (answer.isFine()) takeFrames(thread, answer.body, true);
        const ThreadState* state = find(thread);
        if (!state) return;
        const QVector<StackFrame>& frames = state->frames;
        if (mayLog && !frames.isEmpty()) {
          if (const Breakpoint* logged = loggedAt(frames.constFirst()))
            return log(*logged, frames.constFirst());
        }
        if (mayLog) showStop(thread, reason);
        if (!answer.isFine()) return;
        // Of a step its own place, of anything else the nearest one that can be shown.
        const auto shown = std::find_if(frames.begin(), frames.end(), [](const StackFrame& each) {
          return !each.path.isEmpty() && !each.isSubtle;
        });
        const bool isFirst = isStep || shown == frames.end();
        frame_ = frames.isEmpty() ? -1 : isFirst ? 0 : static_cast<int>(shown - frames.begin());
        Q_EMIT threadsChanged();
        Q_EMIT frameChanged();
        if (isException) describeException();
      });
}

void DebugSession::showStop(qint64 thread, const QString& reason) {
  thread_ = thread;
  reason_ = reason;
  if (state_ == DebugState::kStopped) {
    Q_EMIT stateChanged();
  } else {
    setState(DebugState::kStopped);
  }
  Q_EMIT threadsChanged();
}

void DebugSession::describeException() {
  if (!can(QStringLiteral("supportsExceptionInfoRequest"))) return;
  ask(QStringLiteral("exceptionInfo"), {{QStringLiteral("threadId"), thread_}},
      [this](const DapAnswer& answer) {
        if (!answer.isFine()) return;
        const QString id = boundedText(answer.body[u"exceptionId"], kMostOfDapName);
        const QString text = boundedText(answer.body[u"description"], kMostOfDapName).simplified();
        exception_ = text.isEmpty() || text == id ? id : id + QStringLiteral(": ") + text;
        Q_EMIT stateChanged();
      });
}

void DebugSession::refreshThreads() {
  ask(QStringLiteral("threads"), {}, [this](const DapAnswer& answer) {
    if (!answer.isFine()) return;
    takeThreads(readThreads(answer.body));
    Q_EMIT threadsChanged();
  });
}

// Those that were known keep what is known of them.
void DebugSession::takeThreads(const QVector<DebugThread>& threads) {
  QVector<ThreadState> now;
  for (const DebugThread& each : threads) {
    const ThreadState* known = find(each.id);
    now.append(known ? *known : ThreadState());
    now.last().thread = each;
  }
  threads_ = now;
  if (thread_ == 0 && !threads_.isEmpty()) thread_ = threads_.first().thread.id;
}

void DebugSession::fetchFrames(qint64 thread) {
  ThreadState* state = find(thread);
  if (!state || !state->isStopped || (state->isAsked && !state->hasMore)) return;
  state->isAsked = true;
  state->hasMore = false;
  ask(QStringLiteral("stackTrace"),
      {{QStringLiteral("threadId"), thread},
       {QStringLiteral("startFrame"), state->frames.size()},
       {QStringLiteral("levels"), kFramesAtOnce}},
      [this, thread](const DapAnswer& answer) {
        if (!answer.isFine()) return;
        takeFrames(thread, answer.body, false);
        Q_EMIT threadsChanged();
        if (thread == thread_ && frame_ < 0) select(thread, 0);
      });
}

void DebugSession::takeFrames(qint64 thread, const QJsonObject& body, bool isFirst) {
  ThreadState* state = find(thread);
  if (!state) {
    threads_.append({{thread, {}}, true, {}, {}, false, true});
    state = &threads_.last();
  }
  const QVector<StackFrame> frames = readFrames(body);
  if (isFirst) state->frames.clear();
  state->frames += frames.first(std::min(frames.size(), kMostFrames - state->frames.size()));
  const qint64 total = body[u"totalFrames"].toInteger(0);
  // Without a total there is more as long as as many come as were wanted.
  state->hasMore = !frames.isEmpty() && state->frames.size() < kMostFrames &&
                   (total > 0 ? state->frames.size() < total : frames.size() >= kFramesAtOnce);
}

const StackFrame* DebugSession::currentFrame() const {
  for (const ThreadState& each : threads_)
    if (each.thread.id == thread_ && frame_ >= 0 && frame_ < each.frames.size())
      return &each.frames[frame_];
  return nullptr;
}

void DebugSession::select(qint64 thread, int frame) {
  const ThreadState* state = find(thread);
  if (!state) return;
  thread_ = thread;
  frame_ = frame < state->frames.size() ? frame : -1;
  if (frame_ < 0) fetchFrames(thread);
  Q_EMIT frameChanged();
}

// -- What is logged without the adapter's help

const Breakpoint* DebugSession::loggedAt(const StackFrame& frame) const {
  const Breakpoint* here = breakpoints_->at(frame.path, frame.line);
  return here && here->isOn && !here->log.isEmpty() ? here : nullptr;
}

void DebugSession::log(const Breakpoint& breakpoint, const StackFrame& frame) {
  static const QRegularExpression braces(QStringLiteral("\\{([^{}]+)\\}"));
  struct Pending {
    QString text;
    QVector<QRegularExpressionMatch> places;
    QStringList values;
    qsizetype left = 0;
  };
  auto pending = std::make_shared<Pending>();
  pending->text = breakpoint.log;
  auto matches = braces.globalMatch(breakpoint.log);
  while (matches.hasNext() && pending->places.size() < kMostExpressions)
    pending->places.append(matches.next());
  pending->left = pending->places.size();
  pending->values.resize(pending->left);
  const auto finish = [this, pending] {
    QString text = pending->text;
    for (qsizetype i = pending->places.size() - 1; i >= 0; --i)
      text.replace(pending->places[i].capturedStart(), pending->places[i].capturedLength(),
                   pending->values[i]);
    Q_EMIT said(QStringLiteral("log"), text + u'\n');
    // It was not shown as stopped, but it is.
    state_ = DebugState::kStopped;
    resume();
  };
  if (pending->left == 0) return finish();
  for (qsizetype i = 0; i < pending->places.size(); ++i) {
    ask(QStringLiteral("evaluate"),
        {{QStringLiteral("expression"), pending->places[i].captured(1).trimmed()},
         {QStringLiteral("frameId"), frame.id},
         {QStringLiteral("context"), QStringLiteral("watch")}},
        [this, pending, i, finish](const DapAnswer& answer) {
          if (isOver()) return;
          pending->values[i] =
              answer.isFine() ? readResult(answer.body, {}).value : u'{' + answer.problem + u'}';
          if (--pending->left == 0) finish();
        });
  }
}

// -- Values

void DebugSession::scopes(const Values& then) {
  const StackFrame* frame = currentFrame();
  if (!frame) return then({}, translate("The program does not stand still."));
  ask(QStringLiteral("scopes"), {{QStringLiteral("frameId"), frame->id}},
      [then](const DapAnswer& answer) { then(readScopes(answer.body), answer.problem); });
}

void DebugSession::variables(qint64 reference, qint64 start, qint64 count, const Values& then) {
  QJsonObject arguments{{QStringLiteral("variablesReference"), reference}};
  if (count > 0) {
    arguments.insert(QStringLiteral("filter"), QStringLiteral("indexed"));
    arguments.insert(QStringLiteral("start"), start);
    arguments.insert(QStringLiteral("count"), count);
  } else if (count < 0) {
    arguments.insert(QStringLiteral("filter"), QStringLiteral("named"));
  }
  ask(QStringLiteral("variables"), arguments,
      [then](const DapAnswer& answer) { then(readVariables(answer.body), answer.problem); });
}

void DebugSession::evaluate(const QString& expression, const QString& context, const Value& then) {
  QJsonObject arguments{{QStringLiteral("expression"), expression},
                        {QStringLiteral("context"), context}};
  if (const StackFrame* frame = currentFrame())
    arguments.insert(QStringLiteral("frameId"), frame->id);
  ask(QStringLiteral("evaluate"), arguments, [then, expression](const DapAnswer& answer) {
    then(readResult(answer.body, expression), answer.problem);
  });
}

bool DebugSession::canSet(qint64 container, const Variable& variable) const {
  if (!isStopped() || variable.isReadOnly) return false;
  return (container > 0 && can(QStringLiteral("supportsSetVariable"))) ||
         (can(QStringLiteral("supportsSetExpression")) && !variable.expression.isEmpty());
}

void DebugSession::setValue(qint64 container, const Variable& variable, const QString& value,
                            const Value& then) {
  const bool isInContainer = container > 0 && can(QStringLiteral("supportsSetVariable"));
  QJsonObject arguments{{QStringLiteral("value"), value}};
  if (isInContainer) {
    arguments.insert(QStringLiteral("variablesReference"), container);
    arguments.insert(QStringLiteral("name"), variable.name);
  } else {
    arguments.insert(QStringLiteral("expression"), variable.expression);
    if (const StackFrame* frame = currentFrame())
      arguments.insert(QStringLiteral("frameId"), frame->id);
  }
  ask(isInContainer ? QStringLiteral("setVariable") : QStringLiteral("setExpression"), arguments,
      [this, then, name = variable.name](const DapAnswer& answer) {
        then(readResult(answer.body, name), answer.problem);
        if (answer.isFine()) Q_EMIT valuesChanged();
      });
}

void DebugSession::disassemble(const QString& reference, int from, int count,
                               const Instructions& then) {
  ask(QStringLiteral("disassemble"),
      {{QStringLiteral("memoryReference"), reference},
       {QStringLiteral("offset"), 0},
       {QStringLiteral("instructionOffset"), from},
       {QStringLiteral("instructionCount"), count},
       {QStringLiteral("resolveSymbols"), true}},
      [then](const DapAnswer& answer) { then(readInstructions(answer.body), answer.problem); });
}

}  // namespace waferpair::workbench
