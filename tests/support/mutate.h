// SPDX-License-Identifier: GPL-3.0-or-later
// Damages bytes in the ways that find bugs in parsers, the same ways for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace waferpair::test {

// A copy with one to four faults: bits turned, bytes or whole integers replaced by awkward values,
// a part cut out or doubled, the end cut off. Faults fall before `focus` (the whole input if 0),
// three times in four.
std::vector<std::byte> mutate(const std::vector<std::byte>& bytes, std::uint32_t seed,
                              std::size_t focus = 0);

}  // namespace waferpair::test
