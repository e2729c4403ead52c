// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/rerank.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/server/core/message.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/embedding_run.h"
#include "runtime/server/dialects/infill_stream.h"
#include "runtime/server/dialects/loaded_model.h"

namespace waferpair::server {
namespace {

constexpr int kMostRanked = 2048;
constexpr base::Field kRankingModel{.name = "model", .bytes = 8192};
constexpr base::Field kQuery{.name = "query", .required = true};
constexpr base::Field kDocuments{.name = "documents", .required = true, .most = kMostRanked};
constexpr base::Field kTexts{.name = "texts", .required = true, .most = kMostRanked};

struct RerankRequest {
  std::string model;  // empty: the first
  std::string query;
  std::vector<std::string> documents;
  std::string_view field;  // that has them
  bool isTei = false;      // they came in Hugging Face's form
  std::size_t most = 0;    // results
  bool returnsTexts = false;
};

std::string documentOf(JsonFields& fields, const base::Field& field, std::size_t index) {
  const Json& document = fields.list(field)[index];
  if (document.is_string()) return document.get<std::string>();
  JsonFields object = fields.entry(field, index);
  std::string text = object.text("text");
  fields.adopt(object);
  return text;
}

RerankRequest readRerank(JsonFields& fields) {
  RerankRequest request;
  request.model = fields.text(kRankingModel);
  request.query = fields.text(kQuery);
  request.isTei = fields.has(kTexts);
  const base::Field& field = request.isTei ? kTexts : kDocuments;
  request.field = field.name;
  const std::size_t count = fields.list(field).size();
  if (count == 0) fields.fail(field, "is empty.", "Give at least one text.");
  for (std::size_t i = 0; i < count && !fields.problem(); ++i)
    request.documents.push_back(documentOf(fields, field, i));
  request.most = static_cast<std::size_t>(fields.integerOr("top_n", kMostRanked, 0, kMostRanked));
  request.returnsTexts =
      fields.booleanOr(request.isTei ? "return_text" : "return_documents", false);
  return request;
}

Checked<RerankRequest> parseRerank(std::string_view body) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object);
  RerankRequest request = readRerank(fields);
  if (fields.problem()) return tl::unexpected<Problem>(*fields.problem());
  return request;
}

class RerankAnswer : public EmbeddingRun {
 public:
  RerankAnswer(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model,
               RerankRequest request)
      : EmbeddingRun(std::move(exchange), std::move(model), request.documents.size()),
        request_(std::move(request)) {}

 private:
  struct Ranked {
    std::size_t index;
    float relevance;
  };

  inference::EmbeddingRequest input(std::size_t index) override {
    return {.text = request_.query, .document = request_.documents[index]};
  }

  bool ended(std::size_t index, const inference::JobReport& report) override {
    const TextRequestFields names{.input = request_.field};
    if (auto problem = endProblem(report, names, /*tools=*/false)) {
      if (!problem->field.empty()) problem->field += "[" + std::to_string(index) + "]";
      refuse<InfillStream>(exchange(), *problem);
      return false;
    }
    // The first class is "yes".
    ranked_.push_back({index, report.embedding.front()});
    tokens_ += report.inputTokens;
    return true;
  }

  void allEnded() override {
    std::ranges::stable_sort(ranked_, std::greater(), &Ranked::relevance);
    ranked_.resize(std::min(ranked_.size(), request_.most));
    Json results = Json::array();
    for (const auto& [index, relevance] : ranked_) {
      Json result = {{"index", index}, {request_.isTei ? "score" : "relevance_score", relevance}};
      const std::string& text = request_.documents[index];
      if (request_.returnsTexts && request_.isTei) result["text"] = text;
      if (request_.returnsTexts && !request_.isTei) result["document"] = {{"text", text}};
      results.push_back(std::move(result));
    }
    if (request_.isTei) return exchange().json(results);
    exchange().json({{"model", model().name()},
                     {"object", "list"},
                     {"usage", {{"prompt_tokens", tokens_}, {"total_tokens", tokens_}}},
                     {"results", std::move(results)}});
  }

  const RerankRequest request_;
  std::vector<Ranked> ranked_;
  int tokens_ = 0;
};

Problem noRankingModel(const Models& models, const HostedModel& asked) {
  std::string names;
  for (const auto& model : models.all())
    if (model->card() && model->card()->ranks())
      names.append(names.empty() ? "" : ", ").append(model->name());
  return {protocol::http_error_code::kNotSupported,
          kRankingModel,
          {asked.name() + " does not rank texts: its file has no head for that.",
           names.empty() ? "Start the server with a model that does, such as Qwen3-Reranker."
                         : "Choose one that does: " + names + "."}};
}

void rerank(const std::shared_ptr<Exchange>& exchange, const RerankRequest& request) {
  const Models& models = exchange->hub()->models();
  const auto model = models.choose(request.model);
  if (!model) return refuse<InfillStream>(*exchange, model.error());
  if (const auto refusal = Models::refusal(**model))
    return refuse<InfillStream>(*exchange, *refusal);
  if (!(*model)->card()->ranks())
    return refuse<InfillStream>(*exchange, noRankingModel(models, **model));
  std::make_shared<RerankAnswer>(exchange, *model, request)->start();
}

}  // namespace

void answerRerank(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseRerank, [exchange](const Checked<RerankRequest>& parsed) {
    if (!parsed) return refuse<InfillStream>(*exchange, parsed.error());
    rerank(exchange, *parsed);
  });
}

}  // namespace waferpair::server
