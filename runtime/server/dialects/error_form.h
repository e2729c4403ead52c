// SPDX-License-Identifier: GPL-3.0-or-later
// The form of errors that come before a dialect has been asked: no token, no such path, too long a
// body.
#pragma once

#include <string_view>

#include "runtime/server/core/events.h"

namespace waferpair::server {

// The body of an answer with that status, as clients of the path's dialect read it; OpenAI's where
// no other one is known.
Json errorBodyAt(std::string_view path, const Problem& problem, int status);

}  // namespace waferpair::server
