// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of a GGUF file, all numbers little-endian:
//   magic u32, version u32, number of tensors u64, number of metadata entries u64
//   per entry:  key string, value type u32, value
//   per tensor: name string, dimensions u32, ne u64 each, type u32, offset u64 into the data
//   padding to general.alignment, then the data of the tensors
// A string is its length u64 and its bytes; an array is an element type u32, a count u64 and its
// elements. Nothing here is trusted: a count is compared with the bytes that are left before
// anything is allocated or looped over, and a product is divided out before it is formed.
#include "runtime/gguf/parser.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string_view>
#include <utility>

namespace waferpair::gguf {
namespace {

static_assert(std::endian::native == std::endian::little, "GGUF values are read in place");

constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr std::uint32_t kOldest = 2, kNewest = 3;
// A key takes at least a length, a type and one byte of value; a tensor a length, the number of
// dimensions, one dimension, a type and an offset. They bound what a count can promise.
constexpr std::size_t kLeastEntry = 8 + 4 + 1;
constexpr std::size_t kLeastTensor = 8 + 4 + 8 + 4 + 8;
constexpr std::size_t kLeastString = 8, kLeastArray = 4 + 8;
constexpr std::size_t kMostName = 65535;  // bytes of a key, from the format's specification
constexpr std::uint32_t kMostDimensions = 4;
constexpr int kMostDepth = 8;  // of nested arrays: the parser recurses
constexpr std::uint64_t kDefaultAlignment = 32, kMostAlignment = 1 << 20;
constexpr const char* kDownload = "The file is damaged or cut short: download or export it again.";

std::string quoted(std::string_view name) {
  constexpr std::size_t kShown = 80;
  std::string out = "\"";  // an error goes to terminals and logs: no control bytes, no novels
  for (const char c : name.substr(0, kShown)) out += (c >= ' ' && c <= '~') ? c : '?';
  return out + (name.size() > kShown ? "...\"" : "\"");
}

}  // namespace

base::Result<void> File::Parser::parse() {
  readHeader();
  readMetadata(entryCount_);
  if (ok()) file_.metadataSize_ = at_ - kMetadataStart;
  const std::size_t alignment = readAlignment();
  readTensorInfos(tensorCount_);
  if (ok() && !file_.tensors_.empty()) {
    const std::size_t rest = at_ % alignment;
    const std::size_t padding = rest == 0 ? 0 : alignment - rest;
    if (take(padding, "padding before the tensor data")) placeTensors(at_, alignment);
  }
  if (error_) return tl::unexpected(*error_);
  return {};
}

void File::Parser::fail(std::string what, std::string remedy) {
  if (error_) return;
  if (remedy.empty()) remedy = kDownload;
  error_ = base::Error{file_.name_ + ": " + std::move(what), std::move(remedy)};
}

bool File::Parser::take(std::uint64_t size, std::string_view what) {
  if (!ok()) return false;
  if (size > left()) {
    fail("ends at byte " + std::to_string(file_.bytes_.size()) + ", but " + std::string(what) +
         " needs " + std::to_string(size) + " bytes from byte " + std::to_string(at_) + " on.");
    return false;
  }
  at_ += static_cast<std::size_t>(size);
  return true;
}

bool File::Parser::room(std::uint64_t count, std::size_t least, std::string_view what) {
  if (!ok()) return false;
  if (count > left() / least) {
    fail("announces " + std::to_string(count) + " " + std::string(what) + ", but only " +
         std::to_string(left()) + " bytes follow.");
    return false;
  }
  return true;
}

std::string_view File::Parser::readString(std::string_view what) {
  const auto length = read<std::uint64_t>(what);
  if (!take(length, what)) return {};
  const auto size = static_cast<std::size_t>(length);
  return {reinterpret_cast<const char*>(file_.bytes_.data()) + at_ - size, size};
}

// What downloads leave in the place of a model.
void File::Parser::refuseStandIns() {
  constexpr std::string_view kPointer = "version https://git-lfs.github.com/spec/";
  constexpr std::size_t kLooked = 256;
  const std::span<const std::byte> head = file_.bytes_.first(std::min(kLooked, left()));
  std::string text(reinterpret_cast<const char*>(head.data()), head.size());
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  text.erase(0, text.find_first_not_of("\xEF\xBB\xBF \t\r\n"));
  if (text.starts_with(kPointer)) {
    fail("is a Git LFS pointer, which stands for the model and is not the model itself.",
         "Run \"git lfs pull\" in its repository, or download the file itself.");
  } else if (text.starts_with("<!doctype html") || text.starts_with("<html")) {
    fail("is a web page, not a model.",
         "Download the file itself, not the page that shows it; if it asks for an account, sign in "
         "first.");
  }
}

void File::Parser::readHeader() {
  refuseStandIns();
  const auto magic = read<std::uint32_t>("the magic number");
  if (ok() && magic != kMagic) fail("is not a GGUF file.", "Give the path of a GGUF model file.");
  file_.version_ = read<std::uint32_t>("the version");
  if (ok() && (file_.version_ < kOldest || file_.version_ > kNewest)) {
    const bool swapped = (file_.version_ & 0xffff) == 0 && file_.version_ != 0;
    fail(swapped ? "is a big-endian GGUF file."
                 : "has GGUF version " + std::to_string(file_.version_) +
                       "; versions 2 and 3 can be read.",
         kConvert);
  }
  tensorCount_ = read<std::uint64_t>("the number of tensors");
  entryCount_ = read<std::uint64_t>("the number of metadata entries");
}

void File::Parser::readMetadata(std::uint64_t count) {
  if (!room(count, kLeastEntry, "metadata entries")) return;
  file_.metadata_.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; ok() && i < count; ++i) {
    const std::string where = "metadata entry " + std::to_string(i);
    const std::string_view key = readString("the key of " + where);
    if (!ok()) return;
    if (key.empty() || key.size() > kMostName) {
      return fail(where + " has a key of " + std::to_string(key.size()) + " bytes.");
    }
    const auto type = static_cast<ValueType>(read<std::uint32_t>("the type of " + quoted(key)));
    const Value value = readValue(type, key, 0);
    if (!ok()) return;
    if (!file_.keyIndex_.emplace(key, file_.metadata_.size()).second) {
      return fail("has the metadata key " + quoted(key) + " twice.");
    }
    file_.metadata_.push_back({key, value});
  }
}

