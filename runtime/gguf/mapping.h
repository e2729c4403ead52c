// SPDX-License-Identifier: GPL-3.0-or-later
// A whole file mapped read-only. Private to this room.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"

namespace waferpair::gguf {

struct File::Mapping {
  Mapping(void* address, std::size_t size) : address(address), size(size) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  // Fails for anything but a regular file with something in it.
  static base::Result<std::unique_ptr<Mapping>> open(const std::string& path);

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(address), size};
  }

  void* address;
  std::size_t size;
};

}  // namespace waferpair::gguf
