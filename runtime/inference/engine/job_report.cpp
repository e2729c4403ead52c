// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/job_report.h"

#include "runtime/wafer/plan/program.h"

namespace waferpair::inference {

void ShadowReport::add(const std::shared_ptr<const wafer::Program>& charged,
                       std::uint64_t stepCycles, bool decoding) {
  if (charged != program) program = nullptr;
  cycles += stepCycles;
  if (decoding) decodeCycles += stepCycles;
}

std::optional<double> JobFigures::hostTokensPerSecond() const {
  if (decodeTokens == 0 || decodeMs <= 0) return std::nullopt;
  return 1000.0 * decodeTokens / decodeMs;
}

std::optional<double> JobFigures::waferTokensPerSecond(double clockHz) const {
  if (decodeTokens == 0 || waferDecodeCycles == 0) return std::nullopt;
  return decodeTokens * clockHz / static_cast<double>(waferDecodeCycles);
}

std::optional<double> JobFigures::shadowTokensPerSecond() const {
  if (decodeTokens == 0 || !shadow.program || shadow.decodeCycles == 0) return std::nullopt;
  const double clockHz = shadow.program->plan().clockGhz * 1e9;
  return decodeTokens * clockHz / static_cast<double>(shadow.decodeCycles);
}

}  // namespace waferpair::inference
