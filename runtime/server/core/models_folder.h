// SPDX-License-Identifier: GPL-3.0-or-later
// The folder whose models are offered beside those of the command line, and which clients may
// change: its files NAME.gguf, not those of folders in it. With the server's baton only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/server/core/models.h"

namespace waferpair::server {

// Offers what is new in the folder, in the order of the names; does nothing where there is no
// folder. What cannot be used is offered as failed, with the reason.
void offerFolder(Models& models);

// Another name for a model of the folder: both are the same bytes, and one outlasts the other. A
// name that is taken is left alone.
std::optional<Problem> copyModel(Models& models, std::string_view from, std::string_view to);
// Removes the file of a model of the folder, which is offered no longer. The problem: it lies
// elsewhere, is the first, at work or being loaded.
std::optional<Problem> deleteModel(Models& models, std::string_view name);

}  // namespace waferpair::server
