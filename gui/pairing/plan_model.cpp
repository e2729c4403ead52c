// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/plan_model.h"

#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/kit/icons.h"

namespace waferpair::gui {
namespace {

using pairing::PlanStep;
using pairing::StepMark;
using pairing::StepState;

QIcon stateIcon(StepState state) {
  switch (state) {
    case StepState::kToDo:
      return icon(QStringLiteral("chevron-right"));
    case StepState::kRunning:
      return icon(QStringLiteral("play"), IconTint::kAccent);
    case StepState::kReview:
    case StepState::kApproval:
      return icon(QStringLiteral("pause"), IconTint::kWarning);
    case StepState::kDone:
      return icon(QStringLiteral("check"), IconTint::kAccent);
    case StepState::kFailed:
      return icon(QStringLiteral("error"), IconTint::kDanger);
    case StepState::kStruck:
      return icon(QStringLiteral("close"));
  }
  Q_UNREACHABLE();
}

QString stateWords(StepState state) {
  switch (state) {
    case StepState::kToDo:
      return {};
    case StepState::kRunning:
      return PlanModel::tr("running…");
    case StepState::kReview:
      return PlanModel::tr("its changes wait for you");
    case StepState::kApproval:
      return PlanModel::tr("its command waits for your word");
    case StepState::kDone:
      return PlanModel::tr("done");
    case StepState::kFailed:
      return PlanModel::tr("failed");
    case StepState::kStruck:
      return PlanModel::tr("struck");
  }
  Q_UNREACHABLE();
}

QStringList markWords(pairing::StepMarks marks) {
  QStringList words;
  if (marks.testFlag(StepMark::kAdded)) words.append(PlanModel::tr("added by the model"));
  if (marks.testFlag(StepMark::kReworded)) words.append(PlanModel::tr("reworded by the model"));
  if (marks.testFlag(StepMark::kMoved)) words.append(PlanModel::tr("moved by the model"));
  if (marks.testFlag(StepMark::kStruck)) words.append(PlanModel::tr("struck by the model"));
  return words;
}

}  // namespace

PlanModel::PlanModel(pairing::PlanSession* session, QObject* parent)
    : QAbstractListModel(parent), session_(session) {}

bool PlanModel::show(const QString& planId) {
  const pairing::Plan* plan = session_->find(planId);
  const QVector<PlanStep> steps = plan ? plan->steps : QVector<PlanStep>();
  const bool isSame = planId == planId_ &&
                      std::equal(steps.begin(), steps.end(), steps_.begin(), steps_.end(),
                                 [](const PlanStep& a, const PlanStep& b) { return a.id == b.id; });
  if (!isSame) beginResetModel();
  planId_ = planId;
  steps_ = steps;
  marks_ = plan && plan->revision ? pairing::marksOf(*plan->revision)
                                  : QHash<QString, pairing::StepMarks>();
  isByHand_ = session_->isByHand(planId);
  if (!isSame) {
    endResetModel();
    return true;
  }
  if (!steps_.isEmpty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(steps_.size()) - 1));
  return false;
}

QString PlanModel::stepAt(int row) const {
  return row >= 0 && row < steps_.size() ? steps_[row].id : QString();
}

int PlanModel::rowOf(const QString& stepId) const {
  return static_cast<int>(pairing::indexOfStep(steps_, stepId));
}

int PlanModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(steps_.size());
}

QString PlanModel::noteOf(const PlanStep& step) const {
  QStringList words;
  const bool isByHand = step.state == StepState::kRunning && isByHand_;
  const bool isMarked = marks_.value(step.id).testFlag(StepMark::kStruck);  // which says so
  const QString state = isMarked   ? QString()
                        : isByHand ? tr("in your hands: Space when it is done")
                                   : stateWords(step.state);
  if (!state.isEmpty()) words.append(state);
  words += markWords(marks_.value(step.id));
  if (!step.problem.isEmpty()) words.append(step.problem);
  return words.join(QStringLiteral(" · "));
}

QVariant PlanModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= steps_.size()) return {};
  const PlanStep& step = steps_[index.row()];
  switch (role) {
    case Qt::EditRole:
      return step.text;
    case Qt::DisplayRole:
      return editor::oneLineForm(step.text);
    case Qt::DecorationRole:
      return stateIcon(step.state);
    case Qt::AccessibleTextRole: {
      const QString note = noteOf(step);
      const QString text =
          QStringLiteral("%1. %2").arg(index.row() + 1).arg(editor::oneLineForm(step.text));
      return note.isEmpty() ? text : text + QStringLiteral(", ") + editor::oneLineForm(note);
    }
    case Qt::ToolTipRole:
    case kNoteRole:
      return noteOf(step);
    case kStruckRole:
      return step.state == StepState::kStruck;
    case kMarkedRole:
      return marks_.contains(step.id);
    default:
      return {};
  }
}

bool PlanModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid()) return false;
  session_->reword(planId_, stepAt(index.row()), value.toString());
  return true;
}

Qt::ItemFlags PlanModel::flags(const QModelIndex& index) const {
  return QAbstractListModel::flags(index) | Qt::ItemIsEditable;
}

}  // namespace waferpair::gui
