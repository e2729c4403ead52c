// SPDX-License-Identifier: GPL-3.0-or-later
// An engine with a tiny random model, for tests of what the server makes of its steps.
#pragma once

#include <QTemporaryDir>
#include <future>
#include <memory>

#include "runtime/inference/engine/engine.h"
#include "tests/support/tiny_model.h"

namespace waferpair::test {

// The model's file is in `folder`.
inline base::Result<std::unique_ptr<inference::Engine>> makeTinyEngine(
    const QTemporaryDir& folder) {
  const std::string path = folder.filePath("model.gguf").toStdString();
  if (auto written = writeTinyModel(path, {.seed = 3}); !written)
    return tl::unexpected(written.error());
  auto model = inference::CompiledModel::load(path, {.threads = 1});
  if (!model) return tl::unexpected(model.error());
  return inference::Engine::make(std::move(*model));
}

// Waits until so many tokens have come.
inline inference::JobReport generate(inference::Engine& engine, int tokens) {
  std::promise<inference::JobReport> done;
  engine.submit(inference::GenerationRequest{1, "int main", {.maxTokens = tokens}},
                {.onText = [](std::string) {},
                 .onDone = [&](const inference::JobReport& report) { done.set_value(report); },
                 .onBegin = nullptr});
  return done.get_future().get();
}

}  // namespace waferpair::test
