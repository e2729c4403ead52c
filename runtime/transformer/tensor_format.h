// SPDX-License-Identifier: GPL-3.0-or-later
// The format that a file's tensor type stands for, and the tensor that is read otherwise than
// others: embeddings are looked up.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/gguf/types.h"
#include "runtime/tensor/block_formats.h"

namespace waferpair::transformer {

inline constexpr std::string_view kEmbedding = "token_embd.weight";

// None, if it is not computed with here.
inline std::optional<tensor::Format> formatOf(gguf::TensorType type) {
  return tensor::findFormat(static_cast<std::uint32_t>(type));
}

}  // namespace waferpair::transformer
