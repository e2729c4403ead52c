// SPDX-License-Identifier: GPL-3.0-or-later
// The statements "collective" and "kernel" of a program's text: ready programs, which the builder
// writes in place of tasks and routes.
#pragma once

#include "runtime/mesh/builder.h"
#include "runtime/mesh/text_program.h"
#include "runtime/mesh/text_words.h"

namespace waferpair::mesh {

// Values of all statements of a text together.
inline constexpr std::size_t kMostTextValues = std::size_t{1} << 26;

// Reads such a statement, at whose first word `words` is. Operands that a kernel places itself are
// added to `data`, and to the number of all values. A problem is told by `words`.
void readReady(TextWords& words, Builder& builder, std::vector<Values>& data, std::size_t& values);

}  // namespace waferpair::mesh
