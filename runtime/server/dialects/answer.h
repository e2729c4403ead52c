// SPDX-License-Identifier: GPL-3.0-or-later
// The way of an answer over HTTP, as one JSON object or event by event.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "runtime/server/core/exchange.h"
#include "runtime/server/core/jobs.h"
#include "runtime/server/dialects/response_prompt.h"

namespace waferpair::server {

// An answer on its way, which its exchange holds until it is complete: a client that hangs up
// cancels it. `Stream` makes a dialect's JSON of the job's news, as ResponseStream does.
template <typename Stream>
class HttpAnswer : public std::enable_shared_from_this<HttpAnswer<Stream>> {
 public:
  HttpAnswer(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model,
             const TextRequest& request, Stream stream)
      : exchange_(std::move(exchange)),
        model_(std::move(model)),
        jobs_(exchange_->hub()),
        form_(request),
        isStreamed_(request.stream),
        stream_(std::move(stream)) {}

  void start(inference::GenerationRequest request) {
    exchange_->hold(this->shared_from_this());
    jobs_.submit<inference::GenerationRequest>(
        model_, std::move(request), this->weak_from_this(),
        {.onText = [this](const std::string& text) { stream_.text(text); },
         .onDone = [this](const inference::JobReport& report) { ended(report); },
         .onBegin = [this] { begun(); }},
        [this](inference::GenerationRequest& job, HostedModel& ready) {
          return addGrammar(job, form_, ready);
        });
  }

 private:
  // What is found to be wrong before the model begins, an input that is too long, is still refused
  // by the status code: so there is no event, nor a header, until here.
  void begun() {
    if (isStreamed_) {
      stream_.streamTo(exchange_->stream());
      streaming_ = true;
    }
    stream_.begun();
  }
  void ended(const inference::JobReport& report) {
    stream_.ended(report);
    if (streaming_)
      exchange_->end();
    else if (stream_.problem())
      exchange_->fail(*stream_.problem());
    else
      exchange_->json(stream_.object());
  }

  const std::shared_ptr<Exchange> exchange_;
  const std::shared_ptr<HostedModel> model_;  // the stream has its card
  Jobs jobs_;
  const AnswerForm form_;
  const bool isStreamed_;
  bool streaming_ = false;
  Stream stream_;
};

// Answers a request that was parsed, or says what is wrong with it.
template <typename Stream, typename Request>
void answerText(const std::shared_ptr<Exchange>& exchange, const Request& request) {
  const auto model = exchange->hub()->models().choose(request.model);
  if (!model) return exchange->fail(model.error());
  if (const auto refusal = Models::refusal(**model)) return exchange->fail(*refusal);
  const inference::ModelCard& card = *(*model)->card();
  auto prompt = responsePrompt(request, card, nullptr);
  if (!prompt) return exchange->fail(prompt.error());
  auto job = generationRequest(request, std::move(*prompt), **model, exchange->received());
  if (!job) return exchange->fail(job.error());
  std::make_shared<HttpAnswer<Stream>>(exchange, *model, request, Stream(request, card))
      ->start(std::move(*job));
}

}  // namespace waferpair::server
