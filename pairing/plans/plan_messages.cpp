// SPDX-License-Identifier: GPL-3.0-or-later
// What is said about a plan, and what the model makes of the plan for it.
#include <algorithm>

#include "pairing/plans/plan_revision.h"
#include "pairing/plans/plan_run.h"
#include "pairing/plans/task_list.h"

namespace waferpair::pairing {

editor::Result<void> PlanSession::mayBeSent(const QString& text) {
  const QString reason = heldBack({}, {}, text.toUtf8());
  if (reason.isEmpty()) return {};
  return editor::fail(tr("This can't be sent: %1.").arg(reason), tr("Take it out of the text."));
}

editor::Result<void> PlanSession::say(const QString& planId, const QString& text) {
  Plan* of = plan(planId);
  if (!of || text.trimmed().isEmpty()) return {};
  if (const auto free = hasNoAgent(planId); !free) return free;
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

qsizetype PlanSession::mostStepsOf(const QString& planId) const {
  return find(planId)->steps.size() + kMostNewSteps;
}

// A revision that nobody has decided about is accepted by asking for another.
void PlanSession::takePlan(const QString& planId, const Message& answer) {
  Plan* of = plan(planId);
  TaskList list = readTaskList(answer.text);
  if (list.items.isEmpty()) {
    Message* shown = of->talk.find(answer.id);
    shown->state = MessageState::kFailed;
    shown->problem = {tr("The model wrote no list of steps."),
                      tr("Ask again in other words, or add steps yourself.")};
    return;
  }
  if (const qsizetype most = mostStepsOf(planId); list.items.size() > most) {
    list.items.resize(most);
    of->talk.find(answer.id)->problem = {
        tr("The model went on beyond %1 steps. The list ends there.").arg(most),
        tr("Strike what you do not need, or ask for fewer steps.")};
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

}  // namespace waferpair::pairing
