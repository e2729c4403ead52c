// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/agent_plan.h"

#include "pairing/plans/plan_revision.h"
#include "pairing/plans/task_list.h"

namespace waferpair::pairing {
namespace {

StepState stateOf(AgentPlanEntry::State state, bool isOver) {
  switch (state) {
    case AgentPlanEntry::State::kPending:
      return StepState::kToDo;
    case AgentPlanEntry::State::kRunning:
      return isOver ? StepState::kToDo : StepState::kRunning;
    case AgentPlanEntry::State::kDone:
      return StepState::kDone;
  }
  Q_UNREACHABLE();
}

// Returns the steps that were told, as the entries have them: those with the same words keep their
// ids, those that are not among the entries are struck.
QVector<PlanStep> retold(QVector<PlanStep> told, const QVector<AgentPlanEntry>& entries,
                         bool isOver) {
  for (PlanStep& step : told) step.state = StepState::kToDo;
  QVector<TaskItem> items;
  for (const AgentPlanEntry& entry : entries) items.append({entry.text.simplified()});
  QVector<PlanStep> now = revised(told, items);
  qsizetype next = 0;
  for (PlanStep& step : now)
    if (step.state != StepState::kStruck) step.state = stateOf(entries[next++].state, isOver);
  Q_ASSERT(next == entries.size());  // revised() leaves the steps to do in the items' order
  return now;
}

}  // namespace

bool AgentPlan::takeInto(Plan* plan, const QVector<AgentPlanEntry>& entries, bool isOver) {
  const QVector<PlanStep> now = retold(told_, entries, isOver);
  if (now == told_) return false;
  QVector<PlanStep> added;
  for (const PlanStep& step : now) {
    const qsizetype at = indexOfStep(told_, step.id);
    PlanStep* mine = plan->find(step.id);
    if (mine && at >= 0) {
      if (mine->text == told_[at].text) mine->text = step.text;
      if (mine->state == told_[at].state) mine->state = step.state;
    }
    if (mine || at < 0) added.append(step);
  }
  putBack(added, &plan->steps);
  told_ = now;
  return true;
}

}  // namespace waferpair::pairing
