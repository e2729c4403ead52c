// SPDX-License-Identifier: GPL-3.0-or-later
// Another model's placement beside the loaded one's: shadow.set, shadow.clear and shadow.list.
#pragma once

#include <optional>

#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"

namespace waferpair::server {

ShadowSet readShadowSet(JsonFields& fields);

class Shadows : public Feature {
 public:
  Shadows(Client& client, Dispatch& dispatch);

  void shadowChanged() override;

 private:
  void want(std::optional<ShadowSet> wanted);
  void list();

  Client& client_;
};

}  // namespace waferpair::server
