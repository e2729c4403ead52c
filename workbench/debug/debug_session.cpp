// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a session from its start to its end. Where the program stands is in
// debug_session_stops.cpp.
#include "workbench/debug/debug_session.h"

#include <QCoreApplication>
#include <QJsonArray>

#include "editor/text/translate.h"
#include "workbench/debug/adapter_link.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostArguments = 10'000;  // of a command for a terminal
constexpr qsizetype kMostOfComplaint = 1000;

QStringList textsOf(const QJsonValue& list) {
  QStringList texts;
  for (const QJsonValue value : list.toArray()) texts.append(value.toString());
  return texts;
}

}  // namespace

DebugSession::DebugSession(const Start& start, Breakpoints* breakpoints, QObject* parent)
    : QObject(parent), start_(start), breakpoints_(breakpoints) {
  for (QTimer* timer : {&firstTimer_, &slowTimer_, &endTimer_}) timer->setSingleShot(true);
  connect(&firstTimer_, &QTimer::timeout, this, [this] {
    fail(translate("The debug adapter %1 did not answer within %2 s. It is ended.")
             .arg(adapter().name)
             .arg(start_.patience.first.count() / 1000));
  });
  connect(&slowTimer_, &QTimer::timeout, this, [this] {
    if (state_ == DebugState::kStarting) Q_EMIT slow();
  });
  connect(&endTimer_, &QTimer::timeout, this, &DebugSession::end);
  connect(&dap_, &DapConnection::told, this, &DebugSession::takeEvent);
  connect(&dap_, &DapConnection::requested, this, &DebugSession::takeRequest);
  connect(&dap_, &DapConnection::broken, this, [this](const QString& why) {
    fail(translate("The debug adapter %1 cannot be understood. %2").arg(adapter().name, why));
  });
  connect(breakpoints_, &Breakpoints::fileChanged, this, [this](const QString& path) {
    if (wasInitialized_ && !isOver()) sendBreakpoints(path);
  });
}

DebugSession::~DebugSession() {
  // Nobody is told of the end any more.
  state_ = DebugState::kEnded;
  dap_.close(translate("The session has ended."));
}

void DebugSession::begin() {
  link_ = std::make_unique<AdapterLink>(start_.adapter, start_.launch.folder, this);
  connect(link_.get(), &AdapterLink::received, &dap_, &DapConnection::take);
  connect(&dap_, &DapConnection::sent, link_.get(), &AdapterLink::write);
  connect(link_.get(), &AdapterLink::ended, this, &DebugSession::linkEnded);
  firstTimer_.start(start_.patience.first);
  slowTimer_.start(start_.patience.slow);
  link_->start();
  initialize();
}

void DebugSession::initialize() {
  const QJsonObject arguments{{QStringLiteral("clientID"), QStringLiteral("waferpair")},
                              {QStringLiteral("clientName"), QStringLiteral("Waferpair")},
                              {QStringLiteral("adapterID"), adapter().id},
                              {QStringLiteral("locale"), QStringLiteral("en")},
                              {QStringLiteral("pathFormat"), QStringLiteral("path")},
                              {QStringLiteral("linesStartAt1"), true},
                              {QStringLiteral("columnsStartAt1"), true},
                              {QStringLiteral("supportsVariableType"), true},
                              {QStringLiteral("supportsVariablePaging"), true},
                              {QStringLiteral("supportsRunInTerminalRequest"), true},
                              {QStringLiteral("supportsMemoryReferences"), true},
                              {QStringLiteral("supportsInvalidatedEvent"), true}};
  dap_.request(QStringLiteral("initialize"), arguments, [this](const DapAnswer& answer) {
    if (isOver()) return;
    firstTimer_.stop();
    if (!answer.isFine()) return fail(answer.problem);
    abilities_ = answer.body;
    exceptions_ = start_.exceptions.value_or(QStringList());
    if (!start_.exceptions) {
      for (const ExceptionFilter& filter : exceptionFilters())
        if (filter.isOnAtFirst) exceptions_.append(filter.id);
    }
    Q_EMIT abilitiesChanged();
    sendLaunch();
  });
}

// Adapters answer this only once they have been told the breakpoints, or before: both are fine.
void DebugSession::sendLaunch() {
  dap_.request(requestOf(launch()), argumentsFor(launch(), adapter()),
               [this](const DapAnswer& answer) {
                 if (isOver()) return;
                 if (!answer.isFine()) return failToLaunch(answer.problem);
                 isLaunched_ = true;
                 begun();
               });
}

void DebugSession::configure() {
  if (std::exchange(wasInitialized_, true)) return;
  for (const QString& path : breakpoints_->files()) sendBreakpoints(path);
  sendExceptions();
  if (!can(QStringLiteral("supportsConfigurationDoneRequest"))) {
    isConfigured_ = true;
    return begun();
  }
  dap_.request(QStringLiteral("configurationDone"), {}, [this](const DapAnswer& answer) {
    if (isOver()) return;
    if (!answer.isFine()) return fail(answer.problem);
    isConfigured_ = true;
    begun();
  });
}

