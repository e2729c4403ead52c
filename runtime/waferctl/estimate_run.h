// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what `waferctl estimate --phase request` found.
#pragma once

#include "runtime/wafer/estimate/run_estimate.h"
#include "runtime/waferctl/wafer_flags.h"

namespace waferpair::waferctl {

// estimate.h has the keys.
void printRunJson(const WaferSetting& setting, const wafer::RunEstimate& e, std::ostream& out);
void printRunTable(const WaferSetting& setting, const wafer::RunEstimate& e, std::ostream& out);

// "code", "weights" and so on, of one PE.
nlohmann::ordered_json sramJson(const wafer::SramUse& use);
void printSram(const wafer::SramUse& use, std::ostream& out);

}  // namespace waferpair::waferctl
