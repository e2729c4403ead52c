// SPDX-License-Identifier: GPL-3.0-or-later
// The secret of a user that every server of that user lets in, beside the one of its token file:
// for the settings of other editors and tools, which cannot follow a token that is new at each
// start. It is made when `waferctl connect` first wants one, and not before; 256 random bits in
// $XDG_STATE_HOME/waferpair/access/token (~/.local/state where that variable is not set), mode
// 0600.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/result.h"

namespace waferpair::server {

// Returns the token; none where there is no file, or others could have read or written it.
std::optional<std::string> userToken();

// The same, made where there is none. The error names the file that is in the way.
base::Result<std::string> needUserToken();

// A new one in place of the old, which lets nobody in any longer.
base::Result<std::string> renewUserToken();

}  // namespace waferpair::server
