// SPDX-License-Identifier: GPL-3.0-or-later
// A plan's steps as rows of a list: their text, which can be edited, how they stand, and what a
// model changed. UI thread only.
#pragma once

#include <QAbstractListModel>
#include <QHash>

#include "pairing/plans/plan_revision.h"
#include "pairing/plans/plan_session.h"

namespace waferpair::gui {

class PlanModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role {
    kNoteRole = Qt::UserRole,  // how the step stands, in words
    kStruckRole,
    kMarkedRole,  // a model has changed it, and the user has not said anything about that
  };

  // `session` outlives this.
  PlanModel(pairing::PlanSession* session, QObject* parent);

  // The rows become those of this plan, as it is. False: they are the same steps in the same order,
  // and one that is being reworded stays so.
  bool show(const QString& planId);
  QString stepAt(int row) const;  // its id; empty: there is no such row
  int rowOf(const QString& stepId) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  QString noteOf(const pairing::PlanStep& step) const;

  pairing::PlanSession* session_;
  QString planId_;
  QVector<pairing::PlanStep> steps_;
  QHash<QString, pairing::StepMarks> marks_;
  bool isByHand_ = false;
};

}  // namespace waferpair::gui
