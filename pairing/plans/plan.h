// SPDX-License-Identifier: GPL-3.0-or-later
// A plan: what is to be done, as steps in order, what became of each, and what was said about it.
// Values.
#pragma once

#include <QDateTime>
#include <QString>
#include <QVector>
#include <optional>

#include "pairing/commands/command_record.h"
#include "pairing/threads/thread.h"

namespace waferpair::pairing {

enum class StepState {
  kToDo,
  kRunning,
  kReview,    // its changes wait for the user's decisions
  kApproval,  // its command waits for the user's word
  kDone,
  kFailed,
  kStruck,  // it stays in the list, and is not done
};

struct PlanStep {
  QString id;  // unique in the plan
  QString text;
  StepState state = StepState::kToDo;
  std::optional<Message> answer;  // the model's, of the last run
  QString changesId;              // of a ChangeStore; empty: the step has changed nothing
  QStringList leftOver;           // changes that found no place, each with the reason
  QString command;                // that waits for approval
  QVector<CommandRecord> runs;
  QDateTime ranAt;  // when it was begun last; invalid: never
  QString problem;  // why it is where it is, for the user

  // Nobody has begun it, so that a model may change it.
  bool isOpen() const { return state == StepState::kToDo || state == StepState::kStruck; }
  bool operator==(const PlanStep&) const = default;

  static PlanStep make(const QString& text);
};

// Returns where the step is; -1: there is none.
qsizetype indexOfStep(const QVector<PlanStep>& steps, const QString& id);

// The changes that a model made in the steps, until the user accepts or undoes them.
struct PlanRevision {
  QVector<PlanStep> before;
  QVector<PlanStep> after;
  bool operator==(const PlanRevision&) const = default;
};

struct Plan {
  // Its id, title and times are the plan's. Its questions are what the user wants done, or done
  // otherwise; its answers are lists of steps.
  Thread talk;
  QVector<PlanStep> steps;
  std::optional<PlanRevision> revision;
  QStringList restored;  // steps whose changes were taken out last, in the order of their undoing

  const QString& id() const { return talk.id; }
  qsizetype indexOf(const QString& stepId) const;  // -1: there is none
  PlanStep* find(const QString& stepId);
  const PlanStep* find(const QString& stepId) const;
  // Nothing was ever said or written in it.
  bool isEmpty() const { return steps.isEmpty() && talk.messages.isEmpty(); }
  // The first that is to be done; null: there is none.
  const PlanStep* next() const;
  bool operator==(const Plan&) const = default;

  static Plan make();
};

// A step that ran when the program ended comes no further.
void endRuns(Plan* plan);

}  // namespace waferpair::pairing
