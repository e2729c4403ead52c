// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/tools/tool_turn.h"

#include <QPointer>
#include <QTimer>
#include <algorithm>

#include "editor/text/translate.h"
#include "pairing/context/token_estimate.h"

namespace waferpair::pairing {
namespace {

// Below so many estimated tokens no result is worth its place.
constexpr qint64 kLeastRoom = 256;
// What a chat template writes around a call and its result.
constexpr qint64 kTokensAroundCall = 40;
// One result gets at most this part of the room that is left.
constexpr qint64 kRoomPart = 2;

const char kNoMore[] = "\n[Call no more tools: answer with what you know by now.]";
const char kNoRoom[] = "There is no room left in your context for this.";
const char kSameCall[] =
    "You have called this before with the same arguments, and its result stands above.";
const char kSecret[] = "The result is kept from models: %1.";

ReplyFailure failureOf(const editor::Error& why) {
  ReplyFailure failure;
  failure.what = why.what;
  failure.remedy = why.remedy;
  failure.kind = ReplyFailure::Kind::kRequest;
  return failure;
}

// A server that has no tools says so in as many ways as there are servers.
bool isAboutTools(const ReplyFailure& failure) {
  using Kind = ReplyFailure::Kind;
  if (failure.kind != Kind::kRequest && failure.kind != Kind::kServer) return false;
  return failure.what.contains(QLatin1String("tool"), Qt::CaseInsensitive) ||
         failure.what.contains(QLatin1String("function"), Qt::CaseInsensitive);
}

// Some models write "functions.read_file".
const ProjectTool* toolNamed(const QString& called, const QVector<Tool>& offered) {
  for (const ProjectTool& tool : projectTools()) {
    const QString& name = tool.tool.name;
    if (called != name && !called.endsWith(u'.' + name)) continue;
    const bool isOffered = std::any_of(offered.begin(), offered.end(),
                                       [&name](const Tool& each) { return each.name == name; });
    return isOffered ? &tool : nullptr;
  }
  return nullptr;
}

// Servers refuse a history with names that are none.
QString nameToSend(const QString& called) {
  constexpr qsizetype kLongest = 64;
  QString name = called.left(kLongest);
  for (QChar& each : name)
    if (!(each.unicode() < 128 && each.isLetterOrNumber()) && each != u'_' && each != u'-')
      each = u'_';
  return name.isEmpty() ? QStringLiteral("unknown") : name;
}

QString allNames(const QVector<Tool>& tools) {
  QStringList names;
  for (const Tool& tool : tools) names.append(tool.name);
  return names.join(QStringLiteral(", "));
}

}  // namespace

ToolTurn::ToolTurn(Parts parts) : WorkingReply(ReplyPatience()), parts_(std::move(parts)) {
  // Each request has its own, and a tool is bounded by itself.
  leaveDeadlines();
  pool_.setMaxThreadCount(1);
  send();
}

ToolTurn::~ToolTurn() { hangUp(); }

// -- A request and its reply

void ToolTurn::send() {
  Endpoint* endpoint = parts_.endpoint();
  if (!endpoint)
    return failLater({translate("The model can't be asked any more."),
                      translate("Choose a model, and ask again.")});
  const auto shown = ShownRequest::of(parts_.request);
  if (!shown) return failLater(shown.error());
  calls_.clear();
  ++round_;
  roundText_ = text().size();
  beginsParagraph_ = roundText_ > 0;
  inner_ = endpoint->send(*shown);
  ModelReply* inner = inner_.get();
  connect(inner, &ModelReply::textArrived, this, &ToolTurn::takeText);
  connect(inner, &ModelReply::reasoningArrived, this,
          [this](const QString& delta) { take({ReasoningDelta{delta}}); });
  connect(inner, &ModelReply::toolCalled, this, &ToolTurn::takeCall);
  connect(inner, &ModelReply::usageTold, this, &ToolTurn::takeUsage);
  connect(inner, &ModelReply::waited, this, &ToolTurn::takeWait);
  connect(inner, &ModelReply::finished, this, &ToolTurn::roundEnded);
  connect(inner, &ModelReply::failed, this, &ToolTurn::roundFailed);
}

void ToolTurn::failLater(const editor::Error& why) {
  QTimer::singleShot(0, this, [this, why] {
    if (!isOver()) take({failureOf(why)});
  });
}

void ToolTurn::takeText(const QString& delta) {
  const bool begins = beginsParagraph_ && !delta.trimmed().isEmpty();
  if (beginsParagraph_ && !begins) return;  // blanks alone
  if (begins) beginsParagraph_ = false;
  take({TextDelta{begins ? QStringLiteral("\n\n") + delta : delta}});
}

// A small model may go on calling to the end of its context.
void ToolTurn::takeCall(const ToolCall& call) {
  if (calls_.size() < kMostCalls) return calls_.append(call);
  inner_->disconnect(this);
  inner_->cancel();
  roundEnded({ReplyDone::Reason::kToolCalls});
}

void ToolTurn::takeWait() {
  if (const auto& wait = inner_->serverWait(); wait && wait != serverWait()) {
    take({*wait});
  } else if (const auto& read = inner_->promptProgress(); read && read != promptProgress()) {
    take({*read});
  }
}

// Of all rounds together; what one of them does not tell is not known of all.
void ToolTurn::takeUsage(const TokenUsage& told) {
  const auto sum = [first = round_ == 1](qint64 before, qint64 now) {
    if (first) return now;
    return before < 0 || now < 0 ? -1 : before + now;
  };
  usage_ = {sum(usage_.input, told.input), sum(usage_.cachedInput, told.cachedInput),
            sum(usage_.output, told.output), sum(usage_.reasoning, told.reasoning)};
  take({usage_});
}

void ToolTurn::dropInner() {
  if (!inner_) return;
  inner_->disconnect(this);
  // It may be in the middle of telling that it is over.
  inner_.release()->deleteLater();
}

void ToolTurn::roundFailed(const ReplyFailure& failure) {
  const bool mayAskWithout = round_ == 1 && !parts_.request.tools.isEmpty();
  dropInner();
  if (!mayAskWithout || !isAboutTools(failure)) {
    take({failure});
    return;
  }
  parts_.request = parts_.plain;
  parts_.request.tools.clear();
  round_ = 0;
  AgentStep said;
  said.id = said.kind = QStringLiteral("other");
  said.state = AgentStep::State::kFailed;
  said.title = translate("The model's server takes no tools: it answers without looking further");
  said.output = failure.what;
  steps_.append(said);
  running_ = steps_.size();
  Q_EMIT refused();
  Q_EMIT progressed();
  send();
}

void ToolTurn::roundEnded(const ReplyDone& done) {
  QVector<ReplyEvent> told{inner_->hostTimings()};
  if (inner_->waferTimings()) told.append(*inner_->waferTimings());
  take(told);
  dropInner();
  using Reason = ReplyDone::Reason;
  const bool isCut = done.reason == Reason::kFiltered || done.reason == Reason::kCanceled;
  if (calls_.isEmpty() || isCut) {
    ReplyDone last = done;
    if (last.reason == Reason::kToolCalls) last.reason = Reason::kComplete;
    if (text().isEmpty() && !isCut && round_ > 1)
      take({failureOf({translate("The model looked into the project and gave no answer."),
                       translate("Ask again, or choose another model.")})});
    else
      take({last});
    return;
  }
  if (!parts_.request.mayCallTools || parts_.request.tools.isEmpty()) {
    take({failureOf({translate("The model wants to look further and gives no answer."),
                     translate("Ask about less at a time, or choose another model.")})});
    return;
  }
  for (const ToolCall& call : std::as_const(calls_)) addStep(call);
  Q_EMIT progressed();
  runNext();
}

// -- Calls

void ToolTurn::addStep(ToolCall call) {
  AgentStep step;
  const auto isTaken = [this](const QString& id) {
    return std::any_of(steps_.begin(), steps_.end(),
                       [&id](const AgentStep& each) { return each.id == id; });
  };
  // Not all servers give them ids, or such as tell them apart.
  step.id = call.id.isEmpty() || isTaken(call.id)
                ? QStringLiteral("call_%1_%2").arg(round_).arg(steps_.size())
                : call.id;
  step.round = round_;
  step.textBefore = text().size();
  const ProjectTool* tool = toolNamed(call.name, parts_.request.tools);
  step.tool = tool ? tool->tool.name : nameToSend(call.name);
  const auto arguments = ToolArguments::read(call.arguments);
  // Servers refuse a history with arguments that are none.
  step.arguments =
      arguments && !call.arguments.trimmed().isEmpty() ? call.arguments : QStringLiteral("{}");
  step.kind = tool ? tool->kind : QStringLiteral("other");
  step.title = tool ? tool->title(arguments.value_or(ToolArguments())) : call.name;
  step.title = step.title.simplified().left(AgentActivity::kMostTitle);
  if (!arguments) step.output = arguments.error().what;
  if (tool && tool->does == ProjectTool::Does::kRuns) {
    step.command = arguments.value_or(ToolArguments()).text("command");
    step.folder = parts_.project().root;
  }
  steps_.append(step);
}

// What has been changed or run since may give another result.
bool ToolTurn::wasCalledBefore(const AgentStep& step) const {
  for (qsizetype i = running_; i-- > 0;) {
    const AgentStep& before = steps_[i];
    const ProjectTool* tool = toolNamed(before.tool, parts_.request.tools);
    if (tool && tool->does != ProjectTool::Does::kLooks) return false;
    if (before.tool == step.tool && before.arguments == step.arguments &&
        before.state == AgentStep::State::kDone)
      return true;
  }
  return false;
}

void ToolTurn::runNext() {
  if (running_ == steps_.size()) return sendResults();
  AgentStep& step = steps_[running_];
  const ProjectTool* tool = toolNamed(step.tool, parts_.request.tools);
  if (!tool)
    return finishStep(ToolResult::error(QStringLiteral("There is no tool %1. There are: %2.")
                                            .arg(step.tool, allNames(parts_.request.tools))));
  if (!step.output.isEmpty()) return finishStep(ToolResult::error(step.output));
  if (wasCalledBefore(step)) return finishStep(ToolResult::error(QString::fromLatin1(kSameCall)));
  if (parts_.room < kLeastRoom) return finishStep(ToolResult::error(QString::fromLatin1(kNoRoom)));
  step.state = AgentStep::State::kRunning;
  switch (tool->does) {
    case ProjectTool::Does::kLooks:
      Q_EMIT progressed();
      return look(*tool, ToolArguments::read(step.arguments).value_or(ToolArguments()));
    case ProjectTool::Does::kProposes:
      return finishStep(parts_.propose(step.arguments));
    case ProjectTool::Does::kRuns:
      return runCommand();
  }
}

const AgentQuestion* ToolTurn::question() const {
  return command_ ? command_->question() : nullptr;
}

void ToolTurn::answer(int number, const QString& optionId) {
  if (question() && question()->number == number) command_->answer(optionId);
}

QString ToolTurn::command() const {
  return command_ && command_->isRunning() ? steps_[running_].command : QString();
}

void ToolTurn::runCommand() {
  AgentStep& step = steps_[running_];
  if (const QString refusal = CommandCall::refusal(step.command); !refusal.isEmpty())
    return finishStep(ToolResult::error(refusal));
  if (!parts_.mayRun())
    return finishStep(ToolResult::error(QStringLiteral("No command may be run here.")));
  command_ = std::make_unique<CommandCall>(step, parts_.mayRun);
  connect(command_.get(), &CommandCall::changed, this, [this] {
    steps_[running_].output = command_->output();
    Q_EMIT progressed();
  });
  connect(command_.get(), &CommandCall::over, this, [this] {
    const ToolResult result = command_->result(mostBytes());
    command_.release()->deleteLater();
    finishStep(result);
  });
  Q_EMIT progressed();
}

void ToolTurn::look(const ProjectTool& tool, const ToolArguments& arguments) {
  ToolProject project = parts_.project();
  project.canceled = canceled_;
  // The thread knows nothing of this but the pointer, which is followed on this one.
  pool_.start([guard = QPointer<ToolTurn>(this), &tool, arguments, project = std::move(project),
               most = mostBytes()] {
    ToolResult result = tool.run(project, arguments, most);
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [guard, result = std::move(result)] {
          if (guard && !guard->isOver()) guard->finishStep(result);
        },
        Qt::QueuedConnection);
  });
}

