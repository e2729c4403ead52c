// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/memory_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace waferpair::base {
namespace {

void advise(std::uintptr_t begin, std::uintptr_t end, int advice) {
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

std::uintptr_t pageSize() { return static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)); }
std::uintptr_t beginOf(std::span<const std::byte> bytes) {
  return reinterpret_cast<std::uintptr_t>(bytes.data());
}

}  // namespace

void bringPages(std::span<const std::byte> bytes) {
  const std::uintptr_t page = pageSize(), begin = beginOf(bytes);
  advise(begin / page * page, begin + bytes.size(), MADV_WILLNEED);
}

void giveBackPages(std::span<const std::byte> bytes) {
  const std::uintptr_t page = pageSize(), begin = beginOf(bytes);
  advise((begin + page - 1) / page * page, (begin + bytes.size()) / page * page, MADV_DONTNEED);
}

}  // namespace waferpair::base
