// SPDX-License-Identifier: GPL-3.0-or-later
// All steps of a plan one after another, and what waits for decisions in them.
#include <algorithm>

#include "pairing/plans/plan_run.h"

namespace waferpair::pairing {

editor::Result<void> PlanSession::runAll(const QString& planId) {
  const Plan* of = find(planId);
  const PlanStep* next = of ? of->next() : nullptr;
  if (!next) return editor::fail(tr("Nothing is left to be done."), tr("Add a step."));
  if (!choice().endpoint)
    return editor::fail(tr("Carrying out all steps takes a model. %1").arg(choice().reason),
                        tr("Begin them one by one, or choose a model."));
  const QString stepId = next->id;
  if (const auto begun = run(planId, stepId); !begun) return begun;
  goesOn_.insert(planId);
  if (!isRunning(planId)) goOn(planId, stepId);
  Q_EMIT planChanged(planId);
  return {};
}

// Why nothing follows the step; empty: the next one does.
QString PlanSession::endBehind(const Plan& of, const PlanStep& step) const {
  const QString text = step.text.section(u'\n', 0, 0);
  if (of.talk.firstQueued()) return tr("What you said goes first.");
  if (step.state == StepState::kApproval || !step.command.isEmpty())
    return tr("“%1” ends in a command, which waits for your word.").arg(text);
  if (!step.leftOver.isEmpty()) return tr("“%1” has changes without a place.").arg(text);
  if (step.state != StepState::kReview && step.state != StepState::kDone)
    return tr("“%1” was not done.").arg(text);
  if (of.next()) return {};
  return tr("All steps were carried out.");
}

void PlanSession::goOn(const QString& planId, const QString& stepId) {
  const Plan* of = find(planId);
  const PlanStep* ran = of ? of->find(stepId) : nullptr;
  if (!goesOn_.contains(planId) || isRunning(planId)) return;
  QString end = ran ? endBehind(*of, *ran) : tr("The step was taken out.");
  if (end.isEmpty()) {
    const QString next = of->next()->id;
    if (const auto begun = run(planId, next); !begun) {
      end = begun.error().message();
    } else if (!isRunning(planId)) {
      return goOn(planId, next);
    }
  }
  if (end.isEmpty()) return;
  goesOn_.remove(planId);
  endsOfAll_[planId] = end;
  Q_EMIT planChanged(planId);
}

qsizetype PlanSession::toReview(const QString& planId) const {
  const Plan* of = find(planId);
  if (!of) return 0;
  return std::count_if(of->steps.cbegin(), of->steps.cend(),
                       [](const PlanStep& step) { return step.state == StepState::kReview; });
}

QVector<ChangeReview*> PlanSession::waiting(const QString& planId) {
  QVector<PlanStep> steps;
  if (const Plan* of = find(planId)) steps = of->steps;
  steps.removeIf([](const PlanStep& step) { return step.state != StepState::kReview; });
  std::stable_sort(steps.begin(), steps.end(),
                   [](const PlanStep& a, const PlanStep& b) { return a.ranAt < b.ranAt; });
  QVector<ChangeReview*> found;
  for (const PlanStep& step : std::as_const(steps))
    if (ChangeReview* changes = review(planId, step.id)) found.append(changes);
  return found;
}

// What the user has changed meanwhile is in them. Where both touch the same lines the earlier text
// stays, and what is made for it is refused when it comes to its place.
QHash<QString, editor::Snapshot> PlanSession::wantedTexts(const Plan& of,
                                                          const PlanStep& step) const {
  QVector<PlanStep> others = of.steps;
  others.removeIf([&step](const PlanStep& each) {
    return each.id == step.id || each.state != StepState::kReview || each.changesId.isEmpty();
  });
  std::stable_sort(others.begin(), others.end(),
                   [](const PlanStep& a, const PlanStep& b) { return a.ranAt < b.ranAt; });
  QHash<QString, FileText> texts;
  for (const PlanStep& each : std::as_const(others)) {
    const auto set = services_.changes->load(each.changesId);
    if (!set) continue;
    for (const ChangedFile& file : set->files) {
      if (file.openCount() == 0) continue;
      auto now = texts.constFind(file.path);
      if (now == texts.cend()) {
        const auto read = services_.texts->read(folder_ + u'/' + file.path);
        if (!read) continue;
        now = texts.insert(file.path, *read);
      }
      if (const auto merged = carried(file.path, file.left(), file.wanted(), *now))
        texts[file.path] = *merged;
    }
  }
  QHash<QString, editor::Snapshot> wanted;
  for (auto each = texts.cbegin(); each != texts.cend(); ++each)
    if (each->exists) wanted.insert(each.key(), each->text);
  return wanted;
}

}  // namespace waferpair::pairing
