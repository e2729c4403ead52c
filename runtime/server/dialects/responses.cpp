// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/responses.h"

#include "runtime/protocol/messages.h"
#include "runtime/server/core/jobs.h"
#include "runtime/server/dialects/response_prompt.h"
#include "runtime/server/dialects/response_stream.h"

namespace waferpair::server {
namespace {

// One response on its way. The exchange holds it until the answer is complete.
class Answer : public std::enable_shared_from_this<Answer> {
 public:
  Answer(std::shared_ptr<Exchange> exchange, const ResponseCreate& request)
      : exchange_(std::move(exchange)),
        jobs_(exchange_->hub()),
        streams_(request.stream),
        response_(request, exchange_->hub()->engine()->model().card()) {}

  void start(inference::GenerationRequest request) {
    exchange_->hold(shared_from_this());
    jobs_.submit(std::move(request), weak_from_this(),
                 {.onText = [this](const std::string& text) { response_.text(text); },
                  .onDone = [this](const inference::JobReport& report) { ended(report); },
                  .onBegin = [this] { begun(); }});
  }

 private:
  // What is found to be wrong before the model begins, an input that is too long, is still refused
  // by the status code: so there is no event, nor a header, until here.
  void begun() {
    if (streams_) {
      response_.streamTo(exchange_->stream());
      streaming_ = true;
    }
    response_.created();
    response_.begun();
  }
  void ended(const inference::JobReport& report) {
    response_.ended(report);
    if (streaming_)
      exchange_->end();
    else if (response_.problem())
      exchange_->fail(*response_.problem());
    else
      exchange_->json(response_.object());
  }

  const std::shared_ptr<Exchange> exchange_;
  Jobs jobs_;
  const bool streams_;
  bool streaming_ = false;
  ResponseStream response_;
};

}  // namespace

void answerResponses(const std::shared_ptr<Exchange>& exchange) {
  const auto parsed = parseResponseBody(exchange->body());
  if (!parsed) return exchange->fail(parsed.error());
  if (!parsed->previousResponseId.empty())
    return exchange->fail(
        {protocol::error_code::kPreviousResponseNotFound,
         protocol::field::response_create::kPreviousResponseId,
         {"Responses are kept by WebSocket sessions only.",
          "Send the whole input, or use " + std::string(protocol::kSocketPath) + "."}});
  Hub& hub = *exchange->hub();
  if (!hub.engine()) return exchange->fail(hub.notReady());
  const auto prompt = responsePrompt(*parsed, hub.engine()->model().card(), nullptr);
  if (!prompt) return exchange->fail(prompt.error());
  auto request = generationRequest(*parsed, *prompt, hub, exchange->received());
  if (!request) return exchange->fail(request.error());
  std::make_shared<Answer>(exchange, *parsed)->start(std::move(*request));
}

}  // namespace waferpair::server
