// SPDX-License-Identifier: GPL-3.0-or-later
// The model in this process, computed as the PEs would (runtime/strict): for seeing what that
// changes. One sequence, token by token, no drafts. It copies from the text before as fast does, so
// that texts differ by arithmetic alone.
#pragma once

#include "runtime/inference/model/compiled_model.h"
#include "runtime/strict/decoder.h"
#include "runtime/waferctl/source.h"

namespace waferpair::waferctl {

class StrictSource final : public Source {
 public:
  static base::Result<std::unique_ptr<Source>> load(const std::string& path,
                                                    const inference::CompileOptions& options);

  std::string name() const override { return "in this process, strict"; }
  Json model() const override;
  base::Result<Json> complete(const CursorPlace& place, const TokenLimits& limits,
                              const OnText& onText) override;
  base::Result<Json> generate(const std::string& prompt, const TokenLimits& limits,
                              const OnText& onText) override;
  base::Result<void> startTrace(const std::string& path) override;
  base::Result<Json> stopTrace() override;

 private:
  StrictSource(std::unique_ptr<inference::CompiledModel> model,
               std::shared_ptr<const strict::Weights> weights)
      : model_(std::move(model)), weights_(std::move(weights)) {}

  std::unique_ptr<inference::CompiledModel> model_;  // its tokenizer, card and plan
  std::shared_ptr<const strict::Weights> weights_;
};

}  // namespace waferpair::waferctl
