// SPDX-License-Identifier: GPL-3.0-or-later
// Advice to the system on the pages of some bytes. Whether it follows is its own affair: nothing
// depends on it.
#pragma once

#include <cstddef>
#include <span>

namespace waferpair::base {

// They lie in a mapped file and will be read: it begins to bring them from the disk.
void bringPages(std::span<const std::byte> bytes);
// Takes the pages that lie wholly in these bytes from this process. Those of a mapped file come
// back when they are read; what others held is gone, and they can be written again.
void giveBackPages(std::span<const std::byte> bytes);

}  // namespace waferpair::base
