// SPDX-License-Identifier: GPL-3.0-or-later
// The outlook on a model file as a compiled model, without loading it: what it is good for, the
// memory that it needs, whether it can be used at all. Reads the file's header and its vocabulary
// only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/transformer/config.h"
#include "runtime/wafer/plan/plan.h"

namespace waferpair::inference {

struct ModelOutlook {
  std::string name;          // as ModelCard's
  std::string architecture;  // general.architecture; empty if the file does not say
  std::uint64_t parameters = 0;
  std::uint64_t fileBytes = 0;
  int context = 0;  // positions of one sequence
  // The memory of its weights and KV caches on this computer, loaded as CompileOptions has it.
  std::uint64_t memoryBytes = 0;
  // The bytes of weights that the processor reads to compute one token, and how much of that is
  // weights of 4 bits, 0 to 1.
  std::uint64_t bytesPerToken = 0;
  double fourBitShare = 0;
  // One token after another on the emulated wafer, with so many positions before it; by the kernel
  // profile and clock that are named. 0: not known.
  double waferTokensPerSecond = 0;
  int waferPositions = 0;
  std::string profile;
  double clockHz = 0;
  bool encodes = false;  // as ModelCard's: it embeds texts and writes none
  FimOrder fim = FimOrder::kNone;
  std::optional<ChatStyle> chat;
  std::optional<base::Error> chatProblem;  // as ModelCard's
  // Why it cannot be loaded: what of the above follows from more than the header's first lines is
  // unknown then.
  std::optional<base::Error> refusal;
};

// Fails where the file is no GGUF file.
base::Result<ModelOutlook> outlookOf(const std::string& path);

// A model as it will be once it is loaded with these options, from the header and the vocabulary.
struct ModelPreview {
  ModelCard card;
  std::uint64_t memoryBytes = 0;  // of its weights, and of KV caches at most
};
// The error says what a load would refuse.
base::Result<ModelPreview> previewOf(const std::string& path, const CompileOptions& options = {});

// A file read as far as it can be without its weights, which CompiledModel::load() begins with.
struct ModelReading {
  tokenizer::Tokenizer tokenizer;
  CompileOptions options;  // settled, but for threads and activations
  ModelCard card;          // but for the parameters
  wafer::Plan plan;
  std::uint64_t memoryBytes = 0;  // of weights and, at most, KV caches
};
// The error says what a load would refuse, or by how much the model does not fit the wafer.
base::Result<ModelReading> readModel(const gguf::File& file, const transformer::Config& config,
                                     const transformer::Adapters& adapters,
                                     const CompileOptions& wanted);

}  // namespace waferpair::inference
