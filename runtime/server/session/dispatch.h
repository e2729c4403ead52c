// SPDX-License-Identifier: GPL-3.0-or-later
// The messages that a session understands, a row for each: how its fields are read, and what then
// is done.
#pragma once

#include <functional>
#include <map>
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
  // Follows a message that has been read.
  using Deed = std::function<void()>;

  // `read` makes a value of the message's fields (JsonFields& -> Value), on any thread and by them
  // alone; `follow` gets it (Value&&) unless something was wrong with them. Each type once; `type`
  // outlives this.
  template <typename Read, typename Follow>
  void add(std::string_view type, Read read, Follow follow) {
    rows_[type] = [read = std::move(read), follow = std::move(follow)](JsonFields& fields) -> Deed {
      return [value = read(fields), follow]() mutable { follow(std::move(value)); };
    };
  }
  // Adds a message that has no fields.
  template <typename Follow>
  void add(std::string_view type, Follow follow) {
    rows_[type] = [follow = std::move(follow)](JsonFields&) -> Deed { return follow; };
  }

  // Reads a message, on any thread, or says why it cannot be followed.
  tl::expected<Deed, Rejection> read(std::string_view text) const;

 private:
  std::map<std::string_view, std::function<Deed(JsonFields&)>> rows_;  // by type
};

}  // namespace waferpair::server
