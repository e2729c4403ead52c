// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that only the user can enter: for what other programs of the same user find running ones
// by, tokens and sockets, and for secrets that outlive them.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/result.h"

namespace waferpair::base {

// $XDG_RUNTIME_DIR/waferpair, else ~/.local/state/waferpair/servers. Made if missing, with mode
// 0700; the error names the folder if others could get at it. `otherwise` says what the user can
// do where there can be none: "Choose another place with --token-file."
Result<std::string> privateFolder(const std::string& otherwise);

// The same of $XDG_STATE_HOME/waferpair/NAME, else ~/.local/state/waferpair/NAME.
Result<std::string> privateStateFolder(const std::string& name, const std::string& otherwise);
// The same, unless it is missing or others could get at it.
std::optional<std::string> findPrivateStateFolder(const std::string& name);

}  // namespace waferpair::base
