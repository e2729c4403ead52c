// SPDX-License-Identifier: GPL-3.0-or-later
// Models in memory and their logits, for the tests of the forward pass.
#pragma once

#include <Eigen/Dense>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "runtime/transformer/forward.h"

namespace waferpair::transformer {

using Tokens = std::vector<std::int32_t>;

// The file of an adapter, and what it is multiplied by.
struct AdapterBytes {
  std::vector<std::byte> bytes;
  float factor = 1;
};

// The model keeps pointing into the bytes, so they stay with it.
struct Loaded {
  explicit Loaded(std::vector<std::byte> file, std::vector<AdapterBytes> added = {})
      : bytes(std::move(file)), adapters(std::move(added)) {
    const auto base = opened(bytes, "tiny.gguf");
    Adapters all;
    for (const AdapterBytes& adapter : adapters) {
      const auto fits = all.add(opened(adapter.bytes, "adapter.gguf"), adapter.factor, *base);
      if (!fits) qFatal("%s", fits.error().message().c_str());
    }
    auto loaded = Model::load(base, std::move(all));
    if (!loaded) qFatal("%s", loaded.error().message().c_str());
    model = *loaded;
  }
  static std::shared_ptr<const gguf::File> opened(std::span<const std::byte> bytes,
                                                  const char* name) {
    auto parsed = gguf::File::parse(bytes, name);
    if (!parsed) qFatal("%s", parsed.error().message().c_str());
    return std::make_shared<const gguf::File>(std::move(*parsed));
  }
  KvCache cache(tensor::KvFormat format = tensor::KvFormat::kF16) const {
    return std::move(*KvCache::make(model->config(), model->config().contextLength, format));
  }

  std::vector<std::byte> bytes;
  std::vector<AdapterBytes> adapters;
  std::shared_ptr<const Model> model;
};

inline Tokens randomTokens(int count, int vocabSize, std::uint32_t seed = 9) {
  std::mt19937 random(seed);
  Tokens tokens(static_cast<std::size_t>(count));
  for (auto& token : tokens)
    token = static_cast<std::int32_t>(random() % static_cast<unsigned>(vocabSize));
  return tokens;
}

// The stages of a step, run as by `threads` threads. One real thread takes their parts in turn,
// which is a legal order of events.
inline void runStages(Forward& forward, int threads) {
  for (std::size_t stage = 0; stage < forward.stages().size(); ++stage) {
    for (int t = threads - 1; t >= 0; --t) forward.run(static_cast<int>(stage), t, threads);
  }
  forward.end();
}

// Logits [tokens][vocab] of a sequence fed in steps of `batch` tokens.
inline std::vector<std::vector<float>> logitsOf(
    const Loaded& loaded, const Tokens& tokens, int batch, int threads,
    const tensor::Kernels& kernels, tensor::KvFormat format = tensor::KvFormat::kF16,
    std::optional<tensor::Activations> activations = std::nullopt) {
  Forward forward(loaded.model, batch, threads, kernels, activations);
  KvCache kv = loaded.cache(format);
  std::vector<std::vector<float>> all;
  for (std::size_t at = 0; at < tokens.size();) {
    const std::size_t n = std::min(tokens.size() - at, static_cast<std::size_t>(batch));
    const auto begun = forward.begin(
        {.tokens = std::span(tokens).subspan(at, n), .kv = &kv, .logits = static_cast<int>(n)});
    if (!begun) qFatal("%s", begun.error().message().c_str());
    runStages(forward, threads);
    for (int i = 0; i < forward.logitRows(); ++i) {
      all.emplace_back(forward.logits(i).begin(), forward.logits(i).end());
    }
    at += n;
  }
  return all;
}

// Feeds several sequences in steps of up to `batch` tokens, some of each in turn, at random. True
// if the logits asked for on the way are those of each alone.
inline bool sequencesDoNotMeet(const Loaded& loaded, int batch, int threads,
                               const tensor::Kernels& kernels, std::uint32_t seed,
                               tensor::KvFormat format = tensor::KvFormat::kF16,
                               std::optional<tensor::Activations> activations = std::nullopt) {
  struct Sequence {
    Tokens tokens;
    std::vector<std::vector<float>> alone;
    KvCache kv;
  };
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<Sequence> sequences;
  for (int i = 0; i < 5; ++i) {
    const int length = 1 + static_cast<int>(below(150));
    Tokens tokens = randomTokens(length, loaded.model->config().vocabSize, seed + i);
    auto alone = logitsOf(loaded, tokens, 16, 1, kernels, format, activations);
    sequences.push_back({std::move(tokens), std::move(alone), loaded.cache(format)});
  }
  Forward forward(loaded.model, batch, threads, kernels, activations);
  bool asked = false;
  for (;;) {
    std::vector<Step> steps;
    std::vector<const std::vector<float>*> expected;
    std::size_t room = static_cast<std::size_t>(batch);
    std::shuffle(sequences.begin(), sequences.end(), random);
    for (Sequence& s : sequences) {
      const auto fed = static_cast<std::size_t>(s.kv.length());
      const std::size_t most = std::min(s.tokens.size() - fed, room);
      if (most == 0) continue;
      const std::size_t n = below(3) == 0 ? 1 + below(most) : 1;
      const std::size_t wanted = below(n + 1);
      steps.push_back({.tokens = std::span(s.tokens).subspan(fed, n),
                       .kv = &s.kv,
                       .logits = static_cast<int>(wanted)});
      for (std::size_t i = fed + n - wanted; i < fed + n; ++i) expected.push_back(&s.alone[i]);
      room -= n;
    }
    if (steps.empty()) return asked;
    const auto begun = forward.begin(steps);
    if (!begun) qFatal("%s", begun.error().message().c_str());
    runStages(forward, threads);
    if (forward.logitRows() != std::ssize(expected)) return false;
    for (int i = 0; i < forward.logitRows(); ++i) {
      if (!std::ranges::equal(forward.logits(i), *expected[static_cast<std::size_t>(i)]))
        return false;
      asked = true;
    }
  }
}

// |got - expected| / |expected|, over all rows.
inline double relativeError(const std::vector<std::vector<float>>& got,
                            const Eigen::MatrixXd& expected) {
  double error = 0;
  for (Eigen::Index t = 0; t < expected.rows(); ++t) {
    for (Eigen::Index v = 0; v < expected.cols(); ++v) {
      const double difference =
          got[static_cast<std::size_t>(t)][static_cast<std::size_t>(v)] - expected(t, v);
      error += difference * difference;
    }
  }
  return std::sqrt(error) / expected.norm();
}

}  // namespace waferpair::transformer
