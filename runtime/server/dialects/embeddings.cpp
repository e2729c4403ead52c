// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/embeddings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/inference/engine/embedding.h"
#include "runtime/server/core/message.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/embedding_run.h"
#include "runtime/server/dialects/infill_stream.h"
#include "runtime/server/dialects/loaded_model.h"
#include "runtime/server/dialects/ollama_request.h"
#include "runtime/server/dialects/ollama_stream.h"

namespace waferpair::server {
namespace {

constexpr std::size_t kMostEmbedded = 2048;
constexpr base::Field kEmbedded{.name = "input", .required = true};
constexpr base::Field kOllamaEmbedded{.name = "input", .most = kMostEmbedded};
constexpr base::Field kLlamaEmbedded{.name = "content", .required = true};
constexpr base::Field kEmbeddedPrompt{.name = "prompt"};
constexpr base::Field kEmbeddingModel{.name = "model", .bytes = 8192};
constexpr base::Field kEncodingFormat{.name = "encoding_format", .bytes = 64};
constexpr base::Field kDimensions{.name = "dimensions", .low = 1, .high = 1 << 20};

struct EmbeddingsRequest {
  std::string model;  // empty: the first
  std::vector<inference::EmbeddingRequest> inputs;
  std::string_view field = "input";  // that has them
  bool isList = false;               // it has several
  int dimensions = 0;                // 0: all that there are
  bool isBase64 = false;

  std::string fieldOf(std::size_t index) const {
    return std::string(field) + (isList ? "[" + std::to_string(index) + "]" : "");
  }
  void add(JsonFields& fields, inference::EmbeddingRequest input) {
    if (input.text.empty() && input.tokens.empty())
      fields.fail(fieldOf(inputs.size()), "is empty.", "Give a text, or leave it out.");
    inputs.push_back(std::move(input));
  }
};

// Vectors are written as they come: thousands at once would keep other clients waiting.
struct Embedded {
  std::vector<std::string> vectors;  // JSON
  int tokens = 0;
  double queuedMs = 0, totalMs = 0;
};

// A list of ids.
std::vector<std::int32_t> tokensOf(JsonFields& fields, const std::string& name, const Json& list) {
  std::vector<std::int32_t> tokens;
  for (const Json& token : list) {
    const bool usable = token.is_number_unsigned() && token.get<std::uint64_t>() <= INT32_MAX;
    if (!usable) fields.fail(name, "has an entry that is no token.", "Give ids of tokens.");
    tokens.push_back(usable ? token.get<std::int32_t>() : 0);
  }
  return tokens;
}

void readEmbedded(JsonFields& fields, const base::Field& field, EmbeddingsRequest& request) {
  if (!fields.isArray(field)) return request.add(fields, {.text = fields.text(field)});
  const Json& list = fields.list(field);
  if (list.empty()) return fields.fail(field, "is empty.", "Give a text.");
  if (list[0].is_number())
    return request.add(fields, {.text = {}, .tokens = tokensOf(fields, field.name, list)});
  request.isList = true;
  if (list.size() > kMostEmbedded)
    return fields.fail(field, "has " + std::to_string(list.size()) + " texts.",
                       "At most " + std::to_string(kMostEmbedded) + " are allowed.");
  for (const Json& entry : list) {
    const std::string name = request.fieldOf(request.inputs.size());
    if (entry.is_string())
      request.add(fields, {.text = entry.get<std::string>()});
    else if (entry.is_array())
      request.add(fields, {.text = {}, .tokens = tokensOf(fields, name, entry)});
    else
      return fields.fail(name, "is no text.", "Give texts, or lists of tokens.");
  }
}

EmbeddingsRequest readOpenAi(JsonFields& fields) {
  EmbeddingsRequest request;
  request.model = fields.text(kEmbeddingModel);
  readEmbedded(fields, kEmbedded, request);
  request.dimensions = static_cast<int>(fields.integer(kDimensions));
  const std::string format = fields.text(kEncodingFormat);
  request.isBase64 = format == "base64";
  if (!request.isBase64 && !format.empty() && format != "float")
    fields.fail(kEncodingFormat, "is \"" + format + "\".", "Give float or base64.");
  return request;
}

EmbeddingsRequest readLlamaEmbedding(JsonFields& fields) {
  EmbeddingsRequest request;
  request.model = fields.text(kEmbeddingModel);
  const base::Field& field = fields.has(kLlamaEmbedded) ? kLlamaEmbedded : kEmbedded;
  request.field = field.name;
  readEmbedded(fields, field, request);
  return request;
}

EmbeddingsRequest readOllamaEmbed(JsonFields& fields) {
  EmbeddingsRequest request;
  request.model = ollamaName(fields.text(kEmbeddingModel));
  request.dimensions = static_cast<int>(fields.integer(kDimensions));
  const bool truncate = fields.booleanOr("truncate", true);
  if (!fields.isArray(kOllamaEmbedded)) {
    const std::string text = fields.text(kOllamaEmbedded);
    if (!text.empty()) request.add(fields, {.text = text, .truncate = truncate});
    return request;
  }
  request.isList = true;
  for (const Json& entry : fields.list(kOllamaEmbedded)) {
    if (!entry.is_string()) {
      fields.fail(request.fieldOf(request.inputs.size()), "is no text.", "Give texts.");
      return request;
    }
    request.add(fields, {.text = entry.get<std::string>(), .truncate = truncate});
  }
  return request;
}

EmbeddingsRequest readOllamaPrompt(JsonFields& fields) {
  EmbeddingsRequest request;
  request.field = kEmbeddedPrompt.name;
  request.model = ollamaName(fields.text(kEmbeddingModel));
  const std::string text = fields.text(kEmbeddedPrompt);
  if (!text.empty()) request.add(fields, {.text = text, .truncate = true});
  return request;
}

// Floats of 32 bits, the lowest byte first.
std::string base64Of(const std::vector<float>& vector) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  std::uint32_t held = 0;
  int bits = 0;
  const auto put = [&](std::uint32_t byte) {
    held = held << 8 | byte;
    for (bits += 8; bits >= 6; bits -= 6) text += kDigits[held >> (bits - 6) & 63];
  };
  for (const float value : vector) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) put(word >> shift & 255);
  }
  if (bits > 0) text += kDigits[held << (6 - bits) & 63];
  text.resize((text.size() + 3) / 4 * 4, '=');
  return text;
}

