// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out the operands of kernels in the SRAM of a PE, from address 0 on. Vectors begin on a line
// of all eight banks and matrices half a line behind one, each row on its own line: an instruction
// that walks along a row and a vector never asks one bank twice.
#pragma once

#include <cstdint>

#include "runtime/base/result.h"
#include "runtime/mesh/builder.h"

namespace waferpair::mesh {

// Rows of FP16 elements.
struct Matrix {
  std::uint32_t address = 0;
  std::uint32_t pitch = 0;  // bytes from a row to the next
};

class SramLayout {
 public:
  // `dense`: rows of matrices begin on the next word of the banks, not on a line of their own. What
  // walks along a row and a vector then asks one bank twice now and then, and takes more cycles.
  explicit SramLayout(bool dense = false) : dense_(dense) {}

  // An operand that does not fit is noticed by check(); addresses are then of no use.
  Span vector(std::int64_t length, Type type = Type::F16);
  Matrix matrix(std::int64_t rows, std::int64_t columns);
  // A matrix of which single rows are read: dense.
  Matrix table(std::int64_t rows, std::int64_t columns);

  // The error says what `what` needs, and what there is.
  base::Result<void> check(const char* what, const Config& config) const;

 private:
  std::uint32_t take(std::int64_t bytes, std::int64_t behindLine);

  Matrix packed(std::int64_t rows, std::int64_t columns);

  bool dense_;
  std::int64_t end_ = 0;
};

}  // namespace waferpair::mesh
