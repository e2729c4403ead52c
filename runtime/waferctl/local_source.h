// SPDX-License-Identifier: GPL-3.0-or-later
// The model, loaded into this process.
#pragma once

#include "runtime/inference/engine/engine.h"
#include "runtime/server/session/trace_recorder.h"
#include "runtime/waferctl/source.h"

namespace waferpair::waferctl {

class LocalSource final : public Source {
 public:
  static base::Result<std::unique_ptr<Source>> load(const std::string& path,
                                                    const inference::CompileOptions& options);

  std::string name() const override { return "in this process"; }
  Json model() const override;
  base::Result<Json> complete(const CursorPlace& place, const TokenLimits& limits,
                              const OnText& onText) override;
  base::Result<Json> generate(const std::string& prompt, const TokenLimits& limits,
                              const OnText& onText) override;
  base::Result<void> startTrace(const std::string& path) override;
  base::Result<Json> stopTrace() override;

 private:
  explicit LocalSource(std::unique_ptr<inference::Engine> engine) : engine_(std::move(engine)) {}
  template <typename Request>
  base::Result<Json> run(Request request, const OnText& onText);

  std::unique_ptr<inference::Engine> engine_;
  std::shared_ptr<server::TraceRecorder> trace_;
};

}  // namespace waferpair::waferctl
