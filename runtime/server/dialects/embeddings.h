// SPDX-License-Identifier: GPL-3.0-or-later
// Texts as vectors, in OpenAI's form and in both of Ollama's. The texts of a request are computed
// one after another, and a client that hangs up cancels the rest.
#pragma once

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

void answerEmbeddings(const std::shared_ptr<Exchange>& exchange);        // POST /v1/embeddings
void answerLlamaEmbedding(const std::shared_ptr<Exchange>& exchange);    // POST /embedding
void answerOllamaEmbed(const std::shared_ptr<Exchange>& exchange);       // POST /api/embed
void answerOllamaEmbeddings(const std::shared_ptr<Exchange>& exchange);  // POST /api/embeddings

}  // namespace waferpair::server
