// SPDX-License-Identifier: GPL-3.0-or-later
// A config.json from outside: parsed, and what passes is placed and estimated on a named grid.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "runtime/wafer/estimate/estimate.h"

using namespace waferpair;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto machine = wafer::findMachine("wse3");
  static const auto profile = wafer::findProfile("waferllm-2025-wse3");
  auto shape = wafer::parseShape({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!shape) return 0;
  wafer::EstimateRequest request;
  request.shape = *shape;
  request.machine = *machine;
  request.profile = *profile;
  request.grid = {256, 256};
  auto answer = wafer::estimate(request);
  // A model either fits with bytes that add up, or is refused with a reason.
  if (answer ? answer->sram.total() != machine->sramBytes : answer.error().what.empty()) abort();
  return 0;
}
