// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel profile from outside: parsed, and what passes prices a layer and a request.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "runtime/wafer/estimate/estimate.h"
#include "runtime/wafer/estimate/run_estimate.h"

using namespace waferpair;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto machine = wafer::findMachine("wse3");
  auto profile = wafer::parseProfile({reinterpret_cast<const char*>(data), size});
  if (!profile) return 0;
  wafer::RunRequest request;
  request.shape = {"fuzz", 256, 768, 5, 8, 4, 32, 8192, 1024, true};
  request.machine = *machine;
  request.profile = *profile;
  request.options.grid = {64, 64};
  request.prompt = request.output = 64;
  const double layer = wafer::decodeLayerCycles(request.shape, *machine, *profile, {64, 64}, 64);
  if (!(layer > 0) || !std::isfinite(layer)) abort();
  auto answer = wafer::estimateRun(request);
  // It either fits with finite figures, or is refused with a reason (code that fills the SRAM).
  if (answer ? !(answer->totalSeconds() > 0) : answer.error().what.empty()) abort();
  return 0;
}
