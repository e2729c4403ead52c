// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as its file has it: JSON.
#pragma once

#include <QByteArray>

#include "editor/text/result.h"
#include "pairing/plans/plan.h"

namespace waferpair::pairing {

// "to-do", "review": as the file has it.
QString nameOf(StepState state);

QByteArray planToJson(const Plan& plan);
// Fails, naming what is wrong, on anything that planToJson() would not have written.
editor::Result<Plan> planFromJson(const QByteArray& json);

}  // namespace waferpair::pairing
