// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/ollama.h"

#include <filesystem>
#include <string>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"
#include "runtime/server/core/version.h"
#include "runtime/server/dialects/loaded_model.h"
#include "runtime/server/dialects/ollama_request.h"
#include "runtime/server/dialects/ollama_stream.h"
#include "runtime/server/dialects/plain_answer.h"

namespace waferpair::server {
namespace {

Json details(const inference::ModelCard& card) {
  return {{"format", "gguf"},
          {"family", card.architecture},
          {"families", Json::array({card.architecture})},
          {"parameter_size", std::to_string(card.parameters / 1000000) + "M"}};
}

Json listed(const HostedModel& model) {
  const inference::ModelCard& card = *model.card();
  std::error_code missing;
  const auto bytes = std::filesystem::file_size(card.file, missing);
  return {{"name", model.name()},
          {"model", model.name()},
          {"size", missing ? 0 : bytes},
          {"details", details(card)}};
}

// A request without text has the model loaded.
void answerLoaded(const std::shared_ptr<Exchange>& exchange, const OllamaText& request) {
  answerWithEngine<OllamaStream>(
      exchange, request.model,
      [exchange, isChat = request.isChat](const inference::Engine& engine) {
        Json loaded = {{"model", engine.model().card().name},
                       {"created_at", ollamaTime(unixSeconds())},
                       {"done", true},
                       {"done_reason", "load"}};
        if (isChat)
          loaded["message"] = {{"role", "assistant"}, {"content", ""}};
        else
          loaded["response"] = "";
        exchange->json(loaded);
      });
}

}  // namespace

void answerOllamaVersion(const std::shared_ptr<Exchange>& exchange) {
  exchange->json({{"version", kVersion}});
}

void answerOllamaTags(const std::shared_ptr<Exchange>& exchange) {
  Json models = Json::array();
  for (const auto& model : exchange->hub()->models().all())
    if (model->card()) models.push_back(listed(*model));
  exchange->json({{"models", std::move(models)}});
}

void answerOllamaRunning(const std::shared_ptr<Exchange>& exchange) {
  Json models = Json::array();
  for (const auto& model : exchange->hub()->models().all()) {
    if (!model->engine()) continue;
    Json running = listed(*model);
    running["size"] = model->memoryBytes();
    running["context_length"] = model->card()->context;
    models.push_back(std::move(running));
  }
  exchange->json({{"models", std::move(models)}});
}

void answerOllamaShow(const std::shared_ptr<Exchange>& exchange) {
  const auto refused = [&](const Problem& problem) { refuse<OllamaStream>(*exchange, problem); };
  const Checked<Json> object = parseMessage(exchange->body());
  if (!object) return refused(object.error());
  JsonFields fields(*object);
  const char* key = fields.has("model") ? "model" : "name";
  const std::string name = ollamaName(fields.text(base::Field{.name = key, .bytes = 8192}));
  if (fields.problem()) return refused(*fields.problem());
  const auto model = exchange->hub()->models().find(name);
  if (!model) return refused(model.error());
  if (const auto refusal = Models::refusal(**model)) return refused(*refusal);
  const inference::ModelCard& card = *(*model)->card();
  Json capabilities = Json::array({"completion"});
  if (card.prompt.order != inference::FimOrder::kNone) capabilities.push_back("insert");
  if (card.tools) capabilities.push_back("tools");
  exchange->json({{"details", details(card)},
                  {"model_info",
                   {{"general.architecture", card.architecture},
                    {"general.parameter_count", card.parameters},
                    {card.architecture + ".context_length", card.context}}},
                  {"capabilities", std::move(capabilities)}});
}

void answerOllamaGenerate(const std::shared_ptr<Exchange>& exchange) {
  const auto parsed = parseOllamaGenerate(exchange->body());
  if (!parsed) return refuse<OllamaStream>(*exchange, parsed.error());
  if (parsed->isEmpty) return answerLoaded(exchange, parsed->text);
  if (!parsed->gap.isFillIn) return answerText<OllamaStream>(exchange, parsed->text);
  answerPlain<OllamaStream>(exchange, Checked<PlainRequest>(parsed->gap));
}

void answerOllamaChat(const std::shared_ptr<Exchange>& exchange) {
  const auto parsed = parseOllamaChat(exchange->body());
  if (!parsed) return refuse<OllamaStream>(*exchange, parsed.error());
  if (parsed->messages.empty()) return answerLoaded(exchange, *parsed);
  answerText<OllamaStream>(exchange, *parsed);
}

}  // namespace waferpair::server
