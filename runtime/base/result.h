// SPDX-License-Identifier: GPL-3.0-or-later
// Errors are values in the runtime: a function that can fail returns Result<T>.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace waferpair::base {

// `what` names the thing that is wrong (file, field, number); `remedy` says what the user can do.
struct Error {
  std::string what;
  std::string remedy;

  std::string message() const { return remedy.empty() ? what : what + " " + remedy; }
};

template <typename T>
using Result = tl::expected<T, Error>;

// `return fail("model.gguf: ends at byte 12.", "Download it again.");`
inline tl::unexpected<Error> fail(std::string what, std::string remedy = {}) {
  return tl::unexpected<Error>(Error{std::move(what), std::move(remedy)});
}

}  // namespace waferpair::base
