// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/gguf/part_file.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace waferpair::gguf {

PartFile::PartFile(std::string path)
    : path_(std::move(path)),
      temporary_(path_ + ".part" + std::to_string(getpid())),
      out_(temporary_, std::ios::binary | std::ios::trunc) {}

PartFile::~PartFile() {
  if (!out_.is_open()) return;  // kept, or moved from
  out_.close();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

base::Result<void> PartFile::state() const {
  if (out_) return {};
  return base::fail(path_ + ": cannot be written.", "Check the folder and the space left.");
}

base::Result<void> PartFile::write(std::span<const std::byte> data) {
  out_.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  return state();
}

base::Result<void> PartFile::keep() {
  out_.flush();  // a full disk shows before the rename, while the old file is still there
  std::error_code error;
  if (out_) std::filesystem::rename(temporary_, path_, error);
  if (error) out_.setstate(std::ios::failbit);
  if (auto written = state(); !written) return written;
  out_.close();
  return {};
}

}  // namespace waferpair::gguf
