// SPDX-License-Identifier: GPL-3.0-or-later
// What the metadata say of positions: how they turn keys and queries, and how far a layer sees.
// Private to this room.
#pragma once

#include <cstdint>

#include "runtime/transformer/config.h"
#include "runtime/transformer/metadata_reader.h"

namespace waferpair::transformer {

inline constexpr std::int64_t kMostContext = 1 << 18;
inline constexpr std::int64_t kMostLayers = 1024;

// Both read what <a>.rope.* and <a>.attention.sliding_window* say, after the sizes; the reader
// keeps what is wrong. readRope() comes first.
void readRope(MetadataReader& read, const gguf::File& file, const Architecture& a, Config& config);
void readWindow(MetadataReader& read, const Architecture& a, Config& config);

}  // namespace waferpair::transformer
