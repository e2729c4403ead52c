// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/gguf/writer.h"

#include <unistd.h>

#include <cassert>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <type_traits>
#include <utility>

namespace waferpair::gguf {
namespace {

constexpr std::size_t kAlignment = 32;  // the format's default, so no general.alignment is written

template <typename T>
void put(std::vector<std::byte>& out, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::size_t at = out.size();
  out.resize(at + sizeof(T));
  std::memcpy(out.data() + at, &value, sizeof(T));
}

void putString(std::vector<std::byte>& out, std::string_view text) {
  put<std::uint64_t>(out, text.size());
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  out.insert(out.end(), bytes, bytes + text.size());
}

void pad(std::vector<std::byte>& out) {
  out.resize((out.size() + kAlignment - 1) / kAlignment * kAlignment);
}

}  // namespace

void Writer::beginEntry(std::string_view key, ValueType type) {
  ++entries_;
  putString(metadata_, key);
  put(metadata_, type);
}

void Writer::beginArray(std::string_view key, ValueType elementType, std::size_t count) {
  beginEntry(key, ValueType::kArray);
  put(metadata_, elementType);
  put<std::uint64_t>(metadata_, count);
}

void Writer::addUint32(std::string_view key, std::uint32_t value) {
  beginEntry(key, ValueType::kUint32);
  put(metadata_, value);
}

void Writer::addInt32(std::string_view key, std::int32_t value) {
  beginEntry(key, ValueType::kInt32);
  put(metadata_, value);
}

void Writer::addUint64(std::string_view key, std::uint64_t value) {
  beginEntry(key, ValueType::kUint64);
  put(metadata_, value);
}

void Writer::addFloat32(std::string_view key, float value) {
  beginEntry(key, ValueType::kFloat32);
  put(metadata_, value);
}

void Writer::addBool(std::string_view key, bool value) {
  beginEntry(key, ValueType::kBool);
  put<std::uint8_t>(metadata_, value ? 1 : 0);
}

void Writer::addString(std::string_view key, std::string_view value) {
  beginEntry(key, ValueType::kString);
  putString(metadata_, value);
}

void Writer::addStrings(std::string_view key, std::span<const std::string> values) {
  beginArray(key, ValueType::kString, values.size());
  for (const std::string& value : values) putString(metadata_, value);
}

void Writer::addInt32s(std::string_view key, std::span<const std::int32_t> values) {
  beginArray(key, ValueType::kInt32, values.size());
  for (const std::int32_t value : values) put(metadata_, value);
}

void Writer::addFloat32s(std::string_view key, std::span<const float> values) {
  beginArray(key, ValueType::kFloat32, values.size());
  for (const float value : values) put(metadata_, value);
}

void Writer::addTensor(std::string_view name, TensorType type, std::vector<std::uint64_t> ne,
                       std::span<const std::byte> data) {
  std::uint64_t elements = 1;
  for (const std::uint64_t n : ne) elements *= n;
  const BlockSize block = blockSize(type);
  assert(block.elements != 0 && elements / block.elements * block.bytes == data.size());
  (void)block;
  tensors_.push_back({std::string(name), type, std::move(ne), {data.begin(), data.end()}});
}

std::vector<std::byte> Writer::bytes() const {
  std::vector<std::byte> out;
  for (const char c : {'G', 'G', 'U', 'F'}) put(out, c);
  put<std::uint32_t>(out, 3);
  put<std::uint64_t>(out, tensors_.size());
  put<std::uint64_t>(out, entries_);
  out.insert(out.end(), metadata_.begin(), metadata_.end());

  // Infos come before data, so offsets are counted ahead of the bytes they point to.
  std::uint64_t offset = 0;  // from the beginning of the data, kept aligned
  for (const Tensor& tensor : tensors_) {
    putString(out, tensor.name);
    put<std::uint32_t>(out, static_cast<std::uint32_t>(tensor.ne.size()));
    for (const std::uint64_t n : tensor.ne) put(out, n);
    put(out, tensor.type);
    put(out, offset);
    offset += (tensor.data.size() + kAlignment - 1) / kAlignment * kAlignment;
  }
  pad(out);
  for (const Tensor& tensor : tensors_) {
    out.insert(out.end(), tensor.data.begin(), tensor.data.end());
    pad(out);
  }
  return out;
}

base::Result<void> Writer::write(const std::string& path) const {
  const std::vector<std::byte> content = bytes();
  const std::string temporary = path + ".part" + std::to_string(getpid());
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(content.data()),
            static_cast<std::streamsize>(content.size()));
  out.close();
  std::error_code error;
  // close() has flushed: a full disk shows before the rename, while the old file is still there.
  if (out) std::filesystem::rename(temporary, path, error);
  if (!out || error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return base::fail(path + ": cannot be written.", "Check the folder and the space left.");
  }
  return {};
}

}  // namespace waferpair::gguf
