// SPDX-License-Identifier: GPL-3.0-or-later
// Stores the matrices of a model file in another format.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"
#include "runtime/tensor/block_formats.h"

namespace waferpair::transformer {

struct QuantizeOptions {
  tensor::Format format = tensor::Format::kQ8_0;
  std::optional<tensor::Format> head =
      {};                              // of output.weight or, where that is not there, token_embd
  std::vector<std::string> keep = {};  // tensors that stay as they are: names, with * and ?
  int threads = 1;
  // Called with 0..1, some times a second at least; false gives up.
  std::function<bool(double done)> progress = nullptr;
};

struct QuantizeReport {
  int converted = 0, kept = 0;  // tensors
  int again = 0;                // of those converted: were quantized already
  // Of those converted, by the name of the format that they have instead, as their rows are no
  // whole blocks of the one that was asked for.
  std::map<std::string, int> instead = {};
  std::uint64_t before = 0, after = 0;  // bytes of all tensors
  double error = 0;  // of the converted: root mean square of what changed, over that of the values
};

// Writes `path` with the tensors and all metadata of `file`. Matrices are converted; vectors,
// biases, the routers of experts and the convolutions of recurrent layers are kept. A matrix whose
// rows are no whole blocks of a K-format or IQ4_XS takes the format of shorter blocks that is as
// fine or finer, else F16, as llama-quantize does. The error names a tensor whose rows are no whole
// blocks of another format or whose type cannot be read, a pattern that nothing matches, or what
// could not be written. Whatever fails, an older file stays.
base::Result<QuantizeReport> quantizeFile(const gguf::File& file, const std::string& path,
                                          const QuantizeOptions& options);

}  // namespace waferpair::transformer
