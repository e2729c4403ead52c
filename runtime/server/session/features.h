// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a session can do. A new feature is a line in features.cpp.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "runtime/server/session/client.h"
#include "runtime/server/session/dispatch.h"
#include "runtime/server/session/feature.h"

namespace waferpair::server {

class Features {
 public:
  enum class Kind {
    kWaferpair,  // the program's own protocol
    kResponses,  // OpenAI's
  };
  // `client` outlives it.
  Features(Client& client, Kind kind);

  // A message, read on any thread.
  using Read = tl::expected<Dispatch::Deed, Rejection>;
  Read read(std::string_view text) const { return dispatch_.read(text); }
  // Does what the client's message asks, or tells the client why not.
  void follow(const Read& message);
  void follow(std::string_view text) { follow(read(text)); }
  // Tells every feature.
  template <typename... About>
  void tell(void (Feature::*what)(About&...), About&... about) {
    for (const auto& feature : all_) ((*feature).*what)(about...);
  }

 private:
  Client& client_;
  Dispatch dispatch_;
  std::vector<std::unique_ptr<Feature>> all_;
};

}  // namespace waferpair::server
