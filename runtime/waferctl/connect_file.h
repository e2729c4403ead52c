// SPDX-License-Identifier: GPL-3.0-or-later
// Puts what a client needs into its file of settings.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/waferctl/connect_clients.h"

namespace waferpair::waferctl {

// Returns the file's text with what belongs into it; `before` is what it has, none where there is
// no file. Twice makes the same as once. The error says what stands in the way: JSON with comments,
// which would be lost.
base::Result<std::string> withSettings(const ClientSetup& setup,
                                       const std::optional<std::string>& before);

// Writes the file, whole or not at all, and makes its folder; one that held something else is kept
// beside it with the ending ".before-waferpair". Returns false where all was there already.
base::Result<bool> writeSettings(const ClientSetup& setup);

}  // namespace waferpair::waferctl
