// SPDX-License-Identifier: GPL-3.0-or-later
// The folder for what other programs of the same user find running ones by, tokens and sockets.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace waferpair::base {

// $XDG_RUNTIME_DIR/waferpair, else ~/.local/state/waferpair/servers. Made if missing, with mode
// 0700; the error names the folder if others could get at it. `otherwise` says what the user can
// do where there can be none: "Choose another place with --token-file."
Result<std::string> privateFolder(const std::string& otherwise);

}  // namespace waferpair::base
