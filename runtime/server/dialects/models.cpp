// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/models.h"

#include <charconv>
#include <string>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/models_folder.h"

namespace waferpair::server {
namespace {

// As llama-server's router has it.
const char* routerStatusOf(const HostedModel& model) {
  switch (model.state()) {
    case HostedModel::State::kReady:
      return "loaded";
    case HostedModel::State::kLoading:
      return "loading";
    case HostedModel::State::kIdle:
    case HostedModel::State::kFailed:
      break;
  }
  return "unloaded";
}

// Its file has been read.
Json listedModel(const HostedModel& model) {
  return {{"id", model.name()},
          {"object", "model"},
          {"created", 0},
          {"owned_by", "local"},
          {"path", model.source().file},
          {"status", {{"value", routerStatusOf(model)}}},
          {"details", modelJson(*model.card())}};
}

// A part of a path, in which a client may write any byte as %XX.
std::string decodedPath(std::string_view path) {
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = path.data() + i + 1;
    const bool coded = path[i] == '%' && path.size() - i > 2 &&
                       std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    text += coded ? static_cast<char>(byte) : path[i];
    if (coded) i += 2;
  }
  return text;
}

}  // namespace

Checked<std::shared_ptr<HostedModel>> modelAt(const Exchange& exchange, std::string_view folder) {
  // The id is all of the rest: names of models have slashes.
  const std::string id = decodedPath(exchange.path().substr(folder.size()));
  auto model = exchange.hub()->models().find(id);
  if (!model) return model;
  if (auto refusal = Models::refusal(**model)) return reject(std::move(*refusal));
  return model;
}

void answerModels(const std::shared_ptr<Exchange>& exchange) {
  offerFolder(exchange->hub()->models());
  Json models = Json::array();
  for (const auto& model : exchange->hub()->models().all())
    if (model->card()) models.push_back(listedModel(*model));
  exchange->json({{"object", "list"}, {"data", std::move(models)}});
}

void answerModel(const std::shared_ptr<Exchange>& exchange) {
  const auto model = modelAt(*exchange, "/v1/models/");
  if (!model) return exchange->fail(model.error());
  exchange->json(listedModel(**model));
}

}  // namespace waferpair::server