qsizetype ToolTurn::mostBytes() const {
  return std::min(kMostResult, bytesOfTokens(parts_.room / kRoomPart));
}

void ToolTurn::finishStep(ToolResult result) {
  if (const auto may = mayShow({result.text}); !may)
    result = ToolResult::error(QString::fromLatin1(kSecret).arg(may.error().what));
  AgentStep& step = steps_[running_];
  step.state = result.isError ? AgentStep::State::kFailed : AgentStep::State::kDone;
  step.output = result.text;
  step.paths = result.paths;
  step.line = result.line;
  if (!result.title.isEmpty())
    step.title = result.title.simplified().left(AgentActivity::kMostTitle);
  parts_.room -= estimatedTokens(step.output) + estimatedTokens(step.arguments) + kTokensAroundCall;
  ++running_;
  Q_EMIT progressed();
  // From the events: many calls that fail at once would call one another.
  QTimer::singleShot(0, this, [this] {
    if (!isOver()) runNext();
  });
}

void ToolTurn::sendResults() {
  ModelRequest& request = parts_.request;
  const QString said = text().mid(roundText_).trimmed();
  if (!said.isEmpty()) request.input.append({InputItem::Kind::kAssistant, said, {}});
  const auto isOfRound = [this](const AgentStep& step) { return step.round == round_; };
  for (const AgentStep& step : std::as_const(steps_))
    if (isOfRound(step))
      request.input.append({InputItem::Kind::kToolCall, {}, {step.id, step.tool, step.arguments}});
  for (const AgentStep& step : std::as_const(steps_))
    if (isOfRound(step))
      request.input.append({InputItem::Kind::kToolOutput, step.output, {step.id, step.tool, {}}});
  // A model that only repeats itself would do so to the end.
  const bool isRepeating = std::none_of(steps_.begin(), steps_.end(), [&](const AgentStep& step) {
    return isOfRound(step) && step.output != QLatin1String(kSameCall);
  });
  if (round_ >= kMostRounds || parts_.room < kLeastRoom || isRepeating) {
    request.mayCallTools = false;
    request.input.last().text += QLatin1String(kNoMore);
  }
  send();
}

void ToolTurn::hangUp() {
  *canceled_ = true;
  // What runs is killed with it, but not while it tells of itself.
  if (command_) {
    command_->disconnect(this);
    command_.release()->deleteLater();
  }
  if (inner_) {
    inner_->disconnect(this);
    inner_->cancel();
    inner_.release()->deleteLater();
  }
  for (AgentStep& step : steps_)
    if (!step.isOver()) step.state = AgentStep::State::kCanceled;
}

}  // namespace waferpair::pairing
