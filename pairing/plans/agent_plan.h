// SPDX-License-Identifier: GPL-3.0-or-later
// The plan that an agent keeps for itself while it works, as steps of a plan of the user's, who may
// edit them meanwhile. Values.
#pragma once

#include "pairing/plans/plan.h"

namespace waferpair::pairing {

class AgentPlan {
 public:
  // Brings what the agent has changed since it was heard last into `plan`: new entries become steps
  // behind those that they come behind, and what the agent has dropped is struck. A text or a state
  // that the user has changed stays. `isOver`: the agent has ended; what it had begun is to do.
  // Returns whether anything is new to it.
  bool takeInto(Plan* plan, const QVector<AgentPlanEntry>& entries, bool isOver);

 private:
  QVector<PlanStep> told_;  // as the agent told them last; the ids are those of the plan's steps
};

}  // namespace waferpair::pairing
