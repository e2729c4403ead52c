// SPDX-License-Identifier: GPL-3.0-or-later
// A file that appears at its path when it is complete: it is written beside it and then renamed, so
// that a failure leaves an older file as it was. Private to this room.
#pragma once

#include <cstddef>
#include <fstream>
#include <span>
#include <string>

#include "runtime/base/result.h"

namespace waferpair::gguf {

class PartFile {
 public:
  explicit PartFile(std::string path);
  PartFile(PartFile&&) noexcept = default;
  ~PartFile();  // removes what was not kept

  // Whether it went well, also of what was written before.
  base::Result<void> write(std::span<const std::byte> data);
  // Nothing may follow.
  base::Result<void> keep();

 private:
  base::Result<void> state() const;

  std::string path_, temporary_;
  std::ofstream out_;
};

}  // namespace waferpair::gguf
