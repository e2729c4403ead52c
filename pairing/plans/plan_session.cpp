// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/plan_session.h"

#include <algorithm>

#include "pairing/plans/plan_run.h"

namespace waferpair::pairing {

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
  adopted_.clear();
  goesOn_.clear();
  endsOfAll_.clear();
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

QString PlanSession::adopt(const QString& title, const Message& answer) {
  const auto known = adopted_.find(answer.id);
  if (known != adopted_.end() && find(known->second.planId)) return known->second.planId;
  const QString id = newPlan();
  plan(id)->talk.title = title;
  adopted_[answer.id] = {id, {}, false};
  follow(answer);
  Q_EMIT plansChanged();
  return id;
}

void PlanSession::follow(const Message& answer) {
  const auto at = adopted_.find(answer.id);
  if (at == adopted_.end() || at->second.isOver) return;
  Adopted& adopted = at->second;
  adopted.isOver = answer.state != MessageState::kStreaming;
  Plan* of = plan(adopted.planId);
  if (!of) return;
  const bool isNew = adopted.told.takeInto(of, answer.plan, adopted.isOver);
  if (isNew || adopted.isOver) changed(adopted.planId);
}

bool PlanSession::isFollowing(const QString& planId) const {
  return std::any_of(adopted_.begin(), adopted_.end(), [&planId](const auto& each) {
    return each.second.planId == planId && !each.second.isOver;
  });
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

}  // namespace waferpair::pairing
