// SPDX-License-Identifier: GPL-3.0-or-later
// Plans the shadows that sessions want, on a thread of its own, one wish after another.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/server/core/hub.h"
#include "runtime/server/session/shadow.h"

namespace waferpair::server {

// Used with the server's baton only. Owned by a shared_ptr.
class ShadowPlanner : public std::enable_shared_from_this<ShadowPlanner> {
 public:
  // While `isRecording()` the shadow stays as it is: a recording is of one placement.
  ShadowPlanner(std::shared_ptr<Hub> hub, std::function<bool()> isRecording)
      : hub_(std::move(hub)), isRecording_(std::move(isRecording)) {}

  // Plans the wanted shadow (or none), gives it to the model and tells every member of the hub.
  // `refused` hears on the executor why not.
  void want(std::optional<ShadowSet> wanted, std::function<void(const Problem&)> refused);

  // `answer` hears the catalog of shapes (shapesJson) on the executor. There is an engine. It is
  // planned once for all who ask, meanwhile or later.
  void listShapes(std::function<void(const Json&)> answer);

  // Waits for the plan under way; wishes after it, or later, are forgotten.
  void stop();

 private:
  boost::asio::thread_pool& thread();
  // Sets the shadow, or returns why it cannot be set.
  std::optional<Problem> set(std::shared_ptr<wafer::Program> shadow);

  const std::shared_ptr<Hub> hub_;
  const std::function<bool()> isRecording_;
  int wanted_ = 0;  // and not answered yet
  struct Catalog {
    Json shapes;  // null until it has been planned
    std::vector<std::function<void(const Json&)>> listeners = {};
  };
  std::map<std::string, Catalog> catalogs_;         // by what of a model's card they depend on
  std::optional<boost::asio::thread_pool> thread_;  // from the first wish on
};

}  // namespace waferpair::server
