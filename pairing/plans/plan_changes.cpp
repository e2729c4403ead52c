// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of a plan changed: reviewed, taken out and put back.
#include <algorithm>

#include "pairing/plans/plan_run.h"

namespace waferpair::pairing {

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
