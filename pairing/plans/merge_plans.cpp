// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/merge_plans.h"

#include "pairing/plans/plan_revision.h"
#include "pairing/threads/merge_threads.h"

namespace waferpair::pairing {

Plan mergedPlan(const Plan& base, const Plan& ours, const Plan& theirs) {
  Plan merged = ours;
  merged.talk = mergedThread(base.talk, ours.talk, theirs.talk);
  for (PlanStep& step : merged.steps) {
    const PlanStep* before = base.find(step.id);
    const PlanStep* there = theirs.find(step.id);
    if (there && before && step == *before) step = *there;
  }
  QVector<PlanStep> added = theirs.steps;
  added.removeIf([&](const PlanStep& step) { return base.find(step.id) && !ours.find(step.id); });
  putBack(added, &merged.steps);
  if (ours.revision == base.revision) merged.revision = theirs.revision;
  return merged;
}

}  // namespace waferpair::pairing
