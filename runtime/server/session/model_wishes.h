// SPDX-License-Identifier: GPL-3.0-or-later
// Which models are in memory, as clients wish it: model.load and model.unload.
#pragma once

#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"

namespace waferpair::server {

class ModelWishes : public Feature {
 public:
  ModelWishes(Client& client, Dispatch& dispatch);

 private:
  void load(const ModelSource& model, bool now);
  void unload(const std::string& model, bool forget);

  Client& client_;
};

}  // namespace waferpair::server
