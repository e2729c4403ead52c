// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/runtime/strict/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "runtime/inference/compiled_model.h"
#include "runtime/strict/decoder.h"
#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/forward.h"

namespace waferpair::test {

namespace {

namespace fs = std::filesystem;

// Where prompts end: at places all through these folders' files, in order of their names.
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

// From an FP16 value of this size to the next.
double distanceAt(double value) {
  return std::ldexp(1, std::max(std::ilogb(std::max(std::abs(value), 1e-9)), -14) - 10);
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

  tensor::ThreadTeam team(1);
  transformer::Forward forward(*model, options.promptTokens, 1);
  Agreement found;
  found.prompts = options.prompts;
  double squares = 0, count = 0;
  for (int prompt = 0; prompt < options.prompts; ++prompt) {
    const auto begin = static_cast<std::size_t>(room * prompt / options.prompts);
    std::vector<std::int32_t> next(
        tokens.begin() + static_cast<std::ptrdiff_t>(begin),
        tokens.begin() + static_cast<std::ptrdiff_t>(begin) + options.promptTokens);
    auto kv = transformer::KvCache::make((*model)->config(), length, tensor::KvFormat::kF16);
    if (!kv) return tl::unexpected(kv.error());
    strict::Decoder decoder(*weights, length);
    bool allSame = true;
    for (int i = 0; i < options.newTokens; ++i) {
      if (auto ok = forward.step({.tokens = next, .kv = &*kv, .logits = 1}, team); !ok) {
        return tl::unexpected(ok.error());
      }
      for (std::int32_t token : next) {
        if (auto ok = decoder.step(token); !ok) return tl::unexpected(ok.error());
      }
      const auto fast = forward.logits(0), strict = decoder.logits();
      const int a = largest(fast), b = largest(strict);
      for (std::size_t v = 0; v < fast.size(); ++v) {
        squares += (fast[v] - strict[v]) * (fast[v] - strict[v]);
      }
      count += static_cast<double>(fast.size());
      const double distance = distanceAt(fast[a]);
      found.distance += distance;
      ++found.tokens;
      const double margin = (fast[a] - fast[b]) / distance;
      if (a == b) {
        ++found.same;
      } else if (allSame = false; margin <= 1) {
        ++found.ties;
      } else {
        found.differences.push_back({prompt, i, margin});
      }
      next = {a};
    }
    found.samePrompts += allSame;
  }
  found.error = std::sqrt(squares / count);
  found.distance /= found.tokens;
  return found;
}

}  // namespace waferpair::test
