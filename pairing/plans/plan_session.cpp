// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/plan_session.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "pairing/changes/answer_changes.h"
#include "pairing/context/gather_in_background.h"
#include "pairing/edits/streamed_answer.h"
#include "pairing/plans/plan_request.h"
#include "pairing/plans/plan_revision.h"
#include "pairing/plans/task_list.h"

namespace waferpair::pairing {
namespace {

constexpr std::chrono::milliseconds kKeepAnswerEvery(500);
constexpr char kCommandMark[] = "$ ";

editor::Result<void> mayBeSent(const QString& text) {
  const QString reason = heldBack({}, {}, text.toUtf8());
  if (reason.isEmpty()) return {};
  return editor::fail(PlanSession::tr("This can't be sent: %1.").arg(reason),
                      PlanSession::tr("Take it out of the text."));
}

}  // namespace

// The work on a plan: an answer on its way, a command, or the user's own work.
struct PlanSession::Run : QObject {
  QString planId;
  QString stepId;     // empty: the plan is being written
  QString messageId;  // what was said; of a plan that is being written
  QString answerId;   // the answer to it, once there is one
  QString model, place;
  std::unique_ptr<ModelReply> reply;
  std::unique_ptr<CommandRun> command;
  bool isByHand = false;
  QVector<OpenText> before;  // the open texts when the user's own work began
  QTimer keepSoon;
};

PlanSession::PlanSession(const Services& services, QObject* parent)
    : QObject(parent), services_(services) {
  connect(services_.store, &PlanStore::problem, this, &PlanSession::problem);
  connect(services_.roster, &ModelRoster::changed, this, &PlanSession::modelsChanged);
  connect(services_.store, &PlanStore::loaded, this, [this](const QVector<Plan>& loaded) {
    // Plans that were begun meanwhile stay.
    for (const Plan& each : loaded)
      if (!find(each.id())) plans_.append(each);
    Q_EMIT plansChanged();
  });
}

// An answer that was being written is kept, and read as interrupted next time.
PlanSession::~PlanSession() {
  for (auto& [planId, run] : runs_) {
    if (run->reply) run->reply->disconnect(run.get());
    keep(planId);
  }
}

void PlanSession::setProject(const QString& folder) {
  while (!runs_.empty()) stop(runs_.begin()->first);
  folder_ = folder;
  plans_.clear();
  reviews_.clear();
  services_.changes->setProject(folder);
  services_.store->load(folder);
  Q_EMIT plansChanged();
}

// -- Plans

const Plan* PlanSession::find(const QString& planId) const {
  const auto at = std::find_if(plans_.begin(), plans_.end(),
                               [&planId](const Plan& each) { return each.id() == planId; });
  return at == plans_.end() ? nullptr : &*at;
}

Plan* PlanSession::plan(const QString& planId) {
  plans_.detach();  // so that nobody's copy is written to
  return const_cast<Plan*>(std::as_const(*this).find(planId));
}

PlanStep* PlanSession::step(const QString& planId, const QString& stepId) {
  Plan* of = plan(planId);
  return of ? of->find(stepId) : nullptr;
}

QString PlanSession::newPlan() {
  for (const Plan& each : std::as_const(plans_))
    if (each.isEmpty()) return each.id();
  plans_.prepend(Plan::make());
  Q_EMIT plansChanged();
  return plans_.constFirst().id();
}

QString PlanSession::adopt(const QString& title, const QVector<AgentPlanEntry>& entries) {
  const QString id = newPlan();
  Plan* adopted = plan(id);
  adopted->talk.title = title;
  for (const AgentPlanEntry& entry : entries) {
    PlanStep step = PlanStep::make(entry.text);
    if (entry.state == AgentPlanEntry::State::kDone) step.state = StepState::kDone;
    adopted->steps.append(step);
  }
  changed(id);
  Q_EMIT plansChanged();
  return id;
}

void PlanSession::rename(const QString& planId, const QString& title) {
  Plan* named = plan(planId);
  if (!named || title.trimmed().isEmpty()) return;
  named->talk.title = title.trimmed();
  keep(planId);
  Q_EMIT plansChanged();
}

Plan PlanSession::remove(const QString& planId) {
  stop(planId);
  const Plan* there = find(planId);
  if (!there) return {};
  const Plan removed = *there;
  plans_.removeIf([&](const Plan& each) { return each.id() == removed.id(); });
  services_.store->remove(removed.id());
  Q_EMIT plansChanged();
  return removed;
}

void PlanSession::bringBack(const Plan& removed) {
  if (find(removed.id())) return;
  plans_.prepend(removed);
  keep(removed.id());
  Q_EMIT plansChanged();
}

void PlanSession::keep(const QString& planId) {
  const Plan* kept = find(planId);
  if (kept && !kept->isEmpty()) services_.store->save(*kept);
}

void PlanSession::changed(const QString& planId) {
  if (Plan* is = plan(planId)) is->talk.changed = QDateTime::currentDateTimeUtc();
  keep(planId);
  Q_EMIT planChanged(planId);
}

// -- Steps, by hand

QString PlanSession::addStep(const QString& planId, qsizetype index, const QString& text) {
  Plan* to = plan(planId);
  if (!to || text.trimmed().isEmpty()) return {};
  const PlanStep added = PlanStep::make(text);
  to->steps.insert(std::clamp<qsizetype>(index, 0, to->steps.size()), added);
  const bool hasTitle = !to->talk.title.isEmpty();
  if (!hasTitle) to->talk.title = titleOf(added.text);
  changed(planId);
  if (!hasTitle) Q_EMIT plansChanged();
  return added.id;
}

void PlanSession::reword(const QString& planId, const QString& stepId, const QString& text) {
  PlanStep* reworded = step(planId, stepId);
  if (!reworded || text.trimmed().isEmpty() || reworded->text == text.trimmed()) return;
  // A plan that is called as its first step follows it.
  QString& title = plan(planId)->talk.title;
  const bool isTitle = title == titleOf(reworded->text);
  reworded->text = text.trimmed();
  if (isTitle) title = titleOf(reworded->text);
  changed(planId);
  if (isTitle) Q_EMIT plansChanged();
}

void PlanSession::move(const QString& planId, const QString& stepId, qsizetype to) {
  Plan* of = plan(planId);
  const qsizetype from = of ? of->indexOf(stepId) : -1;
  if (from < 0 || to < 0 || to >= of->steps.size() || to == from) return;
  of->steps.move(from, to);
  changed(planId);
}

void PlanSession::strike(const QString& planId, const QString& stepId, bool isStruck) {
  if (isStruck && runningStep(planId) == stepId) stop(planId);
  PlanStep* struck = step(planId, stepId);
  if (!struck || runningStep(planId) == stepId) return;
  if (isStruck == (struck->state == StepState::kStruck)) return;
  struck->state = isStruck ? StepState::kStruck : StepState::kToDo;
  if (isStruck) struck->command.clear();
  changed(planId);
}

void PlanSession::setDone(const QString& planId, const QString& stepId, bool isDone) {
  const auto at = runs_.find(planId);
  if (at != runs_.end() && at->second->stepId == stepId) {
    if (!at->second->isByHand || !isDone) return;
    endByHand(at->second.get());
    endRun(planId);
  }
  PlanStep* done = step(planId, stepId);
  if (!done) return;
  done->state = isDone ? StepState::kDone : StepState::kToDo;
  done->problem.clear();
  done->command.clear();
  changed(planId);
  sendNext(planId);
}

// -- What runs

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
  return {folder_,
          files,
          withMentions(text, files, step ? filesChangedBy(of) : QStringList()),
          at.open,
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
  const ModelRequest request = run->stepId.isEmpty()
                                   ? planRequest(of, of.talk.find(run->messageId)->text, context)
                                   : stepRequest(of, *of.find(run->stepId), context);
  answerOf(run)->context = context;
  answerOf(run)->figures.contextTokens = tokensOf(context);
  run->reply = chosen.endpoint->send(request);
  connect(run->reply.get(), &ModelReply::textArrived, run,
          [this, run](const QString& delta) { answerArrived(run, delta); });
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
  answerOf(run)->text += delta;
  if (!run->keepSoon.isActive()) run->keepSoon.start(kKeepAnswerEvery);
  Q_EMIT stepGrew(run->planId, run->stepId);
}

void PlanSession::answerOver(Run* run, MessageState state, const editor::Error& problem) {
  Message* answer = answerOf(run);
  answer->state = state;
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
  // Messages go on waiting behind an answer that the user stopped or that did not come.
  if (state == MessageState::kComplete) sendNext(planId);
}

// -- What the model says of the plan

editor::Result<void> PlanSession::say(const QString& planId, const QString& text) {
  Plan* of = plan(planId);
  if (!of || text.trimmed().isEmpty()) return {};
  const ModelRoster::Choice chosen = choice();
  if (!chosen.endpoint)
    return editor::fail(tr("Writing a plan takes a model. %1").arg(chosen.reason),
                        tr("Add its steps yourself, or choose a model."));
  if (const auto allowed = mayBeSent(text); !allowed) return allowed;
  const bool waits = isRunning(planId);
  const bool isFirst = of->talk.title.isEmpty();
  const QString id =
      of->talk
          .append(Message::Author::kUser, waits ? MessageState::kQueued : MessageState::kSent,
                  text.trimmed())
          .id;
  if (waits) {
    changed(planId);
  } else {
    beginMessage(planId, id);
  }
  if (isFirst) Q_EMIT plansChanged();
  return {};
}

void PlanSession::beginMessage(const QString& planId, const QString& messageId) {
  Run* run = beginRun(planId);
  run->messageId = messageId;
  changed(planId);
  gather(run);
}

void PlanSession::sendNext(const QString& planId) {
  Plan* of = plan(planId);
  const Message* waiting = of && !isRunning(planId) ? of->talk.firstQueued() : nullptr;
  if (!waiting) return;
  const QString messageId = waiting->id;
  of->talk.find(messageId)->state = MessageState::kSent;
  beginMessage(planId, messageId);
}

editor::Result<void> PlanSession::rewordMessage(const QString& planId, const QString& messageId,
                                                const QString& text) {
  if (const auto allowed = mayBeSent(text); !allowed) return allowed;
  Plan* of = plan(planId);
  Message* message = of ? of->talk.find(messageId) : nullptr;
  // It has been sent meanwhile: it is another one.
  if (!message || message->state != MessageState::kQueued) return say(planId, text);
  message->text = text.trimmed();
  changed(planId);
  return {};
}

QString PlanSession::withdraw(const QString& planId, const QString& id) {
  const QString messageId = id;  // that of the message itself would go with it
  Plan* of = plan(planId);
  const Message* message = of ? of->talk.find(messageId) : nullptr;
  if (!message || message->state != MessageState::kQueued) return {};
  const QString text = message->text;
  of->talk.messages.removeIf([&](const Message& each) { return each.id == messageId; });
  changed(planId);
  return text;
}

void PlanSession::sendNow(const QString& planId, const QString& id) {
  const QString messageId = id;
  // A command takes a moment to end, and what waits goes then.
  const bool isCommand = isCommandRunning(planId);
  stop(planId);
  if (isCommand) return;
  Plan* of = plan(planId);
  Message* message = of ? of->talk.find(messageId) : nullptr;
  if (!message || message->state != MessageState::kQueued) return;
  message->state = MessageState::kSent;
  beginMessage(planId, messageId);
}

// A revision that nobody has decided about is accepted by asking for another.
void PlanSession::takePlan(const QString& planId, const Message& answer) {
  Plan* of = plan(planId);
  const TaskList list = readTaskList(answer.text);
  if (list.items.isEmpty()) {
    Message* shown = of->talk.find(answer.id);
    shown->state = MessageState::kFailed;
    shown->problem = {tr("The model wrote no list of steps."),
                      tr("Ask again in other words, or add steps yourself.")};
    return;
  }
  const QVector<PlanStep> before = of->steps;
  of->steps = revised(before, list.items);
  of->revision = before.isEmpty() || before == of->steps
                     ? std::nullopt
                     : std::optional(PlanRevision{before, of->steps});
}

void PlanSession::acceptRevision(const QString& planId) {
  Plan* of = plan(planId);
  if (!of || !of->revision) return;
  of->revision.reset();
  changed(planId);
}

void PlanSession::undoRevision(const QString& planId) {
  Plan* of = plan(planId);
  if (!of || !of->revision) return;
  of->steps = withoutRevision(of->steps, *of->revision);
  of->revision.reset();
  changed(planId);
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
    for (const LeftOverChange& change : propose(changes, {}, made)) {
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

// -- What steps changed

ChangeReview* PlanSession::makeReview(const QString& planId, const QString& stepId) {
  const QString title = find(planId)->find(stepId)->text;
  return addReview(planId, stepId,
                   std::make_unique<ChangeReview>(
                       ChangeReview::Parts{services_.texts, services_.changes, folder_},
                       ChangeSet::make(title)));
}

ChangeReview* PlanSession::addReview(const QString& planId, const QString& stepId,
                                     std::unique_ptr<ChangeReview> review) {
  connect(review.get(), &ChangeReview::changed, this,
          [this, planId, stepId] { reviewChanged(planId, stepId); });
  return (reviews_[stepId] = std::move(review)).get();
}

ChangeReview* PlanSession::review(const QString& planId, const QString& stepId) {
  const Plan* of = find(planId);
  const PlanStep* at = of ? of->find(stepId) : nullptr;
  if (!at || at->changesId.isEmpty()) return nullptr;
  const auto known = reviews_.find(stepId);
  if (known != reviews_.end()) return known->second.get();
  const auto set = services_.changes->load(at->changesId);
  if (!set) {
    Q_EMIT problem(set.error().message());
    step(planId, stepId)->changesId.clear();
    changed(planId);
    return nullptr;
  }
  auto loaded = std::make_unique<ChangeReview>(
      ChangeReview::Parts{services_.texts, services_.changes, folder_}, *set);
  // The program may have been killed before what was accepted was in the files.
  if (at->state == StepState::kReview) loaded->reopenMissing();
  return addReview(planId, stepId, std::move(loaded));
}

// A step is done when all its changes are decided about and its command has been.
void PlanSession::reviewChanged(const QString& planId, const QString& stepId) {
  PlanStep* of = step(planId, stepId);
  const auto at = reviews_.find(stepId);
  if (!of || at == reviews_.end() || of->changesId != at->second->set().id) return;
  const ChangeSet& set = at->second->set();
  if (of->state == StepState::kReview && set.openCount() == 0) {
    const bool isIn = set.isInProject();
    of->state = !isIn                   ? StepState::kToDo
                : of->command.isEmpty() ? StepState::kDone
                                        : StepState::kApproval;
    of->problem = isIn ? QString() : tr("All its changes were rejected.");
  }
  changed(planId);
}

bool PlanSession::canRestore(const QString& planId, const QString& stepId) {
  const Plan* of = find(planId);
  const PlanStep* from = of ? of->find(stepId) : nullptr;
  if (!from || !from->ranAt.isValid() || isRunning(planId)) return false;
  const QDateTime since = from->ranAt;
  QStringList later;
  for (const PlanStep& each : of->steps)
    if (!each.changesId.isEmpty() && each.ranAt >= since) later.append(each.id);
  return std::any_of(later.begin(), later.end(), [&](const QString& id) {
    const ChangeReview* changes = review(planId, id);
    return changes && changes->set().isInProject();
  });
}

QVector<FileProblem> PlanSession::restoreBefore(const QString& planId, const QString& stepId) {
  if (!canRestore(planId, stepId)) return {};
  QVector<PlanStep> later;
  const QDateTime since = find(planId)->find(stepId)->ranAt;
  for (const PlanStep& each : find(planId)->steps)
    if (!each.changesId.isEmpty() && each.ranAt >= since) later.append(each);
  std::sort(later.begin(), later.end(),
            [](const PlanStep& a, const PlanStep& b) { return a.ranAt > b.ranAt; });
  QVector<FileProblem> problems;
  QStringList restored;
  for (const PlanStep& each : std::as_const(later)) {
    ChangeReview* changes = review(planId, each.id);
    if (!changes || !changes->set().isInProject()) continue;
    problems += changes->restore();
    if (changes->set().isInProject()) continue;
    restored.prepend(each.id);
    PlanStep* of = step(planId, each.id);
    of->state = StepState::kToDo;
    of->problem = tr("Its changes were taken out.");
  }
  if (!restored.isEmpty()) plan(planId)->restored = restored;
  changed(planId);
  return problems;
}

QVector<FileProblem> PlanSession::undoRestore(const QString& planId) {
  Plan* of = plan(planId);
  if (!of || isRunning(planId)) return {};
  QVector<FileProblem> problems;
  const QStringList restored = of->restored;
  QStringList left;
  for (const QString& id : restored) {
    ChangeReview* changes = review(planId, id);
    if (!changes) continue;
    problems += changes->undoRestore();
    if (changes->set().isRestored()) {
      left.append(id);
      continue;
    }
    PlanStep* back = step(planId, id);
    back->state = changes->set().openCount() > 0 ? StepState::kReview : StepState::kDone;
    back->problem.clear();
  }
  plan(planId)->restored = left;
  changed(planId);
  return problems;
}

}  // namespace waferpair::pairing
