// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a GGUF file (versions 2 and 3, little-endian): key/value metadata and tensors.
//
// The file is memory-mapped and parsed once. Every count, length, offset, alignment and product of
// dimensions is checked against the size of the file before it is used, so a File that opened has
// no metadata value and no tensor that reaches outside it. What a File hands out (string views,
// tensor bytes) points into the mapping and lives as long as the File. A model in several parts is
// one File: the metadata of the first part, and the tensors of all.
//
// Ollama's own converter has names of its own for keys and tensors of some models, and leaves out
// what its program knows. A File says what llama.cpp's converter would have written (ollama.cpp).
//
// All const functions may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/types.h"

namespace waferpair::gguf {

// One metadata value. Scalars and strings are read with the getters of File; an array is kept as
// the place of its first element, whose elements were all checked when the file was opened.
struct Value {
  ValueType type = ValueType::kUint8;
  ValueType elementType = ValueType::kUint8;  // arrays only
  std::uint64_t count = 1;                    // elements; 1 unless an array
  // In the file, or beyond its end of what was added; a string's begins at its length.
  std::size_t offset = 0;
};

struct Entry {
  std::string_view key;
  Value value;
};

struct TensorInfo {
  std::string_view name;
  std::string_view written;  // the name in the file, which is another where Ollama's was translated
  TensorType type = TensorType::kF32;
  // ne[0] is the length of a row (the contiguous axis), ne[1] the number of rows, as ggml counts.
  std::vector<std::uint64_t> ne;
  std::size_t part = 0;    // that holds it, of a model in several files
  std::size_t offset = 0;  // of the first byte, from the beginning of that file
  std::size_t size = 0;    // in bytes
  std::uint64_t elements() const;
};

class File {
 public:
  // The error names the file, the field or key, and what to do. Of a model in parts, this is the
  // first: NAME-00001-of-00003.gguf; the others stand beside it.
  static base::Result<File> open(const std::string& path);
  // Parses bytes that the caller keeps alive; `name` is what errors call them.
  static base::Result<File> parse(std::span<const std::byte> bytes, std::string name);

  File(File&&) noexcept;
  File& operator=(File&&) noexcept;
  ~File();

  const std::string& name() const { return name_; }
  std::uint32_t version() const { return version_; }
  std::size_t size() const;  // of all parts, in bytes

  // The entries in the order of the file.
  std::span<const Entry> metadata() const { return metadata_; }
  const Value* find(std::string_view key) const;
  // Returns all entries as they lie in the file, from kMetadataStart on.
  std::span<const std::byte> metadataBytes() const {
    return bytes_.subspan(kMetadataStart, metadataSize_);
  }
  static constexpr std::size_t kMetadataStart = 24;  // behind magic, version and two counts
  bool has(std::string_view key) const { return find(key) != nullptr; }

  // Each fails, naming file and key, if the key is absent, of another kind, or out of range.
  // Integers of any width are accepted for integers, floats and integers for floats.
  base::Result<std::int64_t> integer(std::string_view key) const;
  base::Result<double> number(std::string_view key) const;
  base::Result<bool> boolean(std::string_view key) const;
  base::Result<std::string_view> string(std::string_view key) const;
  base::Result<std::vector<std::string_view>> strings(std::string_view key) const;
  base::Result<std::vector<std::int64_t>> integers(std::string_view key) const;
  base::Result<std::vector<double>> numbers(std::string_view key) const;
  base::Result<std::vector<bool>> booleans(std::string_view key) const;
  // Reads as above, but an absent key gives `fallback`; a present one of the wrong kind still
  // fails.
  base::Result<std::int64_t> integerOr(std::string_view key, std::int64_t fallback) const;
  base::Result<double> numberOr(std::string_view key, double fallback) const;
  base::Result<bool> booleanOr(std::string_view key, bool fallback) const;
  base::Result<std::string_view> stringOr(std::string_view key, std::string_view fallback) const;

  std::span<const TensorInfo> tensors() const { return tensors_; }
  const TensorInfo* findTensor(std::string_view name) const;
  std::span<const std::byte> data(const TensorInfo& tensor) const {
    return (tensor.part == 0 ? bytes_ : others_[tensor.part - 1].bytes_)
        .subspan(tensor.offset, tensor.size);
  }
  // The tensor will be read: the system begins to bring it from the disk.
  void announce(const TensorInfo& tensor) const;
  // It won't be read soon: its pages are no longer part of this process, and come back when it is.
  void forget(const TensorInfo& tensor) const;

 private:
  class Parser;
  struct Mapping;
  File();
  static base::Result<File> openAlone(const std::string& path);
  // Takes in the other parts of a model of `count`, of which this is the first.
  base::Result<void> join(std::int64_t count);
  base::Result<const Value*> require(std::string_view key) const;
  std::span<const std::byte> from(std::size_t offset) const {
    return offset < bytes_.size() ? bytes_.subspan(offset)
                                  : std::span(added_).subspan(offset - bytes_.size());
  }

  // Parses without translating.
  static base::Result<File> parseAsWritten(std::span<const std::byte> bytes, std::string name);
  // Gives keys, tensors and values of Ollama's converter their usual names; adds what it left out.
  void translate();
  void renameKey(std::string_view written, std::string usual);
  void renameTensor(std::size_t index, std::string usual);
  void setValue(std::string key, ValueType type, std::span<const std::byte> value);
  void setText(std::string key, std::string_view text);
  template <typename T>
  void addNumber(const std::string& key, ValueType type, T value) {
    if (!has(key)) setValue(key, type, std::as_bytes(std::span(&value, 1)));
  }
  void cutTokens();

  std::string name_;
  std::unique_ptr<Mapping> mapping_;  // null if the bytes are the caller's
  std::span<const std::byte> bytes_;
  std::uint32_t version_ = 0;
  std::vector<Entry> metadata_;
  std::size_t metadataSize_ = 0;  // bytes
  std::vector<TensorInfo> tensors_;
  std::unordered_map<std::string_view, std::size_t> keyIndex_;
  std::unordered_map<std::string_view, std::size_t> tensorIndex_;
  std::vector<File> others_;                         // the parts behind the first
  std::vector<std::byte> added_;                     // values that are not in the file
  std::vector<std::unique_ptr<std::string>> names_;  // likewise
};

}  // namespace waferpair::gguf
