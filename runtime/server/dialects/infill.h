// SPDX-License-Identifier: GPL-3.0-or-later
// POST /infill: llama-server's text between two others, as one JSON object or piece by piece (SSE);
// llama.vim and llama.vscode ask for it. A client that hangs up cancels its answer.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerInfill(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
