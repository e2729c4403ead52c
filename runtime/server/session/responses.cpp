// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/responses.h"

#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

namespace code = protocol::error_code;
namespace field = protocol::field;
namespace request = protocol::request;

Responses::Responses(Client& client, Dispatch& dispatch, DocumentMirror& mirror)
    : client_(client), mirror_(mirror) {
  dispatch.add(request::kResponseCreate, readResponseCreate,
               [this](const ResponseCreate& message) { create(message); });
  dispatch.add(
      request::kResponseCancel,
      [](JsonFields& fields) { return fields.text(field::response_cancel::kResponseId); },
      [this](const std::string& id) { cancel(id); });
}

void Responses::create(const ResponseCreate& message) {
  const auto refuse = [&](const Problem& why) { client_.refuse(why, nullptr, message.id); };
  if (underWay_.count(message.id))
    return refuse({code::kIdInUse,
                   field::response_create::kId,
                   {"Response " + message.id + " is still under way.",
                    "Use another id, or wait for its last event."}});
  auto ready = last_.ready(client_, message, client_.received());
  if (!ready) return refuse(ready.error());

  ResponseStream stream(message, *ready->model->card());
  stream.streamTo(client_.outbox());
  const std::string id = stream.id();
  Response& response =
      underWay_.emplace(id, Response{ready->model, std::move(stream), std::move(ready->prompt), 0})
          .first->second;
  const auto prepare = [this, form = AnswerForm(message)](inference::GenerationRequest& request,
                                                          HostedModel& loaded) {
    mirror_.tell(loaded);
    return addGrammar(request, form, loaded);
  };
  response.job = client_.jobs().submit<inference::GenerationRequest>(
      ready->model, std::move(ready->job), client_.session(),
      {.onText = [this, id](const std::string& text) { underWay_.at(id).stream.text(text); },
       .onDone = [this, id](const inference::JobReport& report) { ended(id, report); },
       .onBegin = [this, id] { underWay_.at(id).stream.begun(); },
       .onPrompt =
           [this, id](const inference::PromptProgress& progress) {
             underWay_.at(id).stream.prompt(progress);
           }},
      prepare,
      message.returnsProgress
          ? [this, id](const JobWait& wait) { underWay_.at(id).stream.waiting(wait); }
          : Jobs::OnWait());
  // The job's news come with the baton, so they come after this event.
  response.stream.created();
}

void Responses::cancel(const std::string& id) {
  const auto found = underWay_.find(id);
  if (found != underWay_.end()) client_.jobs().cancel(found->second.job);
}

void Responses::ended(const std::string& id, const inference::JobReport& report) {
  const auto found = underWay_.find(id);
  Response& response = found->second;
  response.stream.ended(report);
  if (response.stream.completed())
    last_.keep(id, promptBehind(response.stream, std::move(response.prompt)));
  underWay_.erase(found);
}

void Responses::addTo(JobNames& names) const {
  for (const auto& [id, response] : underWay_)
    names[client_.jobs().jobOf(response.job)] = {{field::waiting::kResponseId, id}};
}

}  // namespace waferpair::server
