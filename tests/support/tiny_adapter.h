// SPDX-License-Identifier: GPL-3.0-or-later
// Small files of low-rank adapters (LoRA) with random numbers, for models that are there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "runtime/gguf/file.h"
#include "runtime/gguf/types.h"
#include "runtime/gguf/writer.h"

namespace waferpair::test {

inline constexpr std::uint64_t kTinyRank = 3;

struct TinyAdapter {
  std::string architecture = "llama";
  float alpha = 6;                                 // 0: the file does not say it
  gguf::TensorType type = gguf::TensorType::kF32;  // of its matrices
  std::uint32_t seed = 5;
  // Tells for which of the model's matrices and norms it has something.
  std::function<bool(std::string_view name)> changes = [](std::string_view) { return true; };
};

// Its keys alone.
gguf::Writer tinyAdapterHeader(const TinyAdapter& adapter);
gguf::Writer makeTinyAdapter(const gguf::File& model, const TinyAdapter& adapter = {});

}  // namespace waferpair::test
