// SPDX-License-Identifier: GPL-3.0-or-later
// The way of an answer over HTTP, as one JSON object or event by event.
#pragma once

#include <chrono>
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
// can tell before the job ends that there is text enough has hasEnough(); one that tells how likely
// tokens were, chances(), which come ahead of their text; one that tells how its prompt is read,
// prompt(), ahead of begun() and then again and again; one that tells what it waits for,
// tellsWaits() and waiting(), ahead of begun() as well; one whose errors are not as OpenAI's,
// errorBody(problem); and one that is not streamed as server-sent events, kFraming.
template <typename Stream>
class HttpAnswer : public std::enable_shared_from_this<HttpAnswer<Stream>> {
 public:
  virtual ~HttpAnswer() = default;
  HttpAnswer(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model,
             bool isStreamed, Stream stream)
      : exchange_(std::move(exchange)),
        model_(std::move(model)),
        jobs_(exchange_->hub()),
        isStreamed_(isStreamed),
        stream_(std::move(stream)) {}

  template <typename Request>
  void start(Request request, Jobs::Prepare<Request> prepare = {}) {
    keep();
    inference::JobCallbacks callbacks{
        .onText = [this](const std::string& text) { textCame(text); },
        .onDone = [this](const inference::JobReport& report) { ended(report); },
        .onBegin = [this] { begun(); }};
    if constexpr (requires(Stream stream) { stream.chances({}); })
      callbacks.onChances = [this](std::vector<inference::TokenChance> chances) {
        stream_.chances(std::move(chances));
      };
    callbacks.onPrompt = [this](const inference::PromptProgress& progress) { read(progress); };
    Jobs::OnWait onWait;
    if constexpr (requires { stream_.tellsWaits(); })
      if (isStreamed_ && stream_.tellsWaits())
        onWait = [this](const JobWait& wait) {
          openStream();
          stream_.waiting(wait);
        };
    job_ = jobs_.submit<Request>(model_, std::move(request), this->weak_from_this(),
                                 std::move(callbacks), std::move(prepare), std::move(onWait));
  }

 protected:
  // Has somebody keep this until it has ended.
  virtual void keep() { exchange_->hold(this->shared_from_this()); }
  virtual void ended(const inference::JobReport& report) {
    stream_.ended(report);
    tellEnd();
  }
  void tellEnd() {
    if (outbox_)
      exchange_->end();
    else if (stream_.problem())
      refuse<Stream>(*exchange_, *stream_.problem());
    else
      exchange_->json(stream_.object());
  }
  // The same where there is nobody to tell.
  void endUntold(const inference::JobReport& report) { stream_.ended(report); }
  bool isStreamed() const { return isStreamed_; }
  Exchange& exchange() const { return *exchange_; }
  const Stream& stream() const { return stream_; }
  const HostedModel& model() const { return *model_; }
  void cancelJob() { jobs_.cancel(job_); }

 private:
  // What is found to be wrong before the model begins, an input that is too long, is still refused
  // by the status code: so there is no event, nor a header, until here, or until a client that
  // wants to hear of it waits.
  void begun() {
    if (isStreamed_) openStream();
    stream_.begun();
  }
  void openStream() {
    if (outbox_) return;
    Framing framing = Framing::kServerSentEvents;
    if constexpr (requires { Stream::kFraming; }) framing = Stream::kFraming;
    outbox_ = &exchange_->stream(framing);
    stream_.streamTo(*outbox_);
  }
  static constexpr std::chrono::seconds kReadInSilence{1};

  // Many a client gives up where nothing comes for a while, as when a long prompt is read.
  void read(const inference::PromptProgress& progress) {
    if constexpr (requires { stream_.prompt(progress); }) stream_.prompt(progress);
    const auto now = inference::Clock::now();
    if (!outbox_ || progress.read >= progress.tokens || now < told_ + kReadInSilence) return;
    told_ = now;
    outbox_->pushComment();
  }
  void textCame(const std::string& text) {
    stream_.text(text);
    if constexpr (requires { stream_.hasEnough(); }) {
      if (stream_.hasEnough()) cancelJob();
    }
  }

  const std::shared_ptr<Exchange> exchange_;
  const std::shared_ptr<HostedModel> model_;  // the stream has its card
  Jobs jobs_;
  Jobs::Ticket job_ = 0;
  const bool isStreamed_;
  Outbox* outbox_ = nullptr;           // once it streams
  inference::Clock::time_point told_;  // when it was last told that the prompt is being read
  Stream stream_;
};

// Begins an answer; its grammar follows once the model is in memory.
template <typename Answer>
void startText(Answer& answer, const AnswerForm& form, inference::GenerationRequest job) {
  answer.template start<inference::GenerationRequest>(
      std::move(job), [form](inference::GenerationRequest& begun, HostedModel& ready) {
        return addGrammar(begun, form, ready);
      });
}

// Answers a request that was parsed, or says what is wrong with it.
template <typename Stream, typename Request>
void answerText(const std::shared_ptr<Exchange>& exchange, const Request& request) {
  auto ready = readyAnswer(exchange->hub()->models(), request, nullptr, exchange->received());
  if (!ready) return refuse<Stream>(*exchange, ready.error());
  const auto answer = std::make_shared<HttpAnswer<Stream>>(exchange, ready->model, request.stream,
                                                           Stream(request, *ready->model->card()));
  startText(*answer, request, std::move(ready->job));
}

}  // namespace waferpair::server