Value File::Parser::readValue(ValueType type, std::string_view key, int depth) {
  Value value{.type = type, .elementType = type, .count = 1, .offset = at_};
  if (type == ValueType::kArray) return readArray(key, depth);
  if (type == ValueType::kString) {
    readString(quoted(key));
  } else if (const std::size_t size = scalarSize(type); size != 0) {
    take(size, quoted(key));
  } else {
    fail("gives " + quoted(key) + " the unknown value type " +
         std::to_string(static_cast<std::uint32_t>(type)) + ".");
  }
  return value;
}

Value File::Parser::readArray(std::string_view key, int depth) {
  Value value{.type = ValueType::kArray, .elementType = ValueType::kUint8, .count = 0, .offset = 0};
  if (depth == kMostDepth) {
    fail("nests the arrays of " + quoted(key) + " more than " + std::to_string(kMostDepth) +
         " deep.");
    return value;
  }
  value.elementType = static_cast<ValueType>(read<std::uint32_t>(quoted(key)));
  value.count = read<std::uint64_t>(quoted(key));
  value.offset = at_;
  const std::string what = "elements of " + quoted(key);
  if (const std::size_t size = scalarSize(value.elementType); size != 0) {
    if (room(value.count, size, what)) take(value.count * size, quoted(key));
  } else {
    const bool strings = value.elementType == ValueType::kString;
    if (!room(value.count, strings ? kLeastString : kLeastArray, what)) return value;
    for (std::uint64_t i = 0; ok() && i < value.count; ++i) {
      readValue(value.elementType, key, depth + 1);
    }
  }
  if (ok() && valueTypeName(value.elementType)[0] == '?') {
    fail("gives the array " + quoted(key) + " the unknown element type " +
         std::to_string(static_cast<std::uint32_t>(value.elementType)) + ".");
  }
  return value;
}

