// SPDX-License-Identifier: GPL-3.0-or-later
// How unexpected lines are to a model at a place of a text: by its network alone, and with what it
// copies from the text.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/inference/model/compiled_model.h"

namespace waferpair::bench {

class LineSurprise {
 public:
  struct Nats {
    double network = 0;
    double copying = 0;  // as the network's, where the model does not copy
  };

  // Fails as CompiledModel::load.
  static base::Result<std::unique_ptr<LineSurprise>> load(const std::string& path);

  // Of `line` and its end, between the text in front of `offset`, which begins a line, and the text
  // from `next` on. The offsets are character boundaries of well-formed UTF-8.
  base::Result<Nats> of(const std::string& fileName, std::string_view text, std::size_t offset,
                        std::size_t next, std::string_view line);

 private:
  LineSurprise(std::unique_ptr<inference::CompiledModel> model, transformer::KvCache kv)
      : model_(std::move(model)), kv_(std::move(kv)) {}

  std::unique_ptr<inference::CompiledModel> model_;
  transformer::KvCache kv_;
};

}  // namespace waferpair::bench
