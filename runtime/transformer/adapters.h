// SPDX-License-Identifier: GPL-3.0-or-later
// Low-rank adapters (LoRA, arXiv 2106.09685). An adapter of rank r has for a matrix W [rows][cols]
// two others, A [r][cols] and B [rows][r], with which the matrix becomes W + s B A, where
// s = factor * alpha / r.
//
// The sums are made once, as the model is loaded, so that whatever computes with it, and the wafer,
// sees a model like any other. Plain floats stay of their format; others become Q8_0, or F16 where
// rows are no whole blocks: in fewer bits, most of what was learned would be rounded away.
//
// In GGUF, general.type is "adapter", adapter.type "lora"; adapter.lora.alpha, where it is absent
// or 0, gives s = factor. A and B are the tensors NAME.lora_a and NAME.lora_b; those of embeddings
// are [vocab][r] and [width][r]. A norm may be there whole, as it became.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"
#include "runtime/tensor/block_formats.h"

namespace waferpair::transformer {

struct AdapterFile {
  std::string path;
  float factor = 1;  // of all that it adds; 0 adds nothing, -1 takes it away

  bool operator==(const AdapterFile&) const = default;
};

// "style.gguf" or "style.gguf:0.5". The error says what is no factor.
base::Result<AdapterFile> parseAdapterFile(const std::string& text);

// Knows what the adapters of a model, which are none for most, make of its tensors.
class Adapters {
 public:
  // The error names the file that is no adapter, or none of this model, and the tensor.
  static base::Result<Adapters> open(std::span<const AdapterFile> files, const gguf::File& model);
  base::Result<void> add(std::shared_ptr<const gguf::File> adapter, float factor,
                         const gguf::File& model);

  struct Added {
    std::shared_ptr<const gguf::File> file;
    float factor = 1;
  };
  std::span<const Added> added() const { return added_; }
  bool change(const gguf::TensorInfo& tensor) const {
    return changes_.find(tensor.name) != changes_.end();
  }
  // The format of a tensor of the model with all that is added; none if it is not computed with.
  std::optional<tensor::Format> formatOf(const gguf::TensorInfo& tensor) const;
  // Returns a tensor that they change, whose bytes are `data`, in that format. `factors` are of the
  // values of each of the matrices that lie in it one after another.
  std::vector<std::byte> applied(const gguf::TensorInfo& tensor, std::span<const std::byte> data,
                                 std::span<const float> factors, int threads) const;

 private:
  // An addition of one file to one tensor: s B A, or s times what `whole` is more.
  struct Addition {
    const gguf::File* file = nullptr;
    const gguf::TensorInfo* a = nullptr;
    const gguf::TensorInfo* b = nullptr;
    const gguf::TensorInfo* whole = nullptr;
    float scale = 1;  // s
  };
  class Sum;
  static base::Result<void> checkPair(const Addition& change, const gguf::TensorInfo& changed);

  std::vector<Added> added_;
  std::map<std::string, std::vector<Addition>, std::less<>> changes_;  // by the tensor's name
};

}  // namespace waferpair::transformer
