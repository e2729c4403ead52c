// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/line_surprise.h"

#include <algorithm>
#include <vector>

#include "runtime/inference/prompt/prompt_window.h"

namespace waferpair::bench {

using inference::CompiledModel;

namespace {

constexpr std::size_t kMostTokens = 48;  // of a line that are looked at

}  // namespace

base::Result<std::unique_ptr<LineSurprise>> LineSurprise::load(const std::string& path) {
  auto model = CompiledModel::load(path);
  if (!model) return tl::unexpected(model.error());
  auto kv = transformer::KvCache::make((*model)->config(), (*model)->options().context);
  if (!kv) return tl::unexpected(kv.error());
  return std::unique_ptr<LineSurprise>(new LineSurprise(std::move(*model), std::move(*kv)));
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
  const std::size_t first = tokens.size();  // of the line
  tokens.insert(tokens.end(), wanted.begin(), wanted.end());

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
  kv_.truncate(0);
  const std::size_t fed = tokens.size() - 1;
  const auto chunk = static_cast<std::size_t>(model_->chunk());
  for (std::size_t begin = 0; begin < fed; begin += chunk) {
    const std::size_t end = std::min(begin + chunk, fed);
    const std::size_t from = std::clamp(first - 1, begin, end);  // the rows that predict the line
    const auto done = model_->score({tokens.data() + begin, end - begin}, kv_,
                                    static_cast<int>(end - from), note);
    if (!done) return tl::unexpected(done.error());
  }
  return nats;
}

}  // namespace waferpair::bench
