// SPDX-License-Identifier: GPL-3.0-or-later
// What would be: experiment.run.
#pragma once

#include <string>

#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"

namespace waferpair::server {

class Experiments : public Feature {
 public:
  Experiments(Client& client, Dispatch& dispatch);

 private:
  void run(Json id, std::string question);

  Client& client_;
};

}  // namespace waferpair::server
