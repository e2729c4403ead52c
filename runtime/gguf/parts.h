// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the files of a model in several parts, as llama.cpp's gguf-split gives them. Private to
// this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace waferpair::gguf {

// The path of part `number` (from 1) of `count`, beside `path`, which must be named
// NAME-NNNNN-of-NNNNN.gguf; else nothing.
std::optional<std::string> partPath(std::string_view path, std::int64_t number, std::int64_t count);

}  // namespace waferpair::gguf
