// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the bytes of a GGUF file into a File. Private to this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/gguf/file.h"

namespace waferpair::gguf {

// The remedy for what an older or a faulty tool wrote.
inline constexpr const char* kConvert = "Convert the model again with a current tool.";

// Reads from front to back. The first fault is kept and makes every later read return zeros, so the
// code below reads straight on and looks at ok() where it would loop or allocate.
class File::Parser {
 public:
  explicit Parser(File& file) : file_(file) {}

  // Fills the file's metadata and tensors.
  base::Result<void> parse();

 private:
  bool ok() const { return !error_; }
  void fail(std::string what, std::string remedy = {});
  std::size_t left() const { return file_.bytes_.size() - at_; }

  template <typename T>
  T read(std::string_view what) {
    T value{};
    if (take(sizeof(T), what)) std::memcpy(&value, &file_.bytes_[at_ - sizeof(T)], sizeof(T));
    return value;
  }
  // Moves on by `size` bytes; false, with an error that names `what`, if they are not there.
  bool take(std::uint64_t size, std::string_view what);
  // Fails unless `count` things of at least `least` bytes each can still follow.
  bool room(std::uint64_t count, std::size_t least, std::string_view what);
  std::string_view readString(std::string_view what);

  void refuseStandIns();
  void readHeader();
  void readMetadata(std::uint64_t count);
  Value readValue(ValueType type, std::string_view key, int depth);
  Value readArray(std::string_view key, int depth);
  std::size_t readAlignment();
  void readTensorInfos(std::uint64_t count);
  TensorInfo readTensorInfo();
  // Turns offsets from the beginning of the data into offsets in the file and checks them.
  void placeTensors(std::size_t dataStart, std::size_t alignment);

  File& file_;
  std::size_t at_ = 0;
  std::uint64_t tensorCount_ = 0, entryCount_ = 0;
  std::optional<base::Error> error_;
};

}  // namespace waferpair::gguf
