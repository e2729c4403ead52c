// SPDX-License-Identifier: GPL-3.0-or-later
// The work on a plan, as the files of PlanSession share it: an answer on its way, a command, or the
// user's own work.
#pragma once

#include <QTimer>
#include <memory>

#include "pairing/plans/plan_session.h"

namespace waferpair::pairing {

struct PlanSession::Run : QObject {
  QString planId;
  QString stepId;     // empty: the plan is being written
  QString messageId;  // what was said; of a plan that is being written
  QString answerId;   // the answer to it, once there is one
  QString model, place;
  std::unique_ptr<ModelReply> reply;
  std::unique_ptr<CommandRun> command;
  bool isByHand = false;
  QVector<OpenText> before;  // the open texts when the user's own work began
  QTimer keepSoon;
};

}  // namespace waferpair::pairing
