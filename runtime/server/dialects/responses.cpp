// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/responses.h"

#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/loaded_model.h"
#include "runtime/server/dialects/response_stream.h"

namespace waferpair::server {
namespace {

// Of all clients together: each holds a place in the engine's queue, and no connection.
constexpr std::size_t kMostInBackground = 64;

// An answer that can be asked for by its id, also while it is on its way.
class StoredAnswer final : public HttpAnswer<ResponseStream>, private LiveResponse {
 public:
  StoredAnswer(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model,
               const ResponseCreate& request, ResponsePrompt prompt)
      : HttpAnswer(exchange, model, request.stream, ResponseStream(request, *model->card())),
        responses_(exchange->hub()->responses()),
        isInBackground_(request.background),
        prompt_(std::move(prompt)) {}
  ~StoredAnswer() override {
    if (!ended_) responses_.forget(stream().id());
  }

  // The answer to a client that does not wait.
  void tellBegin() {
    if (isInBackground_ && !isStreamed()) exchange().json(stream().object());
  }

 private:
  void keep() override {
    responses_.begin(stream().id(), *this, model().source().file,
                     isInBackground_ ? shared_from_this() : nullptr);
    if (!isInBackground_) HttpAnswer::keep();
  }
  void ended(const inference::JobReport& report) override {
    ended_ = true;
    if (isInBackground_ && !isStreamed())
      endUntold(report);
    else
      HttpAnswer::ended(report);
    const ResponsePrompt prompt = promptBehind(stream(), std::move(prompt_));
    responses_.end(stream().id(), stream().object(), stream().completed() ? &prompt : nullptr);
  }
  Json object() const override { return stream().object(); }
  void cancel() override { cancelJob(); }

  StoredResponses& responses_;  // of the hub, which the exchange keeps
  const bool isInBackground_;
  ResponsePrompt prompt_;
  bool ended_ = false;
};

// The prompt that a request goes on from; null: none.
Checked<const ResponsePrompt*> previousOf(const Exchange& exchange, const ResponseCreate& request) {
  if (request.previousResponseId.empty()) return nullptr;
  const ResponsePrompt* previous = exchange.hub()->responses().promptOf(request.previousResponseId);
  if (!previous) return reject(previousNotFound(request.previousResponseId));
  return previous;
}

void create(const std::shared_ptr<Exchange>& exchange, const ResponseCreate& request) {
  Hub& hub = *exchange->hub();
  if (request.background && hub.responses().owned() >= kMostInBackground)
    return exchange->fail({protocol::error_code::kLimitExceeded,
                           {std::to_string(kMostInBackground) + " responses run in the background.",
                            "Wait for some to end, or cancel them."}});
  const auto previous = previousOf(*exchange, request);
  if (!previous) return exchange->fail(previous.error());
  auto ready = readyAnswer(hub.models(), request, *previous, exchange->received());
  if (!ready) return exchange->fail(ready.error());
  // An id of the client's own choice may be in use elsewhere.
  if (!request.store || !request.id.empty()) {
    const auto answer = std::make_shared<HttpAnswer<ResponseStream>>(
        exchange, ready->model, request.stream, ResponseStream(request, *ready->model->card()));
    return startText(*answer, request, std::move(ready->job));
  }
  const auto answer =
      std::make_shared<StoredAnswer>(exchange, ready->model, request, std::move(ready->prompt));
  startText(*answer, request, std::move(ready->job));
  answer->tellBegin();
}

void countTokens(const std::shared_ptr<Exchange>& exchange, const ResponseCreate& asked) {
  const auto previous = previousOf(*exchange, asked);
  if (!previous) return exchange->fail(previous.error());
  const auto before = *previous ? std::make_shared<ResponsePrompt>(**previous) : nullptr;
  answerWithEngine<ResponseStream>(
      exchange, asked.model,
      [exchange, request = asked, previous = before](const inference::Engine& engine) {
        const inference::CompiledModel& model = engine.model();
        const auto prompt = responsePrompt(request, model.card(), previous.get());
        if (!prompt) return exchange->fail(prompt.error());
        const auto tokens = promptTokens(*prompt, request, model);
        if (!tokens) return exchange->fail(tokens.error());
        exchange->json({{"object", "response.input_tokens"}, {"input_tokens", *tokens}});
      });
}

void readResponse(const std::shared_ptr<Exchange>& exchange,
                  void (*follow)(const std::shared_ptr<Exchange>&, const ResponseCreate&)) {
  readBody(exchange, parseResponseBody, [exchange, follow](const Checked<ResponseCreate>& parsed) {
    if (!parsed) return exchange->fail(parsed.error());
    follow(exchange, *parsed);
  });
}

}  // namespace

Problem previousNotFound(const std::string& id) {
  return {protocol::error_code::kPreviousResponseNotFound,
          protocol::field::response_create::kPreviousResponseId,
          {"Response " + id + " is not kept.",
           "Send the whole input: a response is kept for an hour where it was to be stored and "
           "completed, as long as there is room for it in the KV caches' memory (--kv-memory), and "
           "a connection keeps its latest."}};
}

void answerResponses(const std::shared_ptr<Exchange>& exchange) { readResponse(exchange, create); }

void answerResponseInputTokens(const std::shared_ptr<Exchange>& exchange) {
  readResponse(exchange, countTokens);
}

}  // namespace waferpair::server
