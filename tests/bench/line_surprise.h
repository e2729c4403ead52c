// SPDX-License-Identifier: GPL-3.0-or-later
// How unexpected lines are to a model at a place of a text: by its network alone, and with what it
// copies from the text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/model/compiled_model.h"

namespace waferpair::bench {

class LineSurprise {
 public:
  struct Nats {
    double network = 0;
    double copying = 0;  // as the network's, where the model does not copy
  };

  // What lines took that were not asked for before.
  struct Spent {
    int lines = 0;
    double seconds = 0;  // of processor time, on all threads
  };

  // Fails as CompiledModel::load.
  static base::Result<std::unique_ptr<LineSurprise>> load(const std::string& path);

  // Of `line` and its end, between the text in front of `offset`, which begins a line, and the text
  // from `next` on. The offsets are character boundaries of well-formed UTF-8.
  base::Result<Nats> of(const std::string& fileName, std::string_view text, std::size_t offset,
                        std::size_t next, std::string_view line);

  Spent spent() const { return spent_; }

 private:
  LineSurprise(std::unique_ptr<inference::CompiledModel> model, transformer::KvCache kv)
      : model_(std::move(model)), kv_(std::move(kv)) {}

  // Feeds the tokens, those that `kv_` begins with excepted, and shows the logits from position
  // `from` on.
  base::Result<void> feed(const std::vector<std::int32_t>& tokens, std::size_t from,
                          const inference::CompiledModel::OnLogits& onLogits);

  std::unique_ptr<inference::CompiledModel> model_;
  transformer::KvCache kv_;
  std::vector<std::int32_t> held_;               // the tokens in `kv_`
  std::unordered_map<std::string, Nats> known_;  // by prompt and line: most are asked for again
  Spent spent_;
};

}  // namespace waferpair::bench
