// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/job_report.h"

namespace waferpair::inference {

std::optional<double> JobReport::hostTokensPerSecond() const {
  if (decodeSteps == 0 || decodeMs <= 0) return std::nullopt;
  return 1000.0 * decodeTokens / decodeMs;
}

std::optional<double> JobReport::waferTokensPerSecond(double clockHz) const {
  if (decodeSteps == 0 || waferDecodeCycles == 0) return std::nullopt;
  return decodeTokens * clockHz / static_cast<double>(waferDecodeCycles);
}

}  // namespace waferpair::inference
