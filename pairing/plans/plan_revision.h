// SPDX-License-Identifier: GPL-3.0-or-later
// The changes that a model's list of steps makes in a plan: marked, and taken back as one. Values.
#pragma once

#include <QFlags>
#include <QHash>
#include <QString>

#include "pairing/plans/plan.h"
#include "pairing/plans/task_list.h"

namespace waferpair::pairing {

// The steps as the list has them. Each of its items becomes the step with the same text, else one
// with most of the same words, else a new one. Steps that somebody has begun stay as they are and
// where they are; an open one that the list has no more is struck.
QVector<PlanStep> revised(const QVector<PlanStep>& steps, const QVector<TaskItem>& items);

// Puts those of `kept` that `steps` lacks behind the step that they came behind there.
void putBack(const QVector<PlanStep>& kept, QVector<PlanStep>* steps);

enum class StepMark {
  kAdded = 1,
  kReworded = 2,
  kMoved = 4,
  kStruck = 8,
};
Q_DECLARE_FLAGS(StepMarks, StepMark)
Q_DECLARE_OPERATORS_FOR_FLAGS(StepMarks)

// Returns what the revision did to each step, by id; steps that it left alone are not in it.
QHash<QString, StepMarks> marksOf(const PlanRevision& revision);

// The steps without the revision. What the user has changed since, and steps that were begun or
// added since, stay.
QVector<PlanStep> withoutRevision(const QVector<PlanStep>& steps, const PlanRevision& revision);

}  // namespace waferpair::pairing
