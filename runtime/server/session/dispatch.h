// SPDX-License-Identifier: GPL-3.0-or-later
// The messages that a session understands, a row for each: how its fields are read, and what then
// is done.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/server/core/message.h"

namespace waferpair::server {

// A message that cannot be followed: the problem, and the id or response_id that the message
// carried, as far as it could be read.
struct Rejection {
  Problem problem;
  Json id;
  std::string responseId;
};

class Dispatch {
 public:
  // `read` makes a value of the message's fields (JsonFields& -> Value); `follow` gets it (Value&&)
  // unless something was wrong with them. Each type once; `type` outlives this.
  template <typename Read, typename Follow>
  void add(std::string_view type, Read read, Follow follow) {
    rows_[type] = [read = std::move(read), follow = std::move(follow)](JsonFields& fields) {
      auto value = read(fields);
      if (!fields.problem()) follow(std::move(value));
    };
  }
  // Adds a message that has no fields.
  template <typename Follow>
  void add(std::string_view type, Follow follow) {
    rows_[type] = [follow = std::move(follow)](JsonFields&) { follow(); };
  }

  // Follows a message, or says why not.
  std::optional<Rejection> follow(std::string_view text) const;

 private:
  std::map<std::string_view, std::function<void(JsonFields&)>> rows_;  // by type
};

}  // namespace waferpair::server
