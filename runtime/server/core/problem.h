// SPDX-License-Identifier: GPL-3.0-or-later
// A problem with something that a client sent: the value form of the protocol's error event.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace waferpair::server {

struct Problem {
  std::string code;     // one of protocol::error_code
  std::string field;    // "edits[0].end"; empty when no single field is to blame
  std::string message;  // names the thing
  std::string remedy;
};

template <typename T>
using Checked = tl::expected<T, Problem>;

inline tl::unexpected<Problem> reject(std::string_view code, std::string field, std::string message,
                                      std::string remedy) {
  return tl::unexpected<Problem>(
      Problem{std::string(code), std::move(field), std::move(message), std::move(remedy)});
}

}  // namespace waferpair::server
