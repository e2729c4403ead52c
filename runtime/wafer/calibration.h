// SPDX-License-Identifier: GPL-3.0-or-later
// Published measurements that a kernel profile's constants are fitted to, and the fit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wafer/estimate.h"

namespace waferpair::wafer {

struct CalibrationRow {
  Phase phase = Phase::kDecode;
  ModelShape shape;
  Grid grid;
  int context = 0;  // of decode; of prefill the prompt
  double tokensPerSecond = 0;
};

struct Calibration {
  std::string source;
  std::string machine;
  std::string profile;
  std::vector<CalibrationRow> rows;
};

base::Result<Calibration> parseCalibration(std::string_view json);
// Compiled in, by the name of the profile it belongs to.
base::Result<Calibration> findCalibration(std::string_view name);

// Least squares on the relative error in time, with everything but the fitted constants as in
// `start`: issue and stage for decode; issue, step and perWavelet for prefill. Cycles are linear in
// them, so one solve is the fit. The error says if there are fewer rows than constants.
base::Result<DecodeConstants> fitDecode(const Calibration& data, const Machine& machine,
                                        const Profile& start);
base::Result<PrefillConstants> fitPrefill(const Calibration& data, const Machine& machine,
                                          const Profile& start);

}  // namespace waferpair::wafer
