// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/error_form.h"

#include <algorithm>

#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/anthropic_stream.h"
#include "runtime/server/dialects/infill_stream.h"
#include "runtime/server/dialects/ollama_stream.h"

namespace waferpair::server {
namespace {

constexpr std::string_view kLlamaPaths[] = {
    "/infill",        "/completion", "/tokenize",  "/detokenize",    "/apply-template",
    "/props",         "/slots",      "/embedding", "/lora-adapters", "/models/load",
    "/models/unload", "/rerank",     "/reranking", "/v1/rerank",     "/v1/reranking"};

}  // namespace

Json errorBodyAt(std::string_view path, const Problem& problem, int status) {
  const bool isLmStudio = path.starts_with("/api/v0/") || path.starts_with("/api/v1/");
  if (path.starts_with("/api/") && !isLmStudio) return OllamaStream::errorBody(problem);
  if (path == "/v1/messages" || path.starts_with("/v1/messages/"))
    return AnthropicStream::errorBody(problem, status);
  if (std::ranges::find(kLlamaPaths, path) != std::end(kLlamaPaths) || path.starts_with("/slots/"))
    return InfillStream::errorBody(problem, status);
  return {{protocol::field::error::kError, openAiError(problem, status >= 500)}};
}

}  // namespace waferpair::server
