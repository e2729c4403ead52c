// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/runtime/strict/agreement.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/strict/decoder.h"
#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/forward.h"
#include "runtime/transformer/quantize.h"

namespace waferpair::test {

namespace {

namespace fs = std::filesystem;

// Returns the text that prompts end in, at places all through it: these folders' files, in order of
// their names.
std::string textOf(const std::string& root) {
  std::vector<fs::path> files;
  for (const char* folder : {"resources/sample_project", "runtime", "editor"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(root) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".cpp" || extension == ".h" || extension == ".py") {
        files.push_back(entry.path());
      }
    }
  }
  std::ranges::sort(files);
  std::string text;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    text.append(std::istreambuf_iterator<char>(in), {});
  }
  return text;
}

int largest(std::span<const float> logits) {
  return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
}

// Returns the distance from an FP16 value of this size to the next.
double distanceAt(double value) {
  return std::ldexp(1, std::max(std::ilogb(std::max(std::abs(value), 1e-9)), -14) - 10);
}

// Root mean square distance of logits, but for what they have in common, which changes no choice.
double distanceOf(std::span<const float> logits, std::span<const float> reference) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double off = logits[i] - reference[i];
    sum += off;
    squares += off * off;
  }
  const auto count = static_cast<double>(logits.size());
  return std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)));
}

// The same model with all matrices in F32.
base::Result<std::shared_ptr<const transformer::Model>> loadInF32(const std::string& model) {
  const auto file = gguf::File::open(model);
  if (!file) return tl::unexpected(file.error());
  const fs::path path =
      fs::temp_directory_path() / ("waferpair-f32-" + std::to_string(getpid()) + ".gguf");
  const auto written =
      transformer::quantizeFile(*file, path.string(), {.format = tensor::Format::kF32});
  if (!written) return tl::unexpected(written.error());
  auto loaded = transformer::Model::load(path.string());
  fs::remove(path);
  return loaded;
}

}  // namespace

base::Result<Agreement> compareModes(const AgreementOptions& options) {
  const auto compiled = inference::CompiledModel::load(options.model);
  if (!compiled) return tl::unexpected(compiled.error());
  const auto model = transformer::Model::load(options.model);
  if (!model) return tl::unexpected(model.error());
  const auto weights =
      strict::Weights::make(*model, strict::Layout::of((*compiled)->program().plan()));
  if (!weights) return tl::unexpected(weights.error());
  const std::string text = textOf(options.root);
  const auto tokens = (*compiled)->tokenizer().encode(text);
  const int length = options.promptTokens + options.newTokens;
  const auto room = static_cast<std::int64_t>(tokens.size()) - options.promptTokens;
  if (room < options.prompts) {
    return base::fail(options.root + ": too little text for the prompts.", "Name the repository.");
  }

  const auto inF32 = loadInF32(options.model);
  if (!inF32) return tl::unexpected(inF32.error());

  tensor::ThreadTeam team(1);
  transformer::Forward forward(*model, options.promptTokens, 1, tensor::kernels(),
                               options.activations);
  transformer::Forward referenceForward(*inF32, options.promptTokens, 1);
  Agreement found;
  found.prompts = options.prompts;
  for (int prompt = 0; prompt < options.prompts; ++prompt) {
    const auto begin = static_cast<std::size_t>(room * prompt / options.prompts);
    std::vector<std::int32_t> next(
        tokens.begin() + static_cast<std::ptrdiff_t>(begin),
        tokens.begin() + static_cast<std::ptrdiff_t>(begin) + options.promptTokens);
    auto kv = transformer::KvCache::make((*model)->config(), length, tensor::KvFormat::kF16);
    if (!kv) return tl::unexpected(kv.error());
    auto referenceKv =
        transformer::KvCache::make((*model)->config(), length, tensor::KvFormat::kF16);
    if (!referenceKv) return tl::unexpected(referenceKv.error());
    strict::Decoder decoder(*weights, length);
    bool allSame = true;
    for (int i = 0; i < options.newTokens; ++i) {
      if (auto ok = forward.step({.tokens = next, .kv = &*kv, .logits = 1}, team); !ok) {
        return tl::unexpected(ok.error());
      }
      if (auto ok = referenceForward.step({.tokens = next, .kv = &*referenceKv, .logits = 1}, team);
          !ok) {
        return tl::unexpected(ok.error());
      }
      for (std::int32_t token : next) {
        if (auto ok = decoder.step(token); !ok) return tl::unexpected(ok.error());
      }
      const auto fast = forward.logits(0), strict = decoder.logits();
      const auto reference = referenceForward.logits(0);
      const double rounding = distanceOf(strict, reference);
      const double byActivations = distanceOf(fast, reference);
      found.rounding += rounding * rounding;
      found.activationsError += byActivations * byActivations;
      ++found.tokens;
      const int a = largest(fast), b = largest(strict);
      found.distance += distanceAt(fast[a]);
      const double roundings = std::abs(reference[a] - reference[b]) / (std::sqrt(2.0) * rounding);
      allSame = allSame && a == b;
      if (a == b) {
        ++found.same;
      } else if (roundings <= Agreement::kTie) {
        ++found.ties;
      } else {
        found.differences.push_back({.prompt = prompt,
                                     .token = i,
                                     .roundings = roundings,
                                     .byActivations = largest(reference) == b});
      }
      next = {a};
    }
    found.samePrompts += allSame;
  }
  found.rounding = std::sqrt(found.rounding / found.tokens);
  found.activationsError = std::sqrt(found.activationsError / found.tokens);
  found.distance /= found.tokens;
  return found;
}

}  // namespace waferpair::test
