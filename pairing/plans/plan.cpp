// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/plan.h"

#include <QUuid>
#include <algorithm>
#include <utility>

#include "editor/text/translate.h"

namespace waferpair::pairing {

PlanStep PlanStep::make(const QString& text) {
  PlanStep step;
  step.id = QUuid::createUuid().toString(QUuid::Id128);
  step.text = text.trimmed();
  return step;
}

Plan Plan::make() {
  Plan plan;
  plan.talk = Thread::make();
  return plan;
}

qsizetype indexOfStep(const QVector<PlanStep>& steps, const QString& id) {
  const auto at = std::find_if(steps.begin(), steps.end(),
                               [&id](const PlanStep& step) { return step.id == id; });
  return at == steps.end() ? -1 : at - steps.begin();
}

qsizetype Plan::indexOf(const QString& stepId) const { return indexOfStep(steps, stepId); }

const PlanStep* Plan::find(const QString& stepId) const {
  const qsizetype index = indexOf(stepId);
  return index < 0 ? nullptr : &steps[index];
}

PlanStep* Plan::find(const QString& stepId) {
  const qsizetype index = indexOf(stepId);
  return index < 0 ? nullptr : &steps[index];
}

const PlanStep* Plan::next() const {
  const auto at = std::find_if(steps.begin(), steps.end(),
                               [](const PlanStep& step) { return step.state == StepState::kToDo; });
  return at == steps.end() ? nullptr : &*at;
}

void endRuns(Plan* plan) {
  endStreams(&plan->talk);
  for (PlanStep& step : plan->steps) {
    if (step.answer && step.answer->state == MessageState::kStreaming)
      step.answer->state = MessageState::kInterrupted;
    if (step.state != StepState::kRunning) continue;
    step.state = StepState::kToDo;
    step.problem = translate("The program ended while it ran.");
  }
}

}  // namespace waferpair::pairing