// The shortest digits that give the same floats.
std::string numbersOf(const std::vector<float>& vector) {
  std::string text = "[";
  std::array<char, 32> digits;
  for (const float value : vector) {
    if (text.size() > 1) text += ',';
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(std::isfinite(value) ? std::string_view(digits.data(), end) : "null");
  }
  return text + ']';
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : ",").append(part);
  return text;
}

// The dialects: how a request is read, and what an answer looks like.
struct OpenAiEmbeddings {
  static constexpr auto kRead = readOpenAi;
  static constexpr bool kRefusesMoreDimensions = true;
  static std::string body(const Embedded& all, const std::string& model) {
    std::vector<std::string> data;
    for (const std::string& vector : all.vectors)
      data.push_back(R"({"object":"embedding","index":)" + std::to_string(data.size()) +
                     R"(,"embedding":)" + vector + "}");
    const Json usage{{"prompt_tokens", all.tokens}, {"total_tokens", all.tokens}};
    return R"({"object":"list","data":[)" + joined(data) + R"(],"model":)" + dump(model) +
           R"(,"usage":)" + dump(usage) + "}\n";
  }
};

// Of each text a list of vectors, as there may be one of each token there.
struct LlamaEmbedding {
  static constexpr auto kRead = readLlamaEmbedding;
  static constexpr bool kRefusesMoreDimensions = true;
  static Json errorBody(const Problem& problem) { return InfillStream::errorBody(problem); }
  static std::string body(const Embedded& all, const std::string&) {
    std::vector<std::string> entries;
    for (const std::string& vector : all.vectors)
      entries.push_back(R"({"index":)" + std::to_string(entries.size()) + R"(,"embedding":[)" +
                        vector + "]}");
    return "[" + joined(entries) + "]\n";
  }
};

struct OllamaEmbed {
  static constexpr auto kRead = readOllamaEmbed;
  static constexpr bool kRefusesMoreDimensions = false;  // they are passed over, as there
  static Json errorBody(const Problem& problem) { return OllamaStream::errorBody(problem); }
  static std::string body(const Embedded& all, const std::string& model) {
    const auto nanoseconds = [](double ms) {
      return std::to_string(static_cast<std::int64_t>(ms * 1e6));
    };
    return R"({"model":)" + dump(model) + R"(,"embeddings":[)" + joined(all.vectors) +
           R"(],"total_duration":)" + nanoseconds(all.totalMs) + R"(,"load_duration":)" +
           nanoseconds(all.queuedMs) + R"(,"prompt_eval_count":)" + std::to_string(all.tokens) +
           "}\n";
  }
};

struct OllamaEmbeddings : OllamaEmbed {
  static constexpr auto kRead = readOllamaPrompt;
  static std::string body(const Embedded& all, const std::string&) {
    return R"({"embedding":)" + (all.vectors.empty() ? "[]" : all.vectors.front()) + "}\n";
  }
};

bool isEmbeddingModel(const HostedModel& model) { return model.card() && model.card()->embeds(); }

Problem noEmbeddingModel(const Models& models, const HostedModel& asked) {
  std::string names;
  for (const auto& model : models.all())
    if (isEmbeddingModel(*model)) names.append(names.empty() ? "" : ", ").append(model->name());
  return {protocol::error_code::kInvalidField,
          kEmbeddingModel,
          {asked.name() + " is no embedding model: its file names no way of pooling.",
           names.empty() ? "Start the server with an embedding model, such as Qwen3-Embedding."
                         : "Choose an embedding model: " + names + "."}};
}

