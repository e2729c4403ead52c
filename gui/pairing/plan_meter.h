// SPDX-License-Identifier: GPL-3.0-or-later
// The context meter of plans: how full the model's context would be with what is typed about the
// plan, or while nothing is, with the chosen step. UI thread only.
#pragma once

#include <QTimer>

#include "gui/pairing/context_meter.h"
#include "pairing/plans/plan_session.h"

namespace waferpair::gui {

class AskInput;

class PlanMeter : public ContextMeter {
  Q_OBJECT
 public:
  // Both outlive this.
  PlanMeter(pairing::PlanSession* session, AskInput* input, QWidget* parent);

  // An empty `stepId`: none is chosen.
  void setPlace(const QString& planId, const QString& stepId);
  // Asks again, a moment later: the plan or the model may be another.
  void renew();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void ask();

  pairing::PlanSession* session_;
  AskInput* input_;
  QString planId_, stepId_;
  QTimer soon_{this};
};

}  // namespace waferpair::gui