void DebugSession::begun() {
  if (!isConfigured_ || !isLaunched_ || state_ != DebugState::kStarting) return;
  setState(DebugState::kRunning);
  refreshThreads();
}

void DebugSession::takeEvent(const QString& event, const QJsonObject& body) {
  if (isOver()) return;
  if (event == QLatin1String("initialized")) {
    configure();
  } else if (event == QLatin1String("stopped")) {
    stopped(body);
  } else if (event == QLatin1String("continued")) {
    continued(body);
  } else if (event == QLatin1String("output")) {
    const QString category = body[u"category"].toString(QStringLiteral("console"));
    const QString text = boundedText(body[u"output"], kMostOfValue);
    if (state_ == DebugState::kStarting && category == QLatin1String("stderr"))
      complaint_ = (complaint_ + text).right(kMostOfComplaint);
    if (category != QLatin1String("telemetry") && !text.isEmpty()) Q_EMIT said(category, text);
  } else if (event == QLatin1String("thread")) {
    const qint64 id = body[u"threadId"].toInteger(0);
    if (body[u"reason"].toString() != QLatin1String("exited")) return;
    if (threads_.removeIf([&](const ThreadState& each) { return each.thread.id == id; }) > 0)
      Q_EMIT threadsChanged();
  } else if (event == QLatin1String("breakpoint")) {
    takeBreakpointEvent(body);
  } else if (event == QLatin1String("capabilities")) {
    const QJsonObject more = body[u"capabilities"].toObject();
    for (auto each = more.begin(); each != more.end(); ++each)
      abilities_.insert(each.key(), each.value());
    Q_EMIT abilitiesChanged();
  } else if (event == QLatin1String("invalidated")) {
    if (isStopped()) Q_EMIT valuesChanged();
  } else if (event == QLatin1String("exited")) {
    exitCode_ = body[u"exitCode"].toInt();
  } else if (event == QLatin1String("terminated")) {
    disconnectAdapter();
  }
}

void DebugSession::takeRequest(qint64 request, const QString& command,
                               const QJsonObject& arguments) {
  if (isOver()) return;
  if (command != QLatin1String("runInTerminal"))
    return dap_.refuse(request, command, QStringLiteral("This client does not know that."));
  const QStringList words = textsOf(arguments[u"args"]);
  if (words.isEmpty() || words.constFirst().isEmpty() || words.size() > kMostArguments)
    return dap_.refuse(request, command, QStringLiteral("There is no command in it."));
  programs::ProgramCommand wanted{words.constFirst(), words.mid(1), {}};
  const QJsonObject environment = arguments[u"env"].toObject();
  for (auto each = environment.begin(); each != environment.end(); ++each)
    if (each.value().isString())
      wanted.environment.append(each.key() + u'=' + each.value().toString());
  Q_EMIT runInTerminal(request, wanted, arguments[u"cwd"].toString(),
                       arguments[u"title"].toString());
}

void DebugSession::ranInTerminal(qint64 request, const QString& problem) {
  const QString command = QStringLiteral("runInTerminal");
  problem.isEmpty() ? dap_.respond(request, command, {}) : dap_.refuse(request, command, problem);
}

void DebugSession::ask(const QString& command, const QJsonObject& arguments,
                       const DapConnection::Answer& answer) {
  dap_.request(command, arguments, [this, answer, asked = stop_](const DapAnswer& got) {
    answer(asked == stop_ && !isOver()
               ? got
               : DapAnswer{{}, translate("The program has run on meanwhile.")});
  });
}

// -- Breakpoints

// Returns what of the breakpoint the adapter has no means for.
QString DebugSession::unableTo(const Breakpoint& breakpoint) const {
  if (!breakpoint.condition.isEmpty() && !can(QStringLiteral("supportsConditionalBreakpoints")))
    return translate("%1 knows no conditions: it stops each time.").arg(adapter().name);
  if (!breakpoint.hits.isEmpty() && !can(QStringLiteral("supportsHitConditionalBreakpoints")))
    return translate("%1 does not count: it stops each time.").arg(adapter().name);
  return {};
}

void DebugSession::sendBreakpoints(const QString& path, const std::function<void()>& then) {
  QJsonArray wanted;
  QVector<Breakpoint> asked;
  const bool canLog = can(QStringLiteral("supportsLogPoints"));
  for (const Breakpoint& each : breakpoints_->inFile(path)) {
    if (!each.isOn) {
      bound_.remove(each.id);
      continue;
    }
    QJsonObject one{{QStringLiteral("line"), each.line + 1}};
    if (!each.condition.isEmpty()) one.insert(QStringLiteral("condition"), each.condition);
    if (!each.hits.isEmpty()) one.insert(QStringLiteral("hitCondition"), each.hits);
    if (!each.log.isEmpty() && canLog) one.insert(QStringLiteral("logMessage"), each.log);
    wanted.append(one);
    asked.append(each);
  }
  if (runTo_ && runTo_->path == path)
    wanted.append(QJsonObject{{QStringLiteral("line"), runTo_->line + 1}});
  const QJsonObject source{{QStringLiteral("path"), path},
                           {QStringLiteral("name"), path.section(u'/', -1)}};
  dap_.request(QStringLiteral("setBreakpoints"),
               {{QStringLiteral("source"), source}, {QStringLiteral("breakpoints"), wanted}},
               [this, path, asked, then](const DapAnswer& answer) {
                 if (isOver()) return;
                 if (answer.isFine()) {
                   takeBound(path, asked, answer.body);
                 } else {
                   Q_EMIT said(QStringLiteral("important"), answer.problem + u'\n');
                 }
                 if (then) then();
               });
}

