// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/response_turns.h"

#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace code = protocol::error_code;

constexpr std::size_t kMostWaiting = 64;

}  // namespace

ResponseTurns::ResponseTurns(Client& client, Dispatch& dispatch) : client_(client) {
  dispatch.add(protocol::request::kResponseCreate, readForeignResponse,
               [this](ResponseCreate&& message) { ask(std::move(message)); });
}

ResponseTurns::~ResponseTurns() {
  if (turn_ && turn_->store) client_.hub().responses().forget(turn_->stream.id());
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
      last_.forget(asked.message.previousResponseId);
    }
  }
}

std::optional<Problem> ResponseTurns::begin(const Asked& asked) {
  const ResponseCreate& message = asked.message;
  auto ready = last_.ready(client_, message, asked.received);
  if (!ready) return ready.error();
  // An id of the client's own choice may be in use elsewhere.
  const bool store = message.store && message.id.empty();
  turn_.emplace(Turn{ready->model, ResponseStream(message, *ready->model->card()),
                     std::move(ready->prompt), message.previousResponseId, store});
  turn_->stream.streamTo(client_.outbox());
  if (store)
    client_.hub().responses().begin(turn_->stream.id(), *this, ready->model->source().file);
  turn_->job = client_.jobs().submit<inference::GenerationRequest>(
      ready->model, std::move(ready->job), client_.session(),
      {.onText = [this](const std::string& text) { turn_->stream.text(text); },
       .onDone = [this](const inference::JobReport& report) { end(report); },
       .onBegin = [this] { turn_->stream.begun(); },
       .onPrompt =
           [this](const inference::PromptProgress& progress) { turn_->stream.prompt(progress); }},
      [form = AnswerForm(message)](inference::GenerationRequest& request, HostedModel& loaded) {
        return addGrammar(request, form, loaded);
      },
      message.returnsProgress ? [this](const JobWait& wait) { turn_->stream.waiting(wait); }
                              : Jobs::OnWait());
  // The job's news come with the baton, so they come after this event.
  turn_->stream.created();
  return std::nullopt;
}

void ResponseTurns::end(const inference::JobReport& report) {
  const ResponseStream& stream = turn_->stream;
  turn_->stream.ended(report);
  const bool completed = stream.completed();
  ResponsePrompt prompt = promptBehind(stream, std::move(turn_->prompt));
  if (turn_->store)
    client_.hub().responses().end(stream.id(), stream.object(), completed ? &prompt : nullptr);
  if (completed)
    last_.keep(stream.id(), std::move(prompt));
  else
    last_.forget(turn_->previous);
  turn_.reset();
  goOn();
}

}  // namespace waferpair::server
