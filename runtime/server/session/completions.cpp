// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/completions.h"

#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/file_name.h"
#include "runtime/server/core/sampling_fields.h"
#include "runtime/server/session/document_messages.h"

namespace waferpair::server {
namespace {

namespace code = protocol::error_code;
namespace event = protocol::event;
namespace field = protocol::field;
namespace request = protocol::request;

inference::CompletionRequest jobOf(CompletionCreate message, const Document& document,
                                   const inference::ModelCard& card,
                                   inference::Clock::time_point received) {
  std::string text;
  if (!message.inserted.empty())
    text = std::string(document.text).insert(message.offset, message.inserted);
  const inference::PromptWindow window =
      inference::Engine::window(card, message.inserted.empty() ? document.text : text,
                                message.offset + message.inserted.size());
  inference::CompletionRequest job;
  job.fileName = fileNameOf(message.uri);
  job.document = std::move(message.uri);
  job.prefix = window.prefix;
  job.suffix = window.suffix;
  job.above = window.above;
  job.below = window.below;
  job.fromStart = window.fromStart;
  job.alternative = message.alternative;
  job.lines = message.lines;
  job.names = std::move(message.names);
  job.namesAreAll = message.namesAreAll;
  job.ahead = message.ahead;
  job.mayBeShort = true;
  job.healing = message.healing;
  job.checks = message.checks;
  job.limits = {.maxTokens = message.maxTokens,
                .maxLines = message.maxLines,
                .sampling = std::move(message.sampling),
                .stop = std::move(message.stop),
                .received = received,
                .minProbability = message.minProbability,
                .speculation = message.speculation,
                .records = true};
  return job;
}

}  // namespace

CompletionCreate readCompletionCreate(JsonFields& fields) {
  namespace field = field::completion_create;
  CompletionCreate create;
  create.id = fields.id(field::kId);
  create.model = fields.text(field::kModel);
  create.uri = fields.text(field::kUri);
  create.version = fields.integer(field::kVersion);
  create.offset = static_cast<std::size_t>(fields.integer(field::kOffset));
  create.maxTokens = static_cast<int>(fields.integer(field::kMaxTokens));
  create.maxLines = static_cast<int>(fields.integer(field::kMaxLines));
  create.minProbability = fields.number(field::kMinProbability);
  create.alternative = static_cast<int>(fields.integer(field::kAlternative));
  create.lines = static_cast<int>(fields.integer(field::kLines));
  create.names = readTexts(fields, field::kNames);
  create.namesAreAll = fields.boolean(field::kNamesAreAll);
  create.inserted = fields.text(field::kInserted);
  create.sampling = readSampling(fields);
  create.stop = readStop(fields);
  create.speculation = fields.boolean(field::kSpeculation);
  create.ahead = fields.boolean(field::kAhead);
  create.healing = fields.boolean(field::kHealing);
  create.checks = fields.boolean(field::kChecks);
  return create;
}

Completions::Completions(Client& client, Dispatch& dispatch, DocumentMirror& mirror,
                         Explanations& explanations)
    : client_(client),
      mirror_(mirror),
      explanations_(explanations),
      documents_(mirror.documents()) {
  mirror.onClosed([this](const std::string& uri) { cancelOf(uri); });
  dispatch.add(request::kCompletionCreate, readCompletionCreate,
               [this](CompletionCreate&& message) { create(std::move(message)); });
  dispatch.add(
      request::kCompletionCancel,
      [](JsonFields& fields) { return fields.id(field::completion_cancel::kId); },
      [this](const Json& id) { cancel(id); });
}

void Completions::create(CompletionCreate message) {
  const Json id = message.id;
  if (underWay_.count(id))
    return client_.refuse({code::kIdInUse,
                           field::completion_create::kId,
                           {"Completion " + dump(id) + " is still under way.",
                            "Use another id, or wait for its completion.done."}},
                          id);
  const auto found = documents_.find(message.uri);
  if (!found) return client_.refuse(found.error(), id);
  const Document& document = **found;
  if (message.version > document.version)
    return client_.refuse(
        {code::kVersionConflict,
         field::completion_create::kVersion,
         {"version " + std::to_string(message.version) + " of " + message.uri +
              " is not known; the latest is " + std::to_string(document.version) + ".",
          "Send document.change first."}},
        id);
  const auto model = client_.models().choose(message.model);
  if (!model) return client_.refuse(model.error(), id);
  if (const auto problem = client_.jobs().refusal(**model)) return client_.refuse(*problem, id);

  Completion completion{*model, message.uri, message.version, message.offset, 0, {}, 0};
  if (message.version < document.version) {
    inference::JobReport stale;
    stale.reason = inference::StopReason::kStale;
    return tellDone(id, completion, stale);
  }
  if (const auto fits = Documents::checkOffset(document, message.uri, message.offset,
                                               field::completion_create::kOffset.name);
      !fits)
    return client_.refuse(fits.error(), id);

  if (message.ahead && !message.readsOn) {
    completion.then = message;
    completion.then->readsOn = true;
  }
  // The document may move on while the model is being loaded.
  const auto prepare = [this, uri = message.uri, version = message.version](
                           inference::CompletionRequest&,
                           HostedModel& ready) -> std::optional<inference::JobReport> {
    const auto now = documents_.find(uri);
    if (!now || (*now)->version != version) {
      inference::JobReport stale;
      stale.reason = inference::StopReason::kStale;
      return stale;
    }
    mirror_.tell(ready);
    return std::nullopt;
  };
  inference::CompletionRequest job =
      jobOf(std::move(message), document, *(*model)->card(), client_.received());
  // The first model suggests: others never slow it.
  job.givesWay = *model != client_.models().first();
  completion.job = client_.jobs().submit<inference::CompletionRequest>(
      *model, std::move(job), client_.session(),
      {.onText = [this, id](const std::string& text) { textCame(id, text); },
       .onDone = [this, id](const inference::JobReport& report) { ended(id, report); },
       .onBegin = nullptr},
      prepare);
  // The engine has begun. The job's news come with the baton, so they come after this.
  completion.deltaHead = openText({{field::message::kType, event::kCompletionDelta},
                                   {field::completion_delta::kId, id},
                                   {field::completion_delta::kVersion, completion.version},
                                   {field::completion_delta::kOffset, completion.offset}},
                                  field::completion_delta::kText);
  underWay_.emplace(id, std::move(completion));
}

void Completions::cancel(const Json& id) {
  const auto found = underWay_.find(id);
  if (found != underWay_.end()) client_.jobs().cancel(found->second.job);
}

void Completions::cancelOf(const std::string& uri) {
  for (const auto& [id, completion] : underWay_)
    if (completion.uri == uri) client_.jobs().cancel(completion.job);
}

void Completions::textCame(const Json& id, std::string_view text) {
  Completion& completion = underWay_.at(id);
  if (client_.outbox().grow(completion.lastDelta, text)) return;
  completion.lastDelta =
      client_.outbox().pushText(event::kCompletionDelta, completion.deltaHead, text, "\"}");
}

void Completions::ended(const Json& id, const inference::JobReport& report) {
  const auto found = underWay_.find(id);
  Completion completion = std::move(found->second);
  underWay_.erase(found);
  if (completion.then && report.isShort && report.reason == inference::StopReason::kMaxTokens)
    return create(std::move(*completion.then));
  explanations_.keep(id, completion.model, report);
  if (report.reason == inference::StopReason::kFailed ||
      report.reason == inference::StopReason::kNotLoaded ||
      report.reason == inference::StopReason::kInputTooLong) {
    client_.refuse(problemOf(report), id);
  }
  tellDone(id, completion, report);
}

void Completions::tellDone(const Json& id, const Completion& completion,
                           const inference::JobReport& report) {
  namespace field = field::completion_done;
  client_.tell(event::kCompletionDone,
               {{field::kId, id},
                {field::kVersion, completion.version},
                {field::kOffset, completion.offset},
                {field::kReason, reasonName(report.reason)},
                {field::kProbability, orNull(report.probability)},
                {field::kUsage, usageJson(report)},
                {field::kTimings, timingsJson(report, *completion.model->card())}});
}

void Completions::addTo(JobNames& names) const {
  for (const auto& [id, completion] : underWay_)
    names[client_.jobs().jobOf(completion.job)] = {{field::waiting::kId, id}};
}

}  // namespace waferpair::server
