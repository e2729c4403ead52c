// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/available_memory.h"

#include <cstdio>
#include <fstream>
#include <string>

namespace waferpair::base {

std::uint64_t availableMemory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kib) == 1) return kib << 10;
  }
  return 0;
}

}  // namespace waferpair::base
