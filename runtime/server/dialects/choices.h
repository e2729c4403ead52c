// SPDX-License-Identifier: GPL-3.0-or-later
// Several answers to one request: each is a job of its own, and they share what is alike in their
// prompts' keys and values. In a stream their events come as they come, told apart by an index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "runtime/server/core/exchange.h"
#include "runtime/server/core/jobs.h"
#include "runtime/server/dialects/answer.h"

namespace waferpair::server {

// `Stream` is as HttpAnswer has it, and makes one body of those of several: joined().
template <typename Stream>
class Choices : public std::enable_shared_from_this<Choices<Stream>> {
 public:
  Choices(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model, bool isStreamed)
      : exchange_(std::move(exchange)),
        model_(std::move(model)),
        jobs_(exchange_->hub()),
        isStreamed_(isStreamed) {}

  // Of each `written` answers in a row only the `told` likeliest are told, as Stream::likelihood()
  // has it; all count as written. They are not streamed.
  void tellLikeliest(int told, int written) {
    told_ = static_cast<std::size_t>(told);
    written_ = static_cast<std::size_t>(written);
  }

  // All are added before the first is submitted.
  void add(Stream stream) {
    choices_.push_back(std::make_unique<Choice>(Choice{std::move(stream)}));
  }
  // Whatever is drawn by chance differs from one to the next.
  template <typename Job>
  void submit(std::size_t index, Job job, Jobs::Prepare<Job> prepare) {
    if (index == 0) exchange_->hold(this->shared_from_this());
    Choice& choice = *choices_[index];
    job.limits.sampling.seed += static_cast<std::uint64_t>(index);
    inference::JobCallbacks callbacks{
        .onText = [this, &choice](const std::string& text) { textCame(choice, text); },
        .onDone = [this, &choice](const inference::JobReport& report) { ended(choice, report); },
        .onBegin = [this, &choice] { begun(choice); }};
    if constexpr (requires(Stream stream) { stream.chances({}); })
      callbacks.onChances = [&choice](std::vector<inference::TokenChance> chances) {
        choice.stream.chances(std::move(chances));
      };
    choice.job = jobs_.submit<Job>(model_, std::move(job), this->weak_from_this(),
                                   std::move(callbacks), std::move(prepare));
  }

 private:
  struct Choice {
    Stream stream;
    Jobs::Ticket job = 0;
  };

  void begun(Choice& choice) {
    if (isStreamed_) {
      if (!outbox_) outbox_ = &exchange_->stream(Framing::kServerSentEvents);
      choice.stream.streamTo(*outbox_);
    }
    choice.stream.begun();
  }
  void textCame(Choice& choice, const std::string& text) {
    choice.stream.text(text);
    if constexpr (requires { choice.stream.hasEnough(); }) {
      if (choice.stream.hasEnough()) jobs_.cancel(choice.job);
    }
  }
  void ended(Choice& choice, const inference::JobReport& report) {
    choice.stream.ended(report);
    if (++ended_ < choices_.size()) return;
    if (outbox_) {
      if constexpr (requires { Stream::kLastEvent; }) outbox_->push({}, Stream::kLastEvent);
      return exchange_->end();
    }
    std::vector<Json> all;
    for (const auto& each : choices_) {
      if (each->stream.problem()) return refuse<Stream>(*exchange_, *each->stream.problem());
      all.push_back(each->stream.object());
    }
    if constexpr (requires(const Stream stream) { stream.likelihood(); }) keepLikeliest(all);
    exchange_->json(Stream::joined(std::move(all)));
  }
  // Takes the choices out of the other answers; what they took is told.
  template <typename All>
  void keepLikeliest(All& all) const {
    std::size_t index = 0;
    for (std::size_t first = 0; written_ > told_ && first < all.size(); first += written_) {
      std::vector<std::size_t> order(written_);
      std::iota(order.begin(), order.end(), first);
      std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t answer) {
        return choices_[answer]->stream.likelihood();
      });
      std::vector<Json> ranked;
      for (const std::size_t answer : order) ranked.push_back(std::move(all[answer]));
      for (std::size_t i = 0; i < written_; ++i) {
        Json& choices = ranked[i]["choices"];
        if (i < told_)
          choices[0]["index"] = index++;
        else
          choices.clear();
        all[first + i] = std::move(ranked[i]);
      }
    }
  }

  const std::shared_ptr<Exchange> exchange_;
  const std::shared_ptr<HostedModel> model_;  // the streams have its card
  Jobs jobs_;
  const bool isStreamed_;
  Outbox* outbox_ = nullptr;
  std::vector<std::unique_ptr<Choice>> choices_;
  std::size_t ended_ = 0;
  std::size_t told_ = 1, written_ = 1;
};

}  // namespace waferpair::server