// What of a request only its model can tell.
std::optional<Problem> problemFor(const EmbeddingsRequest& request,
                                  const inference::ModelCard& card, bool refusesMoreDimensions) {
  if (refusesMoreDimensions && request.dimensions > card.width)
    return Problem(protocol::error_code::kInvalidField, kDimensions,
                   {"dimensions is " + std::to_string(request.dimensions) + "; an embedding of " +
                        card.name + " has " + std::to_string(card.width) + " numbers.",
                    "Ask for no more than these."});
  for (std::size_t i = 0; i < request.inputs.size(); ++i)
    for (const std::int32_t token : request.inputs[i].tokens)
      if (token >= card.vocabSize)
        return Problem(protocol::error_code::kInvalidField, request.fieldOf(i),
                       {request.fieldOf(i) + " has the token " + std::to_string(token) +
                            "; the vocabulary of " + card.name + " ends at " +
                            std::to_string(card.vocabSize - 1) + ".",
                        "Give ids of this model's tokens."});
  return std::nullopt;
}

template <typename Dialect>
class EmbeddingsAnswer : public EmbeddingRun {
 public:
  EmbeddingsAnswer(std::shared_ptr<Exchange> exchange, std::shared_ptr<HostedModel> model,
                   EmbeddingsRequest request)
      : EmbeddingRun(std::move(exchange), std::move(model), request.inputs.size()),
        request_(std::move(request)) {}

 private:
  inference::EmbeddingRequest input(std::size_t index) override {
    return std::move(request_.inputs[index]);
  }
  bool ended(std::size_t index, const inference::JobReport& report) override {
    const TextRequestFields names{.input = request_.field};
    if (auto problem = endProblem(report, names, /*tools=*/false)) {
      if (!problem->field.empty()) problem->field = request_.fieldOf(index);
      refuse<Dialect>(exchange(), *problem);
      return false;
    }
    std::vector<float> vector = report.embedding;
    if (const auto wanted = static_cast<std::size_t>(request_.dimensions);
        wanted > 0 && vector.size() > wanted)
      vector = inference::normalizedEmbedding(std::span<const float>(vector).first(wanted));
    all_.vectors.push_back(request_.isBase64 ? '"' + base64Of(vector) + '"' : numbersOf(vector));
    if (index == 0) all_.queuedMs = report.queuedMs;
    all_.tokens += report.inputTokens;
    all_.totalMs = report.totalMs;
    return true;
  }
  void allEnded() override {
    exchange().text("application/json", Dialect::body(all_, model().name()));
  }

  EmbeddingsRequest request_;  // but for the inputs so far
  Embedded all_;
};

template <typename Dialect>
void answerRequest(const std::shared_ptr<Exchange>& exchange, const EmbeddingsRequest& request) {
  const auto refused = [&](const Problem& problem) { refuse<Dialect>(*exchange, problem); };
  const Models& models = exchange->hub()->models();
  const auto model = models.choose(request.model);
  if (!model) return refused(model.error());
  if (const auto refusal = Models::refusal(**model)) return refused(*refusal);
  if (!isEmbeddingModel(**model)) return refused(noEmbeddingModel(models, **model));
  const inference::ModelCard& card = *(*model)->card();
  if (const auto problem = problemFor(request, card, Dialect::kRefusesMoreDimensions))
    return refused(*problem);
  // A request without text has the model loaded.
  if (request.inputs.empty())
    return answerWithEngine<Dialect>(
        exchange, request.model, [exchange, model = *model](const inference::Engine&) {
          exchange->text("application/json", Dialect::body({}, model->name()));
        });
  std::make_shared<EmbeddingsAnswer<Dialect>>(exchange, *model, request)->start();
}

template <typename Dialect>
void answerIn(const std::shared_ptr<Exchange>& exchange) {
  const auto parse = [](std::string_view body) -> Checked<EmbeddingsRequest> {
    const Checked<Json> object = parseMessage(body);
    if (!object) return tl::unexpected(object.error());
    JsonFields fields(*object);
    EmbeddingsRequest request = Dialect::kRead(fields);
    if (fields.problem()) return tl::unexpected<Problem>(*fields.problem());
    return request;
  };
  readBody(exchange, parse, [exchange](const Checked<EmbeddingsRequest>& request) {
    if (!request) return refuse<Dialect>(*exchange, request.error());
    answerRequest<Dialect>(exchange, *request);
  });
}

}  // namespace

void answerEmbeddings(const std::shared_ptr<Exchange>& exchange) {
  answerIn<OpenAiEmbeddings>(exchange);
}

void answerLlamaEmbedding(const std::shared_ptr<Exchange>& exchange) {
  answerIn<LlamaEmbedding>(exchange);
}

void answerOllamaEmbed(const std::shared_ptr<Exchange>& exchange) {
  answerIn<OllamaEmbed>(exchange);
}

void answerOllamaEmbeddings(const std::shared_ptr<Exchange>& exchange) {
  answerIn<OllamaEmbeddings>(exchange);
}

}  // namespace waferpair::server
