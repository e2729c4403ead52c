// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a copy of a GGUF file whose tensors may be of other types: the metadata byte for byte, the
// tensors one after another, so that none needs to be in memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/output_file.h"
#include "runtime/base/result.h"
#include "runtime/gguf/file.h"

namespace waferpair::gguf {

class Copier {
 public:
  // types[i] is what file.tensors()[i] becomes; its rows must be whole blocks of it. `fileType`
  // replaces general.file_type where the file has that key as a uint32. Nothing is at `path` until
  // finish().
  static base::Result<Copier> create(const File& file, std::span<const TensorType> types,
                                     std::optional<std::uint32_t> fileType,
                                     const std::string& path);
  // The next bytes of the data of the tensors, in their order; at most to the end of one. Any more
  // than there are is an error.
  base::Result<void> write(std::span<const std::byte> data);
  // Finishes the file once all data are written.
  base::Result<void> finish();

 private:
  Copier(base::OutputFile out, std::vector<std::uint64_t> sizes, std::uint64_t alignment);

  base::OutputFile out_;
  std::vector<std::uint64_t> sizes_;  // of the tensors' data
  std::uint64_t alignment_ = 0;
  std::size_t tensor_ = 0;     // under way
  std::uint64_t written_ = 0;  // of it
};

}  // namespace waferpair::gguf
