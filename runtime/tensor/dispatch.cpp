// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the table of kernels for the CPU at hand, and arithmetic that needs no such choice.
#ifdef WAFERPAIR_HAVE_X86
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/cpu_features.h"
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/tensor/kernel_tables.h"
#include "runtime/tensor/kernels.h"

#ifdef WAFERPAIR_HAVE_NEON
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace waferpair::tensor {
namespace {

#ifdef WAFERPAIR_HAVE_X86
bool haveAvx2() { return base::hasAvx2AndF16c() && __builtin_cpu_supports("fma"); }

bool haveAvx512() {
  return haveAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vnni");
}

// The tiles are 8 KiB that Linux saves only for a process that asks for them.
bool haveAmx() {
  constexpr long kRequestState = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM
  constexpr unsigned kTile = 1U << 24, kInt8 = 1U << 25;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!haveAvx512() || __get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  return (d & kTile) != 0 && (d & kInt8) != 0 &&
         syscall(SYS_arch_prctl, kRequestState, kTileData) == 0;
}
#endif

std::vector<const Kernels*> detect() {
  std::vector<const Kernels*> tables{&genericKernels()};
#ifdef WAFERPAIR_HAVE_X86
  if (haveAvx2()) tables.push_back(&avx2Kernels());
  if (haveAvx512()) tables.push_back(&avx512Kernels());
  if (haveAmx()) tables.insert(tables.end(), {&amxKernels(), &quickestKernels()});
#endif
#ifdef WAFERPAIR_HAVE_NEON
  tables.push_back(&neonKernels());
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) tables.push_back(&neonDotKernels());
#endif
  return tables;
}

const Kernels& choose() {
  const Kernels* best = availableKernels().back();
  const char* wanted = std::getenv("WAFERPAIR_KERNELS");
  if (wanted == nullptr || *wanted == '\0') return *best;
  const auto found = findKernels(wanted);
  if (found) return **found;
  std::fprintf(stderr, "WAFERPAIR_KERNELS: %s Going on with %s.\n", found.error().message().c_str(),
               best->name);
  return *best;
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

base::Result<const Kernels*> findKernels(std::string_view name) {
  std::string names;
  for (const Kernels* table : availableKernels()) {
    if (name == table->name) return table;
    names += names.empty() ? table->name : std::string(", ") + table->name;
  }
  return base::fail("This CPU has no kernels named " + std::string(name) + ".",
                    "Choose one of: " + names + ".");
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
