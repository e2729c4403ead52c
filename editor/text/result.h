// SPDX-License-Identifier: GPL-3.0-or-later
// Errors are values in the editor room too: a function that can fail returns Result<T>.
#pragma once

#include <QString>
#include <tl/expected.hpp>
#include <utility>

namespace waferpair::editor {

// `what` names the thing that is wrong (file, pattern, character); `remedy` says what the user can
// do.
struct Error {
  QString what;
  QString remedy;

  QString message() const { return remedy.isEmpty() ? what : what + u' ' + remedy; }
  bool operator==(const Error&) const = default;
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(QString what, QString remedy = {}) {
  return tl::unexpected<Error>(Error{std::move(what), std::move(remedy)});
}

}  // namespace waferpair::editor
