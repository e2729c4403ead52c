// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/response_turns.h"

#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace code = protocol::error_code;
namespace field = protocol::field;

constexpr std::size_t kMostWaiting = 64;

}  // namespace

ResponseTurns::ResponseTurns(Client& client, Dispatch& dispatch) : client_(client) {
  dispatch.add(protocol::request::kResponseCreate, readResponseCreate,
               [this](ResponseCreate&& message) { ask(std::move(message)); });
}

void ResponseTurns::ask(ResponseCreate message) {
  if (waiting_.size() >= kMostWaiting)
    return client_.refuse({code::kLimitExceeded,
                           {std::to_string(kMostWaiting) + " responses wait on this connection.",
                            "Wait for some, or open another connection."}});
  waiting_.push_back({std::move(message), client_.received()});
  goOn();
}

void ResponseTurns::goOn() {
  while (!turn_ && !waiting_.empty()) {
    const Asked asked = std::move(waiting_.front());
    waiting_.pop_front();
    if (const auto problem = begin(asked)) {
      client_.refuse(*problem);
      forget(asked.message.previousResponseId);
    }
  }
}

std::optional<Problem> ResponseTurns::begin(const Asked& asked) {
  const ResponseCreate& message = asked.message;
  const auto model = client_.models().choose(message.model);
  if (!model) return model.error();
  if (const auto problem = client_.jobs().refusal(**model)) return problem;
  const bool follows = !message.previousResponseId.empty();
  if (follows && message.previousResponseId != last_)
    return Problem{code::kPreviousResponseNotFound,
                   field::response_create::kPreviousResponseId,
                   {"Response " + message.previousResponseId + " is not kept.",
                    "Send the whole input: a connection keeps its latest completed response."}};
  const inference::ModelCard& card = *(*model)->card();
  auto prompt = responsePrompt(message, card, follows ? &lastPrompt_ : nullptr);
  if (!prompt) return prompt.error();
  auto job = generationRequest(message, *prompt, **model, asked.received);
  if (!job) return job.error();

  turn_.emplace(Turn{*model, ResponseStream(message, card), std::move(*prompt), message.generate,
                     message.previousResponseId});
  turn_->stream.streamTo(client_.outbox());
  client_.jobs().submit<inference::GenerationRequest>(
      *model, std::move(*job), client_.session(),
      {.onText = [this](const std::string& text) { turn_->stream.text(text); },
       .onDone = [this](const inference::JobReport& report) { end(report); },
       .onBegin = [this] { turn_->stream.begun(); }},
      [form = AnswerForm(message)](inference::GenerationRequest& request, HostedModel& ready) {
        return addGrammar(request, form, ready);
      });
  // The job's news come with the baton, so they come after this event.
  turn_->stream.created();
  return std::nullopt;
}

void ResponseTurns::end(const inference::JobReport& report) {
  turn_->stream.ended(report);
  if (turn_->stream.completed()) {
    last_ = turn_->stream.id();
    lastPrompt_ = std::move(turn_->prompt);
    if (turn_->generates) addOutput(lastPrompt_, turn_->stream.output());
  } else {
    forget(turn_->previous);
  }
  turn_.reset();
  goOn();
}

void ResponseTurns::forget(const std::string& previous) {
  if (previous.empty() || previous != last_) return;
  last_.clear();
  lastPrompt_ = {};
}

}  // namespace waferpair::server
