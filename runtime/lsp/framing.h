// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of the Language Server Protocol as they travel: a header with Content-Length, an empty
// line, the body. Source: LSP 3.17, "Base Protocol".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace waferpair::lsp {

// A body with more bytes, or a header, breaks the stream.
inline constexpr std::size_t kMostBodyBytes = 64 << 20;
inline constexpr std::size_t kMostHeaderBytes = 8 << 10;

// How the bytes are cut makes no difference.
class FrameReader {
 public:
  void feed(std::string_view bytes);
  // The next whole body; nothing where more bytes have to come first. After an error no body
  // follows: nobody knows where the next one would begin.
  base::Result<std::optional<std::string>> next();

 private:
  base::Result<std::size_t> readHeader(std::string_view header) const;

  std::string bytes_;
  std::size_t begin_ = 0;            // of what nobody has taken
  std::optional<std::size_t> body_;  // length of the body that has begun
  bool broken_ = false;
};

std::string frame(std::string_view body);

}  // namespace waferpair::lsp
