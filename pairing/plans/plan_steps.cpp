// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a plan being carried out: by the model, by a command or by hand.
#include <chrono>
#include <tuple>

#include "pairing/changes/answer_changes.h"
#include "pairing/context/gather_in_background.h"
#include "pairing/edits/streamed_answer.h"
#include "pairing/plans/plan_request.h"
#include "pairing/plans/plan_run.h"
#include "pairing/plans/task_list.h"
#include "pairing/request/reply_wait.h"

namespace waferpair::pairing {
namespace {

constexpr std::chrono::milliseconds kKeepAnswerEvery(500);
constexpr char kCommandMark[] = "$ ";

}  // namespace

PlanSession::Run* PlanSession::beginRun(const QString& planId) {
  Q_ASSERT(!isRunning(planId));
  auto made = std::make_unique<Run>();
  Run* run = made.get();
  run->planId = planId;
  run->keepSoon.setSingleShot(true);
  connect(&run->keepSoon, &QTimer::timeout, run, [this, planId] { keep(planId); });
  runs_[planId] = std::move(made);
  return run;
}

// Whoever calls this may be in the middle of what the run told.
void PlanSession::endRun(const QString& id) {
  const QString planId = id;  // it may be the run's own
  const auto at = runs_.find(planId);
  Run* run = at->second.release();
  runs_.erase(at);
  run->keepSoon.stop();
  run->disconnect();
  if (run->reply) run->reply.release()->deleteLater();
  if (run->command) run->command.release()->deleteLater();
  run->deleteLater();
}

QString PlanSession::runningStep(const QString& planId) const {
  const auto at = runs_.find(planId);
  return at == runs_.end() ? QString() : at->second->stepId;
}

bool PlanSession::isByHand(const QString& planId) const {
  const auto at = runs_.find(planId);
  return at != runs_.end() && at->second->isByHand;
}

bool PlanSession::isCommandRunning(const QString& planId) const {
  const auto at = runs_.find(planId);
  return at != runs_.end() && at->second->command;
}

std::optional<CommandRecord> PlanSession::runningCommand(const QString& planId) const {
  if (!isCommandRunning(planId)) return std::nullopt;
  return runs_.at(planId)->command->record();
}

bool PlanSession::stop(const QString& planId) {
  goesOn_.remove(planId);
  const auto at = runs_.find(planId);
  if (at == runs_.end()) return false;
  Run* run = at->second.get();
  if (run->command) {
    run->command->stop();
  } else if (run->isByHand) {
    const QString stepId = run->stepId;
    endByHand(run);
    endRun(planId);
    if (PlanStep* stopped = step(planId, stepId)) stopped->state = StepState::kToDo;
    changed(planId);
  } else {
    if (run->reply) run->reply->disconnect(run);
    if (run->reply) run->reply->cancel();
    answerOver(run, MessageState::kInterrupted, {});
  }
  return true;
}

editor::Result<void> PlanSession::run(const QString& planId, const QString& stepId) {
  PlanStep* begun = step(planId, stepId);
  if (!begun) return {};
  if (isRunning(planId))
    return editor::fail(tr("This plan is already running."), tr("Stop it first (Esc)."));
  if (const auto free = hasNoAgent(planId); !free) return free;
  endsOfAll_.remove(planId);
  if (folder_.isEmpty())
    return editor::fail(tr("No folder is open."), tr("Open the project's folder."));
  const bool isCommand = begun->text.startsWith(QLatin1String(kCommandMark));
  const bool hasModel = choice().endpoint != nullptr;
  if (!isCommand && hasModel)
    if (const auto allowed = mayBeSent(begun->text); !allowed) return allowed;
  // This decides the changes that an earlier run of it has left open: they are not wanted.
  if (!begun->changesId.isEmpty())
    if (ChangeReview* old = review(planId, stepId)) std::ignore = old->rejectAll();
  begun = step(planId, stepId);
  begun->problem.clear();
  begun->leftOver.clear();
  begun->ranAt = QDateTime::currentDateTimeUtc();
  if (isCommand) {
    begun->command = begun->text.sliced(QLatin1String(kCommandMark).size()).trimmed();
    begun->state = StepState::kApproval;
    changed(planId);
    return {};
  }
  begun->command.clear();
  begun->state = StepState::kRunning;
  begun->answer.reset();
  if (!hasModel) {
    beginByHand(planId, stepId);
    return {};
  }
  Run* run = beginRun(planId);
  run->stepId = stepId;
  changed(planId);
  gather(run);
  return {};
}

editor::Result<void> PlanSession::hasNoAgent(const QString& planId) const {
  if (!isFollowing(planId)) return {};
  return editor::fail(tr("An agent is working on this plan."),
                      tr("Wait for it, or stop it in Ask."));
}

QStringList PlanSession::filesChangedBy(const Plan& of) const {
  QStringList files;
  for (const PlanStep& each : of.steps) {
    if (each.changesId.isEmpty() || each.state == StepState::kStruck) continue;
    const auto set = services_.changes->load(each.changesId);
    if (!set) continue;
    for (const ChangedFile& file : set->files) files.append(file.path);
  }
  return files;
}

ContextUse PlanSession::useOf(const Plan& of, const PlanStep* step, const QString& wish) const {
  const ModelRoster::Choice chosen = choice();
  const qint64 contextTokens = chosen.model ? chosen.model->contextTokens : -1;
  return step ? stepUse(of, *step, contextTokens) : planUse(of, wish, contextTokens);
}

ContextRequest PlanSession::contextRequest(const Plan& of, const PlanStep* step,
                                           const QString& wish) const {
  const Surroundings at = services_.surroundings();
  const QStringList files = services_.search->files();
  const QString text = step ? of.talk.title + u'\n' + step->text : wish;
  QVector<OpenText> open = at.open;
  const auto wanted = step ? wantedTexts(of, *step) : QHash<QString, editor::Snapshot>();
  for (auto each = wanted.cbegin(); each != wanted.cend(); ++each) {
    const QString path = folder_ + u'/' + each.key();
    open.removeIf([&path](const OpenText& one) { return one.path == path; });
    open.append({path, each.key(), each.value()});
  }
  return {folder_,
          files,
          withMentions(text, files, step ? filesChangedBy(of) : QStringList()),
          open,
          at.selection,
          at.problems,
          services_.search->passages(),
          {},
          useOf(of, step, wish).free()};
}

void PlanSession::preview(const QString& planId, const QString& stepId, const QString& wish,
                          QObject* receiver,
                          std::function<void(const ContextPreview& preview)> told) {
  const Plan* of = find(planId);
  if (!of) return;
  const PlanStep* step = of->find(stepId);
  gatherInBackground(
      contextRequest(*of, step, wish), {}, receiver,
      [use = useOf(*of, step, wish), told = std::move(told)](const GatheredContext& gathered) {
        ContextPreview preview{gathered.items, use};
        preview.use.files = tokensOf(preview.context);
        told(preview);
      });
}

void PlanSession::gather(Run* run) {
  services_.search->whenRead(run, [this, run] {
    const Plan& of = *find(run->planId);
    const Message* wish = of.talk.find(run->messageId);
    gatherInBackground(contextRequest(of, of.find(run->stepId), wish ? wish->text : QString()), {},
                       run,
                       [this, run](const GatheredContext& gathered) { send(run, gathered.items); });
  });
}

void PlanSession::send(Run* run, const QVector<ContextItem>& context) {
  const ModelRoster::Choice chosen = choice();
  if (!chosen.endpoint)  // not any more
    return answerOver(run, MessageState::kFailed, {chosen.reason, tr("Choose another model.")});
  run->model = chosen.model->name;
  run->place = chosen.model->place();
  const Plan& of = *find(run->planId);
  const auto planned = [&] {
    const QString& wish = of.talk.find(run->messageId)->text;
    if (!chosen.model->keepsForms) return planRequest(of, wish, context);
    return formedPlanRequest(of, wish, context, services_.search->files());
  };
  ModelRequest wanted =
      run->stepId.isEmpty() ? planned() : stepRequest(of, *of.find(run->stepId), context);
  wanted.waitsOut = true;
  const auto request = ShownRequest::of(std::move(wanted));
  answerOf(run)->context = context;
  answerOf(run)->figures.contextTokens = tokensOf(context);
  if (!request) return answerOver(run, MessageState::kFailed, request.error());
  run->reply = chosen.endpoint->send(*request);
  connect(run->reply.get(), &ModelReply::textArrived, run,
          [this, run](const QString& delta) { answerArrived(run, delta); });
  connect(run->reply.get(), &ModelReply::waited, run, [this, run] {
    answerOf(run)->progress = progressText(*run->reply);
    Q_EMIT stepGrew(run->planId, run->stepId);
  });
  connect(run->reply.get(), &ModelReply::finished, run, [this, run](ReplyDone done) {
    using Reason = ReplyDone::Reason;
    if (done.reason == Reason::kLength)
      return answerOver(run, MessageState::kFailed,
                        {tr("The answer is as long as the model may write, and not whole."),
                         tr("Ask for less at a time.")});
    if (done.reason == Reason::kFiltered)
      return answerOver(run, MessageState::kFailed,
                        {tr("The endpoint's filter ended the answer."), tr("Reword it.")});
    answerOver(run, MessageState::kComplete, {});
  });
  connect(run->reply.get(), &ModelReply::failed, run, [this, run](const ReplyFailure& failure) {
    answerOver(run, MessageState::kFailed, failure);
  });
  Q_EMIT planChanged(run->planId);
}

// Made when it is first asked for.
Message* PlanSession::answerOf(Run* run) {
  Plan* of = plan(run->planId);
  if (run->stepId.isEmpty()) {
    if (run->answerId.isEmpty())
      run->answerId = of->talk.append(Message::Author::kModel, MessageState::kStreaming, {}).id;
    Message* answer = of->talk.find(run->answerId);
    answer->figures.model = run->model;
    answer->figures.place = run->place;
    return answer;
  }
  std::optional<Message>& answer = of->find(run->stepId)->answer;
  if (!answer) {
    answer.emplace();
    answer->id = run->stepId;
    answer->author = Message::Author::kModel;
    answer->state = MessageState::kStreaming;
    answer->time = QDateTime::currentDateTimeUtc();
  }
  answer->figures.model = run->model;
  answer->figures.place = run->place;
  return &*answer;
}

void PlanSession::answerArrived(Run* run, const QString& delta) {
  Message* answer = answerOf(run);
  answer->text += delta;
  answer->progress = progressText(*run->reply);
  if (run->stepId.isEmpty() && delta.contains(u'\n') &&
      readTaskList(answer->text).items.size() > mostStepsOf(run->planId)) {
    run->reply->disconnect(run);
    run->reply->cancel();
    return answerOver(run, MessageState::kComplete, {});
  }
  if (!run->keepSoon.isActive()) run->keepSoon.start(kKeepAnswerEvery);
  Q_EMIT stepGrew(run->planId, run->stepId);
}

void PlanSession::answerOver(Run* run, MessageState state, const editor::Error& problem) {
  Message* answer = answerOf(run);
  answer->state = state;
  answer->progress.clear();
  answer->problem = problem;
  if (run->reply) answer->figures.take(*run->reply);
  const QString planId = run->planId, stepId = run->stepId;
  const Message whole = *answer;
  endRun(planId);
  if (!stepId.isEmpty()) {
    takeStep(planId, stepId, state == MessageState::kComplete);
  } else if (state == MessageState::kComplete) {
    takePlan(planId, whole);
  }
  changed(planId);
  if (!stepId.isEmpty()) goOn(planId, stepId);
  // Messages go on waiting behind an answer that the user stopped or that did not come.
  if (state == MessageState::kComplete) sendNext(planId);
}

// -- What the model makes of a step

void PlanSession::takeStep(const QString& planId, const QString& stepId, bool isWhole) {
  PlanStep* of = step(planId, stepId);
  if (!of) return;
  const Message answer = *of->answer;
  if (!isWhole) {
    const bool isStopped = answer.state == MessageState::kInterrupted;
    of->state = isStopped ? StepState::kToDo : StepState::kFailed;
    of->problem = isStopped ? tr("It was stopped.") : answer.problem.message();
    return;
  }
  StreamedAnswer reader;
  reader.feed(answer.text);
  reader.finish(true);
  QVector<ProposedChange> changes = reader.takeChanges();
  // A block without a file's name is a command, or an example.
  changes.removeIf([](const ProposedChange& change) { return change.path.isEmpty(); });
  const QString command = commandIn(answer.text);
  of->command = command;
  QStringList leftOver;
  for (const AnswerProblem& problem : reader.problems()) leftOver.append(problem.what);
  qsizetype open = 0;
  if (!changes.isEmpty()) {
    ChangeReview* made = makeReview(planId, stepId);
    const auto wanted = wantedTexts(*find(planId), *find(planId)->find(stepId));
    const auto shown = [&wanted](const QString& path) -> std::optional<editor::Snapshot> {
      const auto text = wanted.constFind(path);
      return text == wanted.cend() ? std::nullopt : std::optional(*text);
    };
    for (const LeftOverChange& change : propose(changes, {}, made, shown)) {
      const QString where = change.path.isEmpty() ? QString() : change.path + QStringLiteral(": ");
      leftOver.append(where + change.why.message() + u'\n' + QString::fromUtf8(change.text));
    }
    open = made->set().openCount();
    of = step(planId, stepId);
    of->changesId = open > 0 ? made->set().id : QString();
    if (open == 0) reviews_.erase(stepId);
  }
  of->leftOver = leftOver;
  if (open > 0) {
    of->state = StepState::kReview;
  } else if (!command.isEmpty()) {
    of->state = StepState::kApproval;
  } else {
    of->state = StepState::kFailed;
    of->problem = leftOver.isEmpty()
                      ? tr("The model wrote no change and no command. Reword the step, or say that "
                           "it is done.")
                      : tr("What the model wrote has no place in the files.");
  }
}

// -- Commands

void PlanSession::approve(const QString& planId, const QString& stepId, const QString& command) {
  PlanStep* of = step(planId, stepId);
  if (!of || of->state != StepState::kApproval || isRunning(planId) || command.trimmed().isEmpty())
    return;
  of->command = command;
  of->state = StepState::kRunning;
  of->problem.clear();
  Run* run = beginRun(planId);
  run->stepId = stepId;
  run->command = std::make_unique<CommandRun>(command, folder_);
  connect(run->command.get(), &CommandRun::grew, run,
          [this, run] { Q_EMIT stepGrew(run->planId, run->stepId); });
  connect(run->command.get(), &CommandRun::finished, run, [this, run] {
    const QString planOf = run->planId, stepOf = run->stepId;
    const CommandRecord record = run->command->record();
    const QString wrong = run->command->problem();
    endRun(planOf);
    PlanStep* ran = step(planOf, stepOf);
    if (!ran) return;
    ran->runs.append(record);
    const bool isGood = record.exitCode == 0;
    // A command that failed may be run again, changed or not.
    ran->state = isGood ? StepState::kDone : StepState::kFailed;
    if (isGood) ran->command.clear();
    if (!wrong.isEmpty()) {
      ran->problem = wrong;
    } else if (!record.exitCode) {
      ran->problem = tr("The command was stopped.");
    } else if (!isGood) {
      ran->problem = tr("The command ended with status %1.").arg(*record.exitCode);
    }
    changed(planOf);
    sendNext(planOf);
  });
  changed(planId);
}

void PlanSession::decline(const QString& planId, const QString& stepId) {
  PlanStep* of = step(planId, stepId);
  if (!of || of->state != StepState::kApproval) return;
  of->command.clear();
  const bool hasDone = !of->changesId.isEmpty();
  of->state = hasDone ? StepState::kDone : StepState::kToDo;
  of->problem = tr("The command was not run.");
  changed(planId);
}

// -- By hand

void PlanSession::beginByHand(const QString& planId, const QString& stepId) {
  Run* run = beginRun(planId);
  run->stepId = stepId;
  run->isByHand = true;
  run->before = services_.surroundings().open;
  changed(planId);
}

// Records what has become of the texts that were open, as something that was made in this step.
void PlanSession::endByHand(Run* run) {
  QVector<std::pair<OpenText, FileText>> changedTexts;
  for (const OpenText& text : std::as_const(run->before)) {
    if (!text.path.startsWith(folder_ + u'/')) continue;
    const auto now = services_.texts->read(text.path);
    if (now && now->exists && now->text != text.text) changedTexts.append({text, *now});
  }
  if (changedTexts.isEmpty()) return;
  ChangeReview* made = makeReview(run->planId, run->stepId);
  for (const auto& [before, now] : std::as_const(changedTexts))
    std::ignore = made->put(before.path, now.holding(before.text), now, ChangedFile::Origin::kMade);
  for (qsizetype i = 0; i < made->set().files.size(); ++i) std::ignore = made->accept({i, -1});
  step(run->planId, run->stepId)->changesId = made->set().id;
}

}  // namespace waferpair::pairing
