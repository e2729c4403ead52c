// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a token in the way that a client will, so that what is wrong shows at once.
#pragma once

#include <string>

#include "runtime/base/json_fields.h"
#include "runtime/base/result.h"
#include "runtime/waferctl/connect_clients.h"

namespace waferpair::waferctl {

// Fails unless the program there is this user's, and proves that it knows the token, which is not
// sent: ask before anything else is.
base::Result<void> requireProof(const Connection& to);

// GET over HTTP: the answer's JSON. The error says that nobody listens, or what the server says.
base::Result<base::Json> getJson(const Connection& to, const std::string& path);

// Returns a sentence on what was asked and how long it took.
base::Result<std::string> checkRequest(FirstRequest request, const Connection& to);

}  // namespace waferpair::waferctl
