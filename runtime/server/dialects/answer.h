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

// Tells a problem as the dialect of `Stream` does.
template <typename Stream>
void refuse(Exchange& exchange, const Problem& problem) {
  if constexpr (requires { Stream::errorBody(problem); })
    exchange.fail(problem, Stream::errorBody(problem));
  else
    exchange.fail(problem);
}

// An answer on its way, which its exchange holds until it is complete: a client that hangs up
// cancels it. `Stream` makes a dialect's JSON of the job's news, as ResponseStream does. One that
// can tell before the job ends that there is text enough has hasEnough(); one whose errors are not
// as OpenAI's, errorBody(problem); and one that is not streamed as server-sent events, kFraming.
template <typename Stream>
class HttpAnswer : public std::enable_shared_from_this<HttpAnswer<Stream>> {
 public:
  HttpAnswer(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model,
             bool isStreamed, Stream stream)
      : exchange_(std::move(exchange)),
        model_(std::move(model)),
        jobs_(exchange_->hub()),
        isStreamed_(isStreamed),
        stream_(std::move(stream)) {}

  template <typename Request>
  void start(Request request, Jobs::Prepare<Request> prepare = {}) {
    exchange_->hold(this->shared_from_this());
    job_ = jobs_.submit<Request>(
        model_, std::move(request), this->weak_from_this(),
        {.onText = [this](const std::string& text) { textCame(text); },
         .onDone = [this](const inference::JobReport& report) { ended(report); },
         .onBegin = [this] { begun(); }},
        std::move(prepare));
  }

 private:
  // What is found to be wrong before the model begins, an input that is too long, is still refused
  // by the status code: so there is no event, nor a header, until here.
  void begun() {
    if (isStreamed_) {
      Framing framing = Framing::kServerSentEvents;
      if constexpr (requires { Stream::kFraming; }) framing = Stream::kFraming;
      stream_.streamTo(exchange_->stream(framing));
      streaming_ = true;
    }
    stream_.begun();
  }
  void textCame(const std::string& text) {
    stream_.text(text);
    if constexpr (requires { stream_.hasEnough(); }) {
      if (stream_.hasEnough()) jobs_.cancel(job_);
    }
  }
  void ended(const inference::JobReport& report) {
    stream_.ended(report);
    if (streaming_)
      exchange_->end();
    else if (stream_.problem())
      refuse<Stream>(*exchange_, *stream_.problem());
    else
      exchange_->json(stream_.object());
  }

  const std::shared_ptr<Exchange> exchange_;
  const std::shared_ptr<HostedModel> model_;  // the stream has its card
  Jobs jobs_;
  Jobs::Ticket job_ = 0;
  const bool isStreamed_;
  bool streaming_ = false;
  Stream stream_;
};

// Answers a request that was parsed, or says what is wrong with it.
template <typename Stream, typename Request>
void answerText(const std::shared_ptr<Exchange>& exchange, const Request& request) {
  const auto model = exchange->hub()->models().choose(request.model);
  const auto refused = [&](const Problem& problem) { refuse<Stream>(*exchange, problem); };
  if (!model) return refused(model.error());
  if (const auto refusal = Models::refusal(**model)) return refused(*refusal);
  const inference::ModelCard& card = *(*model)->card();
  auto prompt = responsePrompt(request, card, nullptr);
  if (!prompt) return refused(prompt.error());
  auto job = generationRequest(request, std::move(*prompt), **model, exchange->received());
  if (!job) return refused(job.error());
  std::make_shared<HttpAnswer<Stream>>(exchange, *model, request.stream, Stream(request, card))
      ->template start<inference::GenerationRequest>(
          std::move(*job),
          [form = AnswerForm(request)](inference::GenerationRequest& begun, HostedModel& ready) {
            return addGrammar(begun, form, ready);
          });
}

}  // namespace waferpair::server
