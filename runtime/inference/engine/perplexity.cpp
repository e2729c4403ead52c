// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/perplexity.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "runtime/inference/sampling/sampler.h"

namespace waferpair::inference {

double TextScore::bitsPerByte() const {
  return bytes > 0 ? nats / std::numbers::ln2 / static_cast<double>(bytes) : 0;
}

TextScore& TextScore::operator+=(const TextScore& other) {
  tokens += other.tokens;
  bytes += other.bytes;
  nats += other.nats;
  return *this;
}

base::Result<TextScore> scoreText(
    CompiledModel& model, std::string_view text,
    const std::function<bool(const TextScore&, std::int64_t tokens)>& progress) {
  const tokenizer::Tokenizer& tokenizer = model.tokenizer();
  const std::vector<std::int32_t> tokens = tokenizer.encode(text);
  const auto count = static_cast<int>(tokens.size());
  const bool bos = tokenizer.addsBos() && tokenizer.special().bos >= 0;
  const int size = model.options().context - (bos ? 1 : 0);  // of the text, in a window
  const int stride = std::max(1, size / 2);
  auto kv = transformer::KvCache::make(model.config(), model.options().context);
  if (!kv) return tl::unexpected(kv.error());

  TextScore score;
  // tokens[scored] is the next to be predicted; the first of all only where something precedes it.
  for (int start = 0, scored = bos ? 0 : 1; scored < count; start += stride) {
    const int end = std::min(start + size, count);
    std::vector<std::int32_t> window(tokens.begin() + start, tokens.begin() + end);
    if (bos) window.insert(window.begin(), tokenizer.special().bos);
    const int ahead = end - static_cast<int>(window.size());  // window[i] is tokens[ahead + i]
    kv->truncate(0);
    // The last of the window predicts nothing that is in it.
    const int fed = static_cast<int>(window.size()) - 1;
    for (int at = 0; at < fed; at += model.chunk()) {
      const int rows = std::min(model.chunk(), fed - at);
      const int next = ahead + at + 1;  // what the first row predicts
      const int wanted = std::clamp(next + rows - scored, 0, rows);
      const auto note = [&](int row, std::span<const float> logits) {
        const std::int32_t token = tokens[static_cast<std::size_t>(next + rows - wanted + row)];
        score.nats += surprise(logits, token);
        score.bytes += static_cast<std::int64_t>(tokenizer.bytes(token).size());
        ++score.tokens;
      };
      const auto done =
          model.score({window.data() + at, static_cast<std::size_t>(rows)}, *kv, wanted, note);
      if (!done) return tl::unexpected(done.error());
      if (progress && !progress(score, count)) return base::fail("Interrupted.");
    }
    scored = end;
  }
  return score;
}

}  // namespace waferpair::inference
