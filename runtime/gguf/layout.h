// SPDX-License-Identifier: GPL-3.0-or-later
// The head of a GGUF file that is written: everything before the data. Private to this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/gguf/types.h"

namespace waferpair::gguf {

struct TensorHead {
  std::string_view name;
  TensorType type = TensorType::kF32;
  std::span<const std::uint64_t> ne;
};

// Returns the size of the tensor's data in bytes. The type is known, and ne[0] is a whole number of
// its blocks.
std::uint64_t dataBytes(const TensorHead& tensor);
constexpr std::uint64_t alignedUp(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

// Everything up to the data of the first tensor: `metadata` are `entries` entries as they lie in a
// file. Each tensor's data begins at a multiple of `alignment`.
std::vector<std::byte> headOfFile(std::uint64_t entries, std::span<const std::byte> metadata,
                                  std::span<const TensorHead> tensors, std::uint64_t alignment);

// Appends a value as it lies in a file.
void putBytes(std::vector<std::byte>& out, const void* value, std::size_t size);
template <typename T>
void put(std::vector<std::byte>& out, T value) {
  putBytes(out, &value, sizeof(T));
}
void putString(std::vector<std::byte>& out, std::string_view text);

}  // namespace waferpair::gguf
