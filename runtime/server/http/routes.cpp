// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/routes.h"

#include <algorithm>

#include "runtime/server/dialects/anthropic.h"
#include "runtime/server/dialects/chat_completions.h"
#include "runtime/server/dialects/embeddings.h"
#include "runtime/server/dialects/infill.h"
#include "runtime/server/dialects/llama_tools.h"
#include "runtime/server/dialects/lm_studio.h"
#include "runtime/server/dialects/models.h"
#include "runtime/server/dialects/ollama.h"
#include "runtime/server/dialects/rerank.h"
#include "runtime/server/dialects/response_compaction.h"
#include "runtime/server/dialects/responses.h"
#include "runtime/server/dialects/stored_answers.h"
#include "runtime/server/dialects/text_completions.h"
#include "runtime/server/http/health.h"
#include "runtime/server/http/metrics_page.h"

namespace waferpair::server {
namespace {

using boost::beast::http::verb;

constexpr Route kRoutes[] = {
    {verb::get, "/health", answerHealth, /*open=*/true},
    {verb::get, "/v1/health", answerHealth, /*open=*/true},
    {verb::get, "/metrics", answerMetrics},
    {verb::get, "/v1/models", answerModels},
    {verb::get, "/v1/models/", answerModel},
    {verb::post, "/v1/chat/completions", answerChatCompletions},
    {verb::post, kResponsesPath, answerResponses},
    {verb::post, "/v1/responses/input_tokens", answerResponseInputTokens},
    {verb::post, "/v1/responses/compact", answerResponseCompaction},
    {verb::post, "/v1/responses/", answerResponseCancel},
    {verb::get, "/v1/responses/", answerStoredResponse},
    {verb::delete_, "/v1/responses/", answerResponseDelete},
    {verb::post, "/v1/messages", answerAnthropicMessages},
    {verb::post, "/v1/messages/count_tokens", answerAnthropicCount},
    {verb::post, "/v1/completions", answerTextCompletions},
    {verb::post, "/v1/fim/completions", answerFimCompletions},
    {verb::post, "/v1/embeddings", answerEmbeddings},
    {verb::post, "/v1/rerank", answerRerank},
    {verb::post, "/infill", answerInfill},
    // As llama-server serves them, too.
    {verb::get, "/models", answerModels},
    {verb::post, "/chat/completions", answerChatCompletions},
    {verb::post, "/completions", answerTextCompletions},
    {verb::post, "/embeddings", answerEmbeddings},
    {verb::post, "/embedding", answerLlamaEmbedding},
    {verb::post, "/rerank", answerRerank},
    {verb::post, "/reranking", answerRerank},
    {verb::post, "/v1/reranking", answerRerank},
    {verb::post, "/models/load", answerModelLoad},
    {verb::post, "/models/unload", answerModelUnload},
    {verb::get, "/lora-adapters", answerAdapters},
    // LM Studio's.
    {verb::get, "/api/v0/models", answerLmStudioModels},
    {verb::get, "/api/v0/models/", answerLmStudioModel},
    {verb::get, "/api/v1/models", answerLmStudioCatalog},
    {verb::post, "/api/v0/chat/completions", answerChatCompletions},
    {verb::post, "/api/v0/completions", answerTextCompletions},
    {verb::post, "/api/v0/embeddings", answerEmbeddings},
    // llama-server's.
    {verb::post, "/completion", answerCompletion},
    {verb::post, "/tokenize", answerTokenize},
    {verb::post, "/detokenize", answerDetokenize},
    {verb::post, "/apply-template", answerApplyTemplate},
    {verb::get, "/props", answerProps},
    {verb::get, "/slots", answerSlots},
    {verb::post, "/slots/", answerSlotAction},
    // Ollama's.
    {verb::get, "/", answerOllamaRoot, /*open=*/true},
    {verb::get, "/api/version", answerOllamaVersion},
    {verb::get, "/api/tags", answerOllamaTags},
    {verb::get, "/api/ps", answerOllamaRunning},
    {verb::post, "/api/show", answerOllamaShow},
    {verb::post, "/api/pull", answerOllamaPull},
    {verb::post, "/api/create", answerOllamaRefusal},
    {verb::post, "/api/copy", answerOllamaCopy},
    {verb::post, "/api/push", answerOllamaRefusal},
    {verb::post, "/api/blobs/", answerOllamaRefusal},
    {verb::delete_, "/api/delete", answerOllamaDelete},
    {verb::post, "/api/generate", answerOllamaGenerate},
    {verb::post, "/api/chat", answerOllamaChat},
    {verb::post, "/api/embed", answerOllamaEmbed},
    {verb::post, "/api/embeddings", answerOllamaEmbeddings},
};

bool serves(const Route& route, std::string_view path) {
  if (!route.path.ends_with('/') || route.path == "/") return route.path == path;
  return path.starts_with(route.path) && path.size() > route.path.size();
}

}  // namespace

const Route* findRoute(verb method, std::string_view path) {
  const verb served = method == verb::head ? verb::get : method;
  const auto* found = std::ranges::find_if(
      kRoutes, [&](const Route& route) { return route.method == served && serves(route, path); });
  return found == std::end(kRoutes) ? nullptr : found;
}

bool isPathKnown(std::string_view path) {
  return std::ranges::any_of(kRoutes, [&](const Route& route) { return serves(route, path); });
}

}  // namespace waferpair::server
