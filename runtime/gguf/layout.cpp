// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/gguf/layout.h"

namespace waferpair::gguf {

void putBytes(std::vector<std::byte>& out, const void* value, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(value);
  out.insert(out.end(), bytes, bytes + size);
}

void putString(std::vector<std::byte>& out, std::string_view text) {
  put<std::uint64_t>(out, text.size());
  putBytes(out, text.data(), text.size());
}

std::uint64_t dataBytes(const TensorHead& tensor) {
  std::uint64_t elements = 1;
  for (const std::uint64_t n : tensor.ne) elements *= n;
  const BlockSize block = blockSize(tensor.type);
  return elements / block.elements * block.bytes;
}

std::vector<std::byte> headOfFile(std::uint64_t entries, std::span<const std::byte> metadata,
                                  std::span<const TensorHead> tensors, std::uint64_t alignment) {
  std::vector<std::byte> out;
  for (const char c : {'G', 'G', 'U', 'F'}) put(out, c);
  put<std::uint32_t>(out, 3);
  put<std::uint64_t>(out, tensors.size());
  put<std::uint64_t>(out, entries);
  out.insert(out.end(), metadata.begin(), metadata.end());

  std::uint64_t offset = 0;  // from the beginning of the data
  for (const TensorHead& tensor : tensors) {
    putString(out, tensor.name);
    put<std::uint32_t>(out, static_cast<std::uint32_t>(tensor.ne.size()));
    for (const std::uint64_t n : tensor.ne) put(out, n);
    put(out, tensor.type);
    put(out, offset);
    offset += alignedUp(dataBytes(tensor), alignment);
  }
  out.resize(static_cast<std::size_t>(alignedUp(out.size(), alignment)));
  return out;
}

}  // namespace waferpair::gguf
