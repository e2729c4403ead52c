// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the table of kernels for the CPU at hand, and arithmetic that needs no such choice.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "runtime/tensor/kernel_tables.h"
#include "runtime/tensor/kernels.h"

#ifdef WAFERPAIR_HAVE_NEON
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace waferpair::tensor {
namespace {

std::vector<const Kernels*> detect() {
  std::vector<const Kernels*> tables{&genericKernels()};
#ifdef WAFERPAIR_HAVE_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c")) {
    tables.push_back(&avx2Kernels());
  }
#endif
#ifdef WAFERPAIR_HAVE_NEON
  tables.push_back(&neonKernels());
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) tables.push_back(&neonDotKernels());
#endif
  return tables;
}

const Kernels& choose() {
  const auto tables = availableKernels();
  const char* wanted = std::getenv("WAFERPAIR_KERNELS");
  for (const Kernels* table : tables) {
    if (wanted != nullptr && std::string_view(wanted) == table->name) return *table;
  }
  return *tables.back();
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

std::span<const Kernels* const> availableKernels() {
  static const std::vector<const Kernels*> tables = detect();
  return tables;
}

void softmax(std::span<float> x) {
  if (x.empty()) return;
  const float max = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (float& value : x) {
    value = std::exp(value - max);
    sum += value;
  }
  const auto inverse = static_cast<float>(1 / sum);
  for (float& value : x) value *= inverse;
}

}  // namespace waferpair::tensor
