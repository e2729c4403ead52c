// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/models.h"

#include <charconv>
#include <string>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

Json listedModel(const inference::ModelCard& card) {
  return {{"id", card.name},
          {"object", "model"},
          {"created", 0},
          {"owned_by", "local"},
          {"details", modelJson(card)}};
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

void answerModels(const std::shared_ptr<Exchange>& exchange) {
  Json models = Json::array();
  if (const inference::Engine* engine = exchange->hub()->engine())
    models.push_back(listedModel(engine->model().card()));
  exchange->json({{"object", "list"}, {"data", std::move(models)}});
}

void answerModel(const std::shared_ptr<Exchange>& exchange) {
  // The id is all of the rest: names of models have slashes.
  const std::string_view path = exchange->path();
  const std::string id = decodedPath(path.substr(std::string_view("/v1/models/").size()));
  const inference::Engine* engine = exchange->hub()->engine();
  if (!engine) return exchange->fail(exchange->hub()->notReady());
  const inference::ModelCard& card = engine->model().card();
  if (card.name == id) return exchange->json(listedModel(card));
  exchange->fail(
      {protocol::http_error_code::kModelNotFound,
       "model",
       {"There is no model \"" + id + "\" here.", "GET /v1/models lists what there is."}});
}

}  // namespace waferpair::server
