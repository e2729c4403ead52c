// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/gguf/writer.h"

#include <cassert>
#include <utility>

#include "runtime/base/output_file.h"
#include "runtime/gguf/layout.h"

namespace waferpair::gguf {
namespace {

constexpr std::uint64_t kAlignment = 32;  // the default, so no general.alignment is written

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

void Writer::addBools(std::string_view key, const std::vector<bool>& values) {
  beginArray(key, ValueType::kBool, values.size());
  for (const bool value : values) put<std::uint8_t>(metadata_, value ? 1 : 0);
}

void Writer::addFloat32s(std::string_view key, std::span<const float> values) {
  beginArray(key, ValueType::kFloat32, values.size());
  for (const float value : values) put(metadata_, value);
}

void Writer::addTensor(std::string_view name, TensorType type, std::vector<std::uint64_t> ne,
                       std::span<const std::byte> data) {
  assert(dataBytes({name, type, ne}) == data.size());
  tensors_.push_back({std::string(name), type, std::move(ne), {data.begin(), data.end()}});
}

std::vector<std::byte> Writer::bytes() const {
  std::vector<TensorHead> heads;
  for (const Tensor& tensor : tensors_) heads.push_back({tensor.name, tensor.type, tensor.ne});
  std::vector<std::byte> out = headOfFile(entries_, metadata_, heads, kAlignment);
  for (const Tensor& tensor : tensors_) {
    out.insert(out.end(), tensor.data.begin(), tensor.data.end());
    out.resize(static_cast<std::size_t>(alignedUp(out.size(), kAlignment)));
  }
  return out;
}

base::Result<void> Writer::write(const std::string& path) const {
  auto file = base::OutputFile::create(path);
  if (!file) return tl::unexpected(file.error());
  if (auto written = file->write(bytes()); !written) return written;
  return file->keep();
}

}  // namespace waferpair::gguf
