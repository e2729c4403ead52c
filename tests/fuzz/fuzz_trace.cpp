// SPDX-License-Identifier: GPL-3.0-or-later
// A trace from outside: its layout, or the steps of a block, behind a checksum that fits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/trace/format.h"

using namespace waferpair;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    const auto header = trace::decodeHeader(bytes);
    if (header && !(trace::decodeHeader(trace::encodeHeader(*header)).value() == *header)) abort();
    return 0;
  }
  trace::StepDecoder steps(bytes, 100);
  for (trace::Step step;;) {
    const auto more = steps.next(step);
    if (!more || !*more) return 0;
    if (step.ops.size() > 100 || step.tokens() > step.rows) abort();
  }
}
