// SPDX-License-Identifier: GPL-3.0-or-later
// Tells what this computer's x86 processor can do. __builtin_cpu_supports() also looks at which
// registers the system saves.
#pragma once

#include <cpuid.h>

namespace waferpair::base {

// Conversions to and from FP16. (Clang's __builtin_cpu_supports() knows no "f16c".)
inline bool hasF16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

inline bool hasAvx2AndF16c() { return __builtin_cpu_supports("avx2") && hasF16c(); }

}  // namespace waferpair::base