void DebugSession::takeBound(const QString& path, const QVector<Breakpoint>& asked,
                             const QJsonObject& body) {
  const QVector<BoundBreakpoint> bound = readBoundBreakpoints(body);
  for (qsizetype i = 0; i < asked.size(); ++i) {
    BoundBreakpoint one = bound.value(i);
    if (const QString unable = unableTo(asked[i]); !unable.isEmpty()) one.message = unable;
    bound_.insert(asked[i].id, one);
  }
  Q_EMIT boundChanged(path);
}

void DebugSession::takeBreakpointEvent(const QJsonObject& body) {
  const BoundBreakpoint now = readBoundBreakpoint(body[u"breakpoint"]);
  if (now.id == 0) return;
  for (auto each = bound_.begin(); each != bound_.end(); ++each) {
    if (each->id != now.id) continue;
    const QString message = now.message.isEmpty() ? each->message : now.message;
    *each = now;
    if (!now.isVerified) each->message = message;
    if (const Breakpoint* ours = breakpoints_->withId(each.key())) Q_EMIT boundChanged(ours->path);
    return;
  }
}

std::optional<BoundBreakpoint> DebugSession::bound(qint64 breakpoint) const {
  const auto at = bound_.constFind(breakpoint);
  return at == bound_.cend() ? std::nullopt : std::optional(*at);
}

void DebugSession::setExceptions(const QStringList& filters) {
  exceptions_ = filters;
  if (wasInitialized_ && !isOver()) sendExceptions();
}

void DebugSession::sendExceptions() {
  QJsonArray filters;
  const QVector<ExceptionFilter> known = exceptionFilters();
  for (const ExceptionFilter& filter : known)
    if (exceptions_.contains(filter.id)) filters.append(filter.id);
  if (known.isEmpty()) return;
  dap_.request(QStringLiteral("setExceptionBreakpoints"), {{QStringLiteral("filters"), filters}},
               [this](const DapAnswer& answer) {
                 if (!isOver() && !answer.isFine())
                   Q_EMIT said(QStringLiteral("important"), answer.problem + u'\n');
               });
}

// -- The end

void DebugSession::setState(DebugState state) {
  if (state_ == state) return;
  state_ = state;
  hasBegun_ = hasBegun_ || state == DebugState::kRunning || state == DebugState::kStopped;
  if (state != DebugState::kStarting) slowTimer_.stop();
  Q_EMIT stateChanged();
}

void DebugSession::stop() {
  if (isOver()) return;
  if (state_ == DebugState::kEnding || !link_ || abilities_.isEmpty()) return end();
  disconnectAdapter();
}

void DebugSession::disconnectAdapter() {
  if (state_ == DebugState::kEnding || isOver()) return;
  ++stop_;
  setState(DebugState::kEnding);
  endTimer_.start(start_.patience.end);
  dap_.request(
      QStringLiteral("disconnect"),
      {{QStringLiteral("restart"), false}, {QStringLiteral("terminateDebuggee"), launch().ends()}},
      [this](const DapAnswer&) { end(); });
}

void DebugSession::linkEnded(const QString& how) {
  if (isOver()) return;
  if (state_ == DebugState::kEnding) return end();
  const QString last = link_->lastWords().section(u'\n', -1).trimmed();
  QString text = translate("The debug adapter %1 is gone. %2").arg(adapter().name, how);
  if (!last.isEmpty()) text += u' ' + translate("It said: %1").arg(last);
  fail(text);
}

void DebugSession::fail(const QString& problem) {
  if (isOver()) return;
  problem_ = problem;
  end();
}

void DebugSession::failToLaunch(const QString& problem) {
  QString text = problem;
  if (const QString said = complaint_.trimmed(); !said.isEmpty())
    text += u' ' + translate("It said: %1").arg(said);
  if (const QString remedy = adapter().remedyFor(text); !remedy.isEmpty()) text += u' ' + remedy;
  fail(text);
}

void DebugSession::end() {
  if (isOver()) return;
  for (QTimer* timer : {&firstTimer_, &slowTimer_, &endTimer_}) timer->stop();
  ++stop_;
  threads_.clear();
  thread_ = 0;
  frame_ = -1;
  bound_.clear();
  setState(DebugState::kEnded);
  dap_.close(translate("The session has ended."));
  if (link_) link_->stop();
}

}  // namespace waferpair::workbench
