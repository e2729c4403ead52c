// SPDX-License-Identifier: GPL-3.0-or-later
// The source of waferctl's tokens: a waferd that runs, or else the model loaded into this process.
// Both give the same figures in the same words (docs/protocol.md).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/sampling/sampler.h"
#include "runtime/server/core/token_file.h"
#include "runtime/transformer/adapters.h"

namespace waferpair::waferctl {

using Json = nlohmann::json;

struct TokenLimits {
  int maxTokens = 64;
  int maxLines = 0;   // 0: no limit; completions only
  bool chat = false;  // the prompt is a user's message; for models with a chat template
  inference::SamplingOptions sampling;
  bool speculation = true;
  bool byLine = true;  // as GenerationRequest has it; only where the model is loaded here
};

// A cursor in a file.
struct CursorPlace {
  std::string file;
  std::string text;        // of the whole file, well-formed UTF-8
  std::size_t offset = 0;  // bytes
};

using OnText = std::function<void(std::string_view)>;

// One request at a time, from one thread.
class Source {
 public:
  virtual ~Source() = default;
  // "waferd on port 43127" or "in this process": for people.
  virtual std::string name() const = 0;
  virtual Json model() const = 0;

  // Calls `onText` as text comes and returns {reason, usage, timings}.
  virtual base::Result<Json> complete(const CursorPlace& place, const TokenLimits& limits,
                                      const OnText& onText) = 0;
  virtual base::Result<Json> generate(const std::string& prompt, const TokenLimits& limits,
                                      const OnText& onText) = 0;

  // Records what the wafer does from now on into a file that ends in .wptrace, until stopTrace();
  // that returns {file, steps, tokens, cycles, bytes}.
  virtual base::Result<void> startTrace(const std::string& path) = 0;
  virtual base::Result<Json> stopTrace() = 0;
};

enum class Mode : std::uint8_t { kFast, kStrict, kSimulated };

struct SourceFlags {
  std::string model;                               // a GGUF file: no server is looked for
  std::vector<transformer::AdapterFile> adapters;  // of that model
  std::string tokenFile;                           // of the server wanted
  std::uint16_t port = 0;
  int threads = 0;
  int activationBits = 0;
  std::string machine = "wse3";
  std::string profile;
  double clockGhz = 0;
  // As the PEs would compute, or their simulation cycle by cycle (strict_source.h): without a
  // waferd.
  Mode mode = Mode::kFast;
  std::string region;  // WIDTHxHEIGHT that is simulated; empty: the smallest that does
  bool here = false;   // without a waferd, too
};
void addSourceFlags(CLI::App& command, SourceFlags& flags);
// --adapter, of a model that is loaded here.
CLI::Option* addAdapterOption(CLI::App& command, std::vector<transformer::AdapterFile>& adapters);

// The server that the flags name, else the first that runs; nothing where there is none to be
// named.
base::Result<std::optional<server::RunningServer>> findServer(const SourceFlags& flags);

base::Result<std::unique_ptr<Source>> openSource(const SourceFlags& flags);

// The model that comes with Waferpair, wherever this program was started from; the error names
// where it was looked for.
base::Result<std::string> defaultModel();

}  // namespace waferpair::waferctl
