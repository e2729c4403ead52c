// SPDX-License-Identifier: GPL-3.0-or-later
// llama-server's own paths for text, as one JSON object or piece by piece (SSE). A client that
// hangs up cancels its answer.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

// POST /infill: the text between two others; llama.vim asks for it.
void answerInfill(const std::shared_ptr<Exchange>& exchange);

// POST /completion: a text is gone on with.
void answerCompletion(const std::shared_ptr<Exchange>& exchange);

}  // namespace waferpair::server