std::size_t File::Parser::readAlignment() {
  if (!ok()) return kDefaultAlignment;
  const auto alignment =
      file_.integerOr("general.alignment", static_cast<std::int64_t>(kDefaultAlignment));
  if (!alignment) {
    error_ = alignment.error();
    return kDefaultAlignment;
  }
  const auto value = static_cast<std::uint64_t>(*alignment);
  if (*alignment <= 0 || value > kMostAlignment || !std::has_single_bit(value)) {
    fail("has general.alignment = " + std::to_string(*alignment) + ", not a power of two up to " +
             std::to_string(kMostAlignment) + ".",
         kConvert);
    return kDefaultAlignment;
  }
  return static_cast<std::size_t>(value);
}

void File::Parser::readTensorInfos(std::uint64_t count) {
  if (!room(count, kLeastTensor, "tensors")) return;
  file_.tensors_.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    TensorInfo info = readTensorInfo();
    if (!ok()) return;
    if (!file_.tensorIndex_.emplace(info.name, file_.tensors_.size()).second) {
      return fail("has the tensor " + quoted(info.name) + " twice.");
    }
    file_.tensors_.push_back(std::move(info));
  }
}

TensorInfo File::Parser::readTensorInfo() {
  TensorInfo info;
  info.name = info.written =
      readString("the name of tensor " + std::to_string(file_.tensors_.size()));
  const std::string tensor = "tensor " + quoted(info.name);
  if (ok() && (info.name.empty() || info.name.size() > kMostName)) {
    fail(tensor + " has a name of " + std::to_string(info.name.size()) + " bytes.");
  }
  const auto dimensions = read<std::uint32_t>(tensor);
  if (ok() && (dimensions == 0 || dimensions > kMostDimensions)) {
    fail(tensor + " has " + std::to_string(dimensions) + " dimensions; 1 to 4 are possible.");
  }
  // The product stays below 2^63: elements() and whoever counts bytes may multiply freely.
  std::uint64_t elements = 1;
  for (std::uint32_t i = 0; ok() && i < dimensions; ++i) {
    const auto n = read<std::uint64_t>(tensor);
    if (!ok()) return info;
    if (n == 0 || n > std::numeric_limits<std::int64_t>::max() / elements) {
      fail(tensor + " has a dimension of " + std::to_string(n) + ".");
      return info;
    }
    elements *= n;
    info.ne.push_back(n);
  }
  info.type = static_cast<TensorType>(read<std::uint32_t>(tensor));
  const auto offset = read<std::uint64_t>(tensor);
  if (!ok()) return info;

  const BlockSize block = blockSize(info.type);
  if (block.elements == 0) {
    fail(tensor + " has the unknown type " + std::to_string(static_cast<std::uint32_t>(info.type)) +
             ".",
         "Convert the model to F16, Q8_0 or Q4_K.");
  } else if (info.ne[0] % block.elements != 0) {
    fail(tensor + " has rows of " + std::to_string(info.ne[0]) +
         " values, which is not a multiple of the " + std::to_string(block.elements) +
         " in a block of " + tensorTypeName(info.type) + ".");
  } else if (const std::uint64_t blocks = elements / block.elements;
             blocks > file_.bytes_.size() / block.bytes) {
    fail(tensor + " has " + std::to_string(elements) + " values, more than the file can hold.");
  } else {
    info.size = static_cast<std::size_t>(blocks * block.bytes);
    // An offset beyond the file is refused here, so that adding to it cannot overflow later.
    if (offset > file_.bytes_.size()) {
      fail(tensor + " begins at byte " + std::to_string(offset) + " of the data, past the end.");
    }
    info.offset = static_cast<std::size_t>(offset);
  }
  return info;
}

void File::Parser::placeTensors(std::size_t dataStart, std::size_t alignment) {
  const std::size_t size = file_.bytes_.size();
  // Tensors may overlap or leave gaps: that is odd, but reads nothing it should not.
  for (TensorInfo& info : file_.tensors_) {
    if (info.offset % alignment != 0) {
      return fail("tensor " + quoted(info.name) + " begins at byte " + std::to_string(info.offset) +
                  " of the data, which is not a multiple of the alignment " +
                  std::to_string(alignment) + ".");
    }
    info.offset += dataStart;
    if (info.offset > size || info.size > size - info.offset) {
      return fail("ends at byte " + std::to_string(size) + ", but tensor " + quoted(info.name) +
                  " needs " + std::to_string(info.size) + " bytes from byte " +
                  std::to_string(info.offset) + " on.");
    }
  }
}

}  // namespace waferpair::gguf
