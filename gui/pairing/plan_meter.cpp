// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/plan_meter.h"

#include "gui/pairing/ask_input.h"

namespace waferpair::gui {
namespace {

constexpr int kMeasureAfter = 300;  // ms of no change

}  // namespace

PlanMeter::PlanMeter(pairing::PlanSession* session, AskInput* input, QWidget* parent)
    : ContextMeter(parent), session_(session), input_(input) {
  setObjectName(QStringLiteral("planMeter"));
  soon_.setSingleShot(true);
  soon_.setInterval(kMeasureAfter);
  connect(&soon_, &QTimer::timeout, this, &PlanMeter::ask);
  connect(input, &AskInput::textChanged, this, &PlanMeter::renew);
}

void PlanMeter::setPlace(const QString& planId, const QString& stepId) {
  planId_ = planId;
  stepId_ = stepId;
  renew();
}

void PlanMeter::renew() {
  if (isVisible()) soon_.start();
}

void PlanMeter::showEvent(QShowEvent* event) {
  ContextMeter::showEvent(event);
  renew();
}

void PlanMeter::ask() {
  const QString wish = input_->toPlainText().trimmed();
  const QString stepId = wish.isEmpty() ? stepId_ : QString();
  session_->preview(planId_, stepId, wish, this,
                    [this, wish, plan = planId_, stepId](const pairing::ContextPreview& preview) {
                      // Otherwise another answer is on its way.
                      if (plan == planId_ && wish == input_->toPlainText().trimmed() &&
                          (stepId.isEmpty() || stepId == stepId_))
                        setUse(preview.use);
                    });
}

}  // namespace waferpair::gui
