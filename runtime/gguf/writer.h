// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a GGUF version 3 file: for exporters and tests. Keys and tensors keep the order of the
// calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/types.h"

namespace waferpair::gguf {

class Writer {
 public:
  void addUint32(std::string_view key, std::uint32_t value);
  void addInt32(std::string_view key, std::int32_t value);
  void addUint64(std::string_view key, std::uint64_t value);
  void addFloat32(std::string_view key, float value);
  void addBool(std::string_view key, bool value);
  void addString(std::string_view key, std::string_view value);
  void addStrings(std::string_view key, std::span<const std::string> values);
  void addInt32s(std::string_view key, std::span<const std::int32_t> values);
  void addFloat32s(std::string_view key, std::span<const float> values);
  void addBools(std::string_view key, const std::vector<bool>& values);

  // `data` is copied; its size must be that of the type and dimensions (ne[0] = row length).
  void addTensor(std::string_view name, TensorType type, std::vector<std::uint64_t> ne,
                 std::span<const std::byte> data);

  std::vector<std::byte> bytes() const;
  // Writes beside `path` and renames, so that a failure leaves an older file as it was.
  base::Result<void> write(const std::string& path) const;

 private:
  struct Tensor {
    std::string name;
    TensorType type;
    std::vector<std::uint64_t> ne;
    std::vector<std::byte> data;
  };
  void beginEntry(std::string_view key, ValueType type);
  void beginArray(std::string_view key, ValueType elementType, std::size_t count);

  std::uint64_t entries_ = 0;
  std::vector<std::byte> metadata_;
  std::vector<Tensor> tensors_;
};

}  // namespace waferpair::gguf
