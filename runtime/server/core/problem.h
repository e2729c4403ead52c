// SPDX-License-Identifier: GPL-3.0-or-later
// A problem with something that a client asked for: an error, with the protocol's code for it and
// the field to blame.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "runtime/base/json_fields.h"
#include "runtime/base/result.h"
#include "runtime/protocol/messages.h"

namespace waferpair::server {

struct Problem : base::Error {
  // `code` is one of protocol::error_code, or of protocol::http_error_code.
  Problem(std::string_view code, base::Error why) : Error(std::move(why)), code(code) {}
  Problem(std::string_view code, std::string field, base::Error why)
      : Error(std::move(why)), code(code), field(std::move(field)) {}
  Problem(std::string_view code, const base::Field& field, base::Error why)
      : Problem(code, std::string(field.name), std::move(why)) {}
  Problem(base::FieldError wrong)  // NOLINT(google-explicit-constructor): each is a problem
      : Error(std::move(wrong)),
        code(protocol::error_code::kInvalidField),
        field(std::move(wrong.field)) {}

  std::string code;
  std::string field;  // "edits[0].end"; empty when no single field is to blame
};

template <typename T>
using Checked = tl::expected<T, Problem>;

// `return reject({code::kInvalidField, field::kUri, {"a.cpp is open already.", "Close it."}});`
inline tl::unexpected<Problem> reject(Problem problem) {
  return tl::unexpected<Problem>(std::move(problem));
}

}  // namespace waferpair::server
