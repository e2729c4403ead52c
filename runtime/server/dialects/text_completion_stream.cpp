// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/text_completion_stream.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "runtime/base/utf8.h"
#include "runtime/server/core/events.h"

namespace waferpair::server {
namespace {

// Offsets count characters, as OpenAI's clients do.
std::size_t charactersIn(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

// A token as a key. One that is no text has its bytes, as in OpenAI's API: as text several would be
// alike.
std::string keyOf(const std::string& bytes) {
  if (base::isUtf8(bytes)) return bytes;
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string key = "bytes:";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    key += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
  }
  return key;
}

}  // namespace

TextCompletionStream::TextCompletionStream(const TextCompletionRequest& request,
                                           const inference::ModelCard& card,
                                           std::optional<int> index)
    : index_(index),
      id_(makeId(request.isFim ? "fim-" : "cmpl-")),
      createdAt_(unixSeconds()),
      isFim_(request.isFim),
      includeUsage_(request.includeUsage),
      tellsChances_(request.chances),
      mostAlternatives_(request.mostAlternatives),
      card_(card) {
  std::tie(head_, tail_) = aroundText(
      [&](std::string_view text) { return dump(answer(choice(text, nullptr, false), false)); });
}

Json TextCompletionStream::answer(Json choice, bool isWhole) const {
  std::string_view object = "text_completion";
  if (isFim_) object = isWhole ? "chat.completion" : "chat.completion.chunk";
  Json choices = Json::array();
  if (!choice.is_null()) choices.push_back(std::move(choice));
  return {{"id", id_},
          {"object", object},
          {"created", createdAt_},
          {"model", card_.name},
          {"choices", std::move(choices)}};
}

Json TextCompletionStream::choice(std::string_view text, const Json& finishReason,
                                  bool isWhole) const {
  Json choice = {{"index", index_.value_or(0)}, {"finish_reason", finishReason}};
  if (isFim_) {
    choice[isWhole ? "message" : "delta"] = {{"role", "assistant"}, {"content", text}};
  } else {
    choice["text"] = text;
    choice["logprobs"] = nullptr;
  }
  return choice;
}

Json TextCompletionStream::logprobs(const std::vector<inference::TokenChance>& chances,
                                    std::size_t offset) const {
  if (!tellsChances_) return nullptr;
  Json tokens = Json::array(), values = Json::array(), offsets = Json::array();
  Json alternatives = Json::array();
  for (const inference::TokenChance& chance : chances) {
    tokens.push_back(chance.text);
    values.push_back(chance.logProbability);
    offsets.push_back(offset);
    Json others = chance.likeliest.empty() ? Json(nullptr) : Json::object();
    for (const inference::ChanceOf& other : chance.likeliest)
      if (static_cast<int>(others.size()) < mostAlternatives_)
        others[keyOf(other.bytes)] = other.logProbability;
    alternatives.push_back(std::move(others));
    offset += charactersIn(chance.text);
  }
  return {{"tokens", std::move(tokens)},
          {"token_logprobs", std::move(values)},
          {"top_logprobs", mostAlternatives_ > 0 ? std::move(alternatives) : Json(nullptr)},
          {"text_offset", std::move(offsets)}};
}

void TextCompletionStream::chances(std::vector<inference::TokenChance> added) {
  all_.insert(all_.end(), added.begin(), added.end());
  waiting_.insert(waiting_.end(), std::make_move_iterator(added.begin()),
                  std::make_move_iterator(added.end()));
}

void TextCompletionStream::text(std::string_view added) {
  text_ += added;
  if (outbox_ && tellsChances_) {
    Json told = choice(added, nullptr, false);
    told["logprobs"] = logprobs(std::exchange(waiting_, {}), told_);
    told_ += charactersIn(added);
    outbox_->push({}, dump(answer(std::move(told), false)));
    return;
  }
  if (!outbox_ || outbox_->grow(lastText_, added)) return;
  lastText_ = outbox_->pushText({}, head_, added, tail_);
}

void TextCompletionStream::ended(const inference::JobReport& report) {
  report_ = report;
  problem_ = endProblem(report, {.input = "prompt"}, /*tools=*/false);
  if (isCutOff(report)) finishReason_ = "length";
  if (!outbox_) return;
  if (problem_) {
    outbox_->push({}, dump({{"error", openAiError(*problem_)}}));
  } else {
    // Mistral's last chunk has the usage itself.
    Json end = choice({}, finishReason_, false);
    if (tellsChances_) end["logprobs"] = logprobs(std::exchange(waiting_, {}), told_);
    Json last = answer(std::move(end), false);
    if (isFim_) last["usage"] = openAiUsage(*report_);
    outbox_->push({}, dump(last));
    if (includeUsage_ && !isFim_) {
      last = answer(nullptr, false);
      last["usage"] = openAiUsage(*report_);
      outbox_->push({}, dump(last));
    }
  }
  if (!index_) outbox_->push({}, kLastEvent);
}

double TextCompletionStream::likelihood() const {
  double sum = 0;
  for (const inference::TokenChance& chance : all_) sum += chance.logProbability;
  return all_.empty() ? 0 : sum / static_cast<double>(all_.size());
}

Json TextCompletionStream::object() const {
  Json all = choice(text_, finishReason_, true);
  if (tellsChances_) all["logprobs"] = logprobs(all_, 0);
  Json whole = answer(std::move(all), true);
  whole["usage"] = openAiUsage(*report_);
  whole["timings"] = timingsJson(*report_, card_);
  return whole;
}

}  // namespace waferpair::server
