// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as an answer made of calls of tools.
#include "tests/fuzz/answer_reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace waferpair::pairing;
  readAnyAnswer(AnswerFormat::kToolEdits, data, size);
  return 0;
}
