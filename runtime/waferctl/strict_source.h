// SPDX-License-Identifier: GPL-3.0-or-later
// The model in this process, computed as the PEs would (runtime/strict): for seeing what that
// changes. One sequence, token by token, no drafts. It copies from the text before as fast does, so
// that texts differ by arithmetic alone. Simulated, a region of PEs does it cycle by cycle, and
// each token's logits are held to strict's.
#pragma once

#include <optional>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/mesh/config.h"
#include "runtime/strict/decoder.h"
#include "runtime/waferctl/source.h"

namespace waferpair::waferctl {

class StrictSource final : public Source {
 public:
  static base::Result<std::unique_ptr<Source>> load(const std::string& path,
                                                    const inference::CompileOptions& options);

  // `region` is WIDTHxHEIGHT, or empty for the smallest square that does. The error names what does
  // not fit the region, or the simulator.
  static base::Result<std::unique_ptr<Source>> loadSimulated(
      const std::string& path, const inference::CompileOptions& options, const std::string& region);

  std::string name() const override {
    return region_ ? "in this process, simulated" : "in this process, strict";
  }
  Json model() const override;
  base::Result<Json> complete(const CursorPlace& place, const TokenLimits& limits,
                              const OnText& onText) override;
  base::Result<Json> generate(const std::string& prompt, const TokenLimits& limits,
                              const OnText& onText) override;
  base::Result<void> startTrace(const std::string& path) override;
  base::Result<Json> stopTrace() override;

 private:
  class Steps;
  StrictSource(std::unique_ptr<inference::CompiledModel> model,
               std::shared_ptr<const strict::Weights> weights,
               std::optional<mesh::Config> region = {})
      : model_(std::move(model)), weights_(std::move(weights)), region_(region) {}

  std::unique_ptr<inference::CompiledModel> model_;  // its tokenizer, card and plan
  std::shared_ptr<const strict::Weights> weights_;
  std::optional<mesh::Config> region_;  // that is simulated
};

}  // namespace waferpair::waferctl
