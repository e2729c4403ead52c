// SPDX-License-Identifier: GPL-3.0-or-later
// Ollama's API: what there is, and texts and conversations, line by line (NDJSON) unless a client
// says "stream":false. A client that hangs up cancels its answer.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerOllamaRoot(const std::shared_ptr<Exchange>& exchange);      // GET /
void answerOllamaVersion(const std::shared_ptr<Exchange>& exchange);   // GET /api/version
void answerOllamaTags(const std::shared_ptr<Exchange>& exchange);      // GET /api/tags
void answerOllamaRunning(const std::shared_ptr<Exchange>& exchange);   // GET /api/ps
void answerOllamaShow(const std::shared_ptr<Exchange>& exchange);      // POST /api/show
void answerOllamaPull(const std::shared_ptr<Exchange>& exchange);      // POST /api/pull
void answerOllamaGenerate(const std::shared_ptr<Exchange>& exchange);  // POST /api/generate
void answerOllamaCopy(const std::shared_ptr<Exchange>& exchange);      // POST /api/copy
void answerOllamaDelete(const std::shared_ptr<Exchange>& exchange);    // DELETE /api/delete
// POST /api/create, /api/push and /api/blobs/DIGEST: a plain refusal, with its reason.
void answerOllamaRefusal(const std::shared_ptr<Exchange>& exchange);
void answerOllamaChat(const std::shared_ptr<Exchange>& exchange);  // POST /api/chat

}  // namespace waferpair::server
