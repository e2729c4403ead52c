// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/plans/plan_store.h"

#include <algorithm>
#include <memory>

#include "pairing/plans/merge_plans.h"
#include "pairing/plans/plan_json.h"

namespace waferpair::pairing {
namespace {

// A base that cannot be read is that of a plan which is not known here: an empty one.
std::optional<QByteArray> mergedPlanFiles(const QByteArray& base, const QByteArray& ours,
                                          const QByteArray& theirs) {
  const auto known = planFromJson(base), mine = planFromJson(ours), other = planFromJson(theirs);
  if (!mine || !other) return std::nullopt;
  return planToJson(mergedPlan(known.value_or(Plan()), *mine, *other));
}

}  // namespace

PlanStore::PlanStore(const QString& directory, QObject* parent)
    : QObject(parent), files_(directory, mergedPlanFiles) {
  connect(&files_, &KeptFiles::problem, this, &PlanStore::problem);
}

void PlanStore::load(const QString& folder) {
  auto plans = std::make_shared<QVector<Plan>>();
  const auto take = [plans](const QByteArray& bytes) -> editor::Result<QByteArray> {
    auto plan = planFromJson(bytes);
    if (!plan) return tl::unexpected(plan.error());
    endRuns(&*plan);
    plans->append(*plan);
    return planToJson(*plan);
  };
  files_.load(folder, take, [this, plans] {
    std::sort(plans->begin(), plans->end(),
              [](const Plan& a, const Plan& b) { return a.talk.changed > b.talk.changed; });
    Q_EMIT loaded(*plans);
  });
}

void PlanStore::save(const Plan& plan, const KeptFiles::Written& written) {
  files_.save(
      plan.id(), [plan] { return planToJson(plan); }, written);
}

}  // namespace waferpair::pairing
