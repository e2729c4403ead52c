// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/lm_studio.h"

#include <string>
#include <string_view>

#include "runtime/server/dialects/models.h"

namespace waferpair::server {
namespace {

// Its file has been read.
Json listedByLmStudio(const HostedModel& model) {
  const inference::ModelCard& card = *model.card();
  Json listed = {{"id", model.name()},
                 {"object", "model"},
                 {"type", card.embeds() ? "embeddings" : "llm"},
                 {"publisher", "local"},
                 {"arch", card.architecture},
                 {"compatibility_type", "gguf"},
                 {"quantization", card.quantization},
                 {"state", model.engine() ? "loaded" : "not-loaded"},
                 {"max_context_length", card.context}};
  if (model.engine()) listed["loaded_context_length"] = card.context;
  if (card.tools) listed["capabilities"] = Json::array({"tool_use"});
  return listed;
}

Json inCatalog(const HostedModel& model) {
  const inference::ModelCard& card = *model.card();
  const bool isTrained = card.tools && *card.tools != inference::ToolStyle::kGeneric;
  Json instances = Json::array();
  if (model.engine())
    instances.push_back({{"id", model.name()}, {"config", {{"context_length", card.context}}}});
  return {{"type", card.embeds() ? "embedding" : "llm"},
          {"publisher", "local"},
          {"key", model.name()},
          {"display_name", card.name},
          {"architecture", card.architecture},
          {"quantization", {{"name", card.quantization}}},
          {"size_bytes", card.fileBytes},
          {"params_string", std::to_string(card.parameters / 1000000) + "M"},
          {"loaded_instances", std::move(instances)},
          {"max_context_length", card.context},
          {"format", "gguf"},
          {"capabilities", {{"vision", false}, {"trained_for_tool_use", isTrained}}},
          {"description", nullptr}};
}

template <typename Write>
Json listOf(const Exchange& exchange, Write write) {
  Json models = Json::array();
  for (const auto& model : exchange.hub()->models().all())
    if (model->card()) models.push_back(write(*model));
  return models;
}

}  // namespace

void answerLmStudioModels(const std::shared_ptr<Exchange>& exchange) {
  exchange->json({{"object", "list"}, {"data", listOf(*exchange, listedByLmStudio)}});
}

void answerLmStudioModel(const std::shared_ptr<Exchange>& exchange) {
  const auto model = modelAt(*exchange, "/api/v0/models/");
  if (!model) return exchange->fail(model.error());
  exchange->json(listedByLmStudio(**model));
}

void answerLmStudioCatalog(const std::shared_ptr<Exchange>& exchange) {
  exchange->json({{"models", listOf(*exchange, inCatalog)}});
}

}  // namespace waferpair::server
