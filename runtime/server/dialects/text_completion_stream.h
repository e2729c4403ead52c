// SPDX-License-Identifier: GPL-3.0-or-later
// One answer of /v1/completions or /v1/fim/completions, from request to its last chunk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/core/outbox.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/text_completion_request.h"

namespace waferpair::server {

class TextCompletionStream {
 public:
  // The card outlives this.
  // One of several has an index, and leaves the end of their stream to others.
  TextCompletionStream(const TextCompletionRequest& request, const inference::ModelCard& card,
                       std::optional<int> index = std::nullopt);
  static constexpr const char* kLastEvent = "[DONE]";
  // The body of several answers.
  static Json joined(std::vector<Json> all) { return joinedChoices(std::move(all)); }

  // From here on chunks go to `outbox`, which outlives this. Unless this is called only object() is
  // of interest.
  void streamTo(Outbox& outbox) { outbox_ = &outbox; }

  // These are called in this order, but for text() each once; begun() not if it ends before.
  void begun() {}
  void chances(std::vector<inference::TokenChance> added);
  void text(std::string_view added);
  void ended(const inference::JobReport& report);

  // It has failed, or was cancelled; why.
  const std::optional<Problem>& problem() const { return problem_; }
  // The whole answer, once it has ended.
  Json object() const;
  // The mean logarithm of its tokens' probabilities, once it has ended, where chances() told them.
  double likelihood() const;

 private:
  // An answer, or a chunk of one, with this choice; null: none.
  Json answer(Json choice, bool isWhole) const;
  Json choice(std::string_view text, const Json& finishReason, bool isWhole) const;
  // OpenAI's "logprobs" of these; null where they were not asked for.
  Json logprobs(const std::vector<inference::TokenChance>& chances, std::size_t offset) const;

  const std::optional<int> index_;
  std::string id_;
  std::int64_t createdAt_;
  const bool isFim_, includeUsage_, tellsChances_;
  const int mostAlternatives_;
  const inference::ModelCard& card_;
  std::string text_;
  std::vector<inference::TokenChance> all_;      // that have come
  std::vector<inference::TokenChance> waiting_;  // of these, for the next chunk
  std::size_t told_ = 0;                         // characters of text in chunks so far
  std::string head_, tail_;                      // of a chunk with text, around it
  Outbox* outbox_ = nullptr;
  Outbox::Ticket lastText_ = 0;
  std::optional<inference::JobReport> report_;
  std::string_view finishReason_ = "stop";
  std::optional<Problem> problem_;
};

}  // namespace waferpair::server
