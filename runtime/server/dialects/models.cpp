// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/models.h"

namespace waferpair::server {

void answerModels(const std::shared_ptr<Exchange>& exchange) {
  Json models = Json::array();
  if (const inference::Engine* engine = exchange->hub()->engine()) {
    const inference::ModelCard& card = engine->model().card();
    models.push_back({{"id", card.name},
                      {"object", "model"},
                      {"created", 0},
                      {"owned_by", "local"},
                      {"details", modelJson(card)}});
  }
  exchange->json({{"object", "list"}, {"data", std::move(models)}});
}

}  // namespace waferpair::server
