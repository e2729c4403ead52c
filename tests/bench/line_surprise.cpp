// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/line_surprise.h"

#include <algorithm>
#include <ctime>
#include <vector>

#include "runtime/inference/prompt/prompt_window.h"

namespace waferpair::bench {

using inference::CompiledModel;

namespace {

constexpr std::size_t kMostTokens = 48;  // of a line that are looked at
constexpr std::size_t kMostKnown = 20'000;

std::string keyOf(const std::vector<std::int32_t>& prompt, const std::vector<std::int32_t>& line) {
  std::string key(reinterpret_cast<const char*>(prompt.data()), prompt.size() * sizeof(prompt[0]));
  key.append(reinterpret_cast<const char*>(line.data()), line.size() * sizeof(line[0]));
  return key + ' ' + std::to_string(prompt.size());
}

}  // namespace

base::Result<std::unique_ptr<LineSurprise>> LineSurprise::load(const std::string& path) {
  auto model = CompiledModel::load(path);
  if (!model) return tl::unexpected(model.error());
  auto kv = transformer::KvCache::make((*model)->config(), (*model)->options().context);
  if (!kv) return tl::unexpected(kv.error());
  return std::unique_ptr<LineSurprise>(new LineSurprise(std::move(*model), std::move(*kv)));
}

base::Result<void> LineSurprise::feed(const std::vector<std::int32_t>& tokens, std::size_t from,
                                      const CompiledModel::OnLogits& onLogits) {
  const auto differs = std::mismatch(tokens.begin(), tokens.end(), held_.begin(), held_.end());
  const auto shared = std::min<std::size_t>(differs.first - tokens.begin(), from);
  kv_.truncate(static_cast<int>(shared));
  auto begin = static_cast<std::size_t>(kv_.length());  // less where layers cannot go back so far
  held_.resize(begin);
  const auto chunk = static_cast<std::size_t>(model_->chunk());
  while (begin < tokens.size()) {
    const std::size_t end = std::min(begin + chunk, tokens.size());
    const std::size_t shown = end - std::clamp(from, begin, end);
    const auto done =
        model_->score({tokens.data() + begin, end - begin}, kv_, static_cast<int>(shown), onLogits);
    if (!done) return done;
    held_.insert(held_.end(), tokens.begin() + begin, tokens.begin() + end);
    begin = end;
  }
  return {};
}

base::Result<LineSurprise::Nats> LineSurprise::of(const std::string& fileName,
                                                  std::string_view text, std::size_t offset,
                                                  std::size_t next, std::string_view line) {
  const tokenizer::Tokenizer& tokenizer = model_->tokenizer();
  const inference::ModelCard& card = model_->card();
  const auto budget = inference::promptBudget(card.context);
  const auto front =
      inference::cutWindow(text, offset, budget.prefix * inference::kBytesPerToken, 0, 0);
  const auto behind =
      inference::cutWindow(text, next, 0, budget.suffix * inference::kBytesPerToken, 0);
  std::vector<std::int32_t> tokens =
      inference::fimPrompt(tokenizer, card.prompt, {fileName, front.prefix, behind.suffix}, budget);
  std::vector<std::int32_t> context = inference::copiedText(tokenizer, tokens);
  std::vector<std::int32_t> wanted = tokenizer.encode(
      std::string(line) + "\n", tokenizer::SpecialText::kPlain, tokenizer::TextStart::kContinues);
  if (wanted.size() > kMostTokens) wanted.resize(kMostTokens);
  const std::string key = keyOf(tokens, wanted);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const std::size_t first = tokens.size();  // of the line
  tokens.insert(tokens.end(), wanted.begin(), wanted.end() - 1);

  const inference::DraftIndex none;
  std::optional<inference::Copying> copying;
  if (card.copying)
    copying.emplace(*card.copying, std::move(context), inference::CopySources{.documents = none});
  Nats nats;
  std::size_t at = 0;
  std::vector<float> changed;
  const auto note = [&](int, std::span<const float> logits) {
    const std::int32_t token = wanted[at++];
    const double network = inference::surprise(logits, token);
    nats.network += network;
    if (copying) {
      changed.assign(logits.begin(), logits.end());
      copying->apply(changed);
      copying->chosen(token);
    }
    nats.copying += copying ? inference::surprise(changed, token) : network;
  };
  const std::clock_t began = std::clock();
  if (const auto done = feed(tokens, first - 1, note); !done) return tl::unexpected(done.error());
  ++spent_.lines;
  spent_.seconds += static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  if (known_.size() >= kMostKnown) known_.clear();
  return known_[key] = nats;
}

}  // namespace waferpair::bench
