// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/gguf/file.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "runtime/base/memory_pages.h"
#include "runtime/gguf/mapping.h"
#include "runtime/gguf/parser.h"

namespace waferpair::gguf {
namespace {

// Values have any alignment in the file, so they are copied out.
template <typename T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// A string whose length and bytes the parser has checked.
std::string_view loadString(std::span<const std::byte> bytes, std::size_t offset) {
  const auto size = static_cast<std::size_t>(load<std::uint64_t>(bytes, offset));
  return {reinterpret_cast<const char*>(bytes.data()) + offset + sizeof(std::uint64_t), size};
}

bool isInteger(ValueType type) {
  return type != ValueType::kFloat32 && type != ValueType::kFloat64 && type != ValueType::kBool &&
         scalarSize(type) != 0;
}

bool isNumber(ValueType type) { return scalarSize(type) != 0 && type != ValueType::kBool; }

// False if the value does not fit.
bool loadInteger(std::span<const std::byte> bytes, ValueType type, std::size_t offset,
                 std::int64_t& out) {
  switch (type) {
    case ValueType::kUint8:
      out = load<std::uint8_t>(bytes, offset);
      return true;
    case ValueType::kInt8:
      out = load<std::int8_t>(bytes, offset);
      return true;
    case ValueType::kUint16:
      out = load<std::uint16_t>(bytes, offset);
      return true;
    case ValueType::kInt16:
      out = load<std::int16_t>(bytes, offset);
      return true;
    case ValueType::kUint32:
      out = load<std::uint32_t>(bytes, offset);
      return true;
    case ValueType::kInt32:
      out = load<std::int32_t>(bytes, offset);
      return true;
    case ValueType::kInt64:
      out = load<std::int64_t>(bytes, offset);
      return true;
    case ValueType::kUint64: {
      const auto value = load<std::uint64_t>(bytes, offset);
      out = static_cast<std::int64_t>(value);
      return value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    }
    default:
      return false;
  }
}

double loadNumber(std::span<const std::byte> bytes, ValueType type, std::size_t offset) {
  if (type == ValueType::kFloat32) return load<float>(bytes, offset);
  if (type == ValueType::kFloat64) return load<double>(bytes, offset);
  if (type == ValueType::kUint64) return static_cast<double>(load<std::uint64_t>(bytes, offset));
  std::int64_t integer = 0;
  loadInteger(bytes, type, offset, integer);
  return static_cast<double>(integer);
}

std::string describe(const Value& value) {
  if (value.type != ValueType::kArray) return valueTypeName(value.type);
  return std::string("array of ") + valueTypeName(value.elementType);
}

tl::unexpected<base::Error> wrongKind(const File& file, std::string_view key, const Value& value,
                                      std::string_view wanted) {
  return base::fail(file.name() + ": metadata key " + std::string(key) + " is of type " +
                        describe(value) + ", not " + std::string(wanted) + ".",
                    kConvert);
}

tl::unexpected<base::Error> outOfRange(const File& file, std::string_view key) {
  return base::fail(file.name() + ": metadata key " + std::string(key) + " is out of range.",
                    kConvert);
}

}  // namespace

std::uint64_t TensorInfo::elements() const {
  std::uint64_t product = 1;
  for (const std::uint64_t n : ne) product *= n;  // the parser has checked that it fits
  return product;
}

File::File() = default;
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;
File::~File() = default;

base::Result<File> File::open(const std::string& path) {
  auto file = openAlone(path);
  if (!file) return file;
  const auto count = file->integerOr("split.count", 1);
  if (!count) return tl::unexpected(count.error());
  if (*count != 1 && *count != 0) {
    if (auto joined = file->join(*count); !joined) return tl::unexpected(joined.error());
  }
  file->translate();
  return file;
}

base::Result<File> File::openAlone(const std::string& path) {
  auto mapping = Mapping::open(path);
  if (!mapping) return tl::unexpected(std::move(mapping.error()));
  // Views into the mapping stay right when the File is moved: the mapping itself does not move.
  auto file = parseAsWritten((*mapping)->bytes(), path);
  if (file) file->mapping_ = std::move(*mapping);
  return file;
}

base::Result<File> File::parse(std::span<const std::byte> bytes, std::string name) {
  auto file = parseAsWritten(bytes, std::move(name));
  if (file) file->translate();
  return file;
}

base::Result<File> File::parseAsWritten(std::span<const std::byte> bytes, std::string name) {
  File file;
  file.name_ = std::move(name);
  file.bytes_ = bytes;
  if (auto parsed = Parser(file).parse(); !parsed) return tl::unexpected(std::move(parsed.error()));
  return file;
}

void File::announce(const TensorInfo& tensor) const {
  const File& part = tensor.part == 0 ? *this : others_[tensor.part - 1];
  if (part.mapping_) base::bringPages(data(tensor));
}

void File::forget(const TensorInfo& tensor) const {
  const File& part = tensor.part == 0 ? *this : others_[tensor.part - 1];
  if (part.mapping_) base::giveBackPages(data(tensor));
}

std::size_t File::size() const {
  std::size_t all = bytes_.size();
  for (const File& other : others_) all += other.bytes_.size();
  return all;
}

const Value* File::find(std::string_view key) const {
  const auto it = keyIndex_.find(key);
  return it == keyIndex_.end() ? nullptr : &metadata_[it->second].value;
}

const TensorInfo* File::findTensor(std::string_view name) const {
  const auto it = tensorIndex_.find(name);
  return it == tensorIndex_.end() ? nullptr : &tensors_[it->second];
}

base::Result<const Value*> File::require(std::string_view key) const {
  if (const Value* value = find(key)) return value;
  return base::fail(name_ + ": lacks the metadata key " + std::string(key) + ".", kConvert);
}

base::Result<std::int64_t> File::integer(std::string_view key) const {
  const auto value = require(key);
  if (!value) return tl::unexpected(value.error());
  if (!isInteger((*value)->type)) return wrongKind(*this, key, **value, "an integer");
  std::int64_t out = 0;
  if (!loadInteger(from((*value)->offset), (*value)->type, 0, out)) return outOfRange(*this, key);
  return out;
}

base::Result<double> File::number(std::string_view key) const {
  const auto value = require(key);
  if (!value) return tl::unexpected(value.error());
  if (!isNumber((*value)->type)) return wrongKind(*this, key, **value, "a number");
  const double out = loadNumber(from((*value)->offset), (*value)->type, 0);
  if (!std::isfinite(out)) return outOfRange(*this, key);
  return out;
}

base::Result<bool> File::boolean(std::string_view key) const {
  const auto value = require(key);
  if (!value) return tl::unexpected(value.error());
  if ((*value)->type != ValueType::kBool) return wrongKind(*this, key, **value, "bool");
  return load<std::uint8_t>(from((*value)->offset), 0) != 0;
}

base::Result<std::string_view> File::string(std::string_view key) const {
  const auto value = require(key);
  if (!value) return tl::unexpected(value.error());
  if ((*value)->type != ValueType::kString) return wrongKind(*this, key, **value, "a string");
  return loadString(from((*value)->offset), 0);
}

base::Result<std::vector<std::string_view>> File::strings(std::string_view key) const {
  const auto value = require(key);
  if (!value) return tl::unexpected(value.error());
  const Value& array = **value;
  if (array.type != ValueType::kArray || array.elementType != ValueType::kString) {
    return wrongKind(*this, key, array, "an array of strings");
  }
  // The parser has walked these very strings, so neither the count nor a length can be wrong.
  std::vector<std::string_view> out;
  out.reserve(static_cast<std::size_t>(array.count));
  std::size_t at = array.offset;
  for (std::uint64_t i = 0; i < array.count; ++i) {
    out.push_back(loadString(bytes_, at));
    at += sizeof(std::uint64_t) + out.back().size();
  }
  return out;
}

base::Result<std::vector<std::int64_t>> File::integers(std::string_view key) const {
  const auto value = require(key);
  if (!value) return tl::unexpected(value.error());
  const Value& array = **value;
  if (array.type != ValueType::kArray || !isInteger(array.elementType)) {
    return wrongKind(*this, key, array, "an array of integers");
  }
  const std::size_t size = scalarSize(array.elementType);
  std::vector<std::int64_t> out(static_cast<std::size_t>(array.count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!loadInteger(bytes_, array.elementType, array.offset + i * size, out[i])) {
      return outOfRange(*this, key);
    }
  }
  return out;
}

base::Result<std::vector<double>> File::numbers(std::string_view key) const {
  const auto value = require(key);
  if (!value) return tl::unexpected(value.error());
  const Value& array = **value;
  if (array.type != ValueType::kArray || !isNumber(array.elementType)) {
    return wrongKind(*this, key, array, "an array of numbers");
  }
  const std::size_t size = scalarSize(array.elementType);
  std::vector<double> out(static_cast<std::size_t>(array.count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = loadNumber(bytes_, array.elementType, array.offset + i * size);
  }
  return out;
}

base::Result<std::vector<bool>> File::booleans(std::string_view key) const {
  const auto value = require(key);
  if (!value) return tl::unexpected(value.error());
  const Value& array = **value;
  if (array.type != ValueType::kArray || array.elementType != ValueType::kBool) {
    return wrongKind(*this, key, array, "an array of bool");
  }
  std::vector<bool> out(static_cast<std::size_t>(array.count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = load<std::uint8_t>(bytes_, array.offset + i) != 0;
  }
  return out;
}

base::Result<std::int64_t> File::integerOr(std::string_view key, std::int64_t fallback) const {
  return has(key) ? integer(key) : base::Result<std::int64_t>(fallback);
}

base::Result<double> File::numberOr(std::string_view key, double fallback) const {
  return has(key) ? number(key) : base::Result<double>(fallback);
}

base::Result<bool> File::booleanOr(std::string_view key, bool fallback) const {
  return has(key) ? boolean(key) : base::Result<bool>(fallback);
}

base::Result<std::string_view> File::stringOr(std::string_view key,
                                              std::string_view fallback) const {
  return has(key) ? string(key) : base::Result<std::string_view>(fallback);
}

}  // namespace waferpair::gguf
