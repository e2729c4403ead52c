// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/llama_tools.h"

#include <string>
#include <vector>

#include "runtime/inference/prompt/chat_template.h"
#include "runtime/inference/prompt/prompt.h"
#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"
#include "runtime/server/core/models_folder.h"
#include "runtime/server/core/version.h"
#include "runtime/server/dialects/chat_request.h"
#include "runtime/server/dialects/generation_settings.h"
#include "runtime/server/dialects/infill_stream.h"
#include "runtime/server/dialects/loaded_model.h"
#include "runtime/server/dialects/plain_request.h"

namespace waferpair::server {
namespace {

using tokenizer::SpecialText;
using tokenizer::Tokenizer;

// Longer ones would keep all other clients waiting.
constexpr std::size_t kMostTokenized = std::size_t{1} << 20;
constexpr base::Field kTokenized{.name = "content", .required = true, .bytes = kMostTokenized};
constexpr base::Field kTokens{.name = "tokens", .required = true, .most = kMostTokenized};

void refuseLlama(Exchange& exchange, const Problem& problem) {
  refuse<InfillStream>(exchange, problem);
}

// The bytes of a token, as a text where they are one.
Json pieceOf(const Tokenizer& tokenizer, std::int32_t token) {
  const std::string bytes(tokenizer.isSpecial(token) ? tokenizer.name(token)
                                                     : tokenizer.bytes(token));
  Json text = bytes;
  try {
    (void)text.dump();
    return text;
  } catch (const Json::type_error&) {
    Json numbers = Json::array();
    for (const char byte : bytes) numbers.push_back(static_cast<unsigned char>(byte));
    return numbers;
  }
}

std::string textOf(const Tokenizer& tokenizer, const std::vector<std::int32_t>& tokens) {
  std::string text;
  std::vector<std::int32_t> run;
  for (const std::int32_t token : tokens) {
    if (!tokenizer.isSpecial(token)) {
      run.push_back(token);
      continue;
    }
    text += tokenizer.decode(run);
    text += tokenizer.name(token);
    run.clear();
  }
  return text + tokenizer.decode(run);
}

const inference::CompiledModel* compiledFirst(Exchange& exchange) {
  const Hub& hub = *exchange.hub();
  if (const auto* engine = hub.engine()) return &engine->model();
  refuseLlama(exchange, hub.notReady());
  return nullptr;
}

void answerTemplate(const std::shared_ptr<Exchange>& exchange, const ChatRequest& request) {
  answerWithEngine<InfillStream>(
      exchange, request.model, [exchange, chat = request](const inference::Engine& engine) {
        const inference::ModelCard& card = engine.model().card();
        const auto prompt = responsePrompt(chat, card, nullptr);
        if (!prompt) return refuseLlama(*exchange, prompt.error());
        const Tokenizer& tokenizer = engine.model().tokenizer();
        if (prompt->messages.empty()) return exchange->json({{"prompt", prompt->wholeText()}});
        const auto written = conversationPrompt(
            tokenizer, card.chatForm(), prompt->conversation(),
            card.tools ? chat.tools.tools : std::vector<inference::Tool>(), chat.variables);
        if (!written) return refuseLlama(*exchange, conversationProblem(chat, written.error()));
        exchange->json({{"prompt", textOf(tokenizer, written->tokens)}});
      });
}

struct TokenizeRequest {
  std::string model, text;
  bool begins = false, pieces = false;
  SpecialText special = SpecialText::kParse;
};

TokenizeRequest readTokenize(JsonFields& fields) {
  TokenizeRequest request;
  request.text = fields.text(kTokenized);
  request.model = fields.text(protocol::field::response_create::kModel);
  request.begins = fields.booleanOr("add_special", false);
  if (!fields.booleanOr("parse_special", true)) request.special = SpecialText::kPlain;
  request.pieces = fields.booleanOr("with_pieces", false);
  return request;
}

struct DetokenizeRequest {
  std::string model;
  std::vector<std::int32_t> tokens;
};

DetokenizeRequest readDetokenize(JsonFields& fields) {
  DetokenizeRequest request;
  request.model = fields.text(protocol::field::response_create::kModel);
  for (const Json& token : fields.list(kTokens)) {
    const bool usable = token.is_number_unsigned() && token.get<std::uint64_t>() <= INT32_MAX;
    if (!usable) fields.fail(kTokens, "has an entry that is no token.", "Give ids of tokens.");
    request.tokens.push_back(usable ? token.get<std::int32_t>() : 0);
  }
  return request;
}

std::string readModelName(JsonFields& fields) {
  return fields.text(base::Field{.name = "model", .required = true, .bytes = 8192});
}

// Calls answer(request) with what the body says, or says what is wrong with it.
template <typename Request, typename Answer>
void answerParsedBody(const std::shared_ptr<Exchange>& exchange, Request (*read)(JsonFields&),
                      Answer answer) {
  const auto parse = [read](std::string_view body) -> Checked<Request> {
    const Checked<Json> object = parseMessage(body);
    if (!object) return tl::unexpected(object.error());
    JsonFields fields(*object);
    Request request = read(fields);
    if (fields.problem()) return tl::unexpected<Problem>(*fields.problem());
    return request;
  };
  readBody(exchange, parse, [exchange, answer](const Checked<Request>& parsed) {
    if (!parsed) return refuseLlama(*exchange, parsed.error());
    answer(*parsed);
  });
}

// Calls answer(engine, request) once the model that the body names is loaded.
template <typename Request, typename Answer>
void answerRead(const std::shared_ptr<Exchange>& exchange, Request (*read)(JsonFields&),
                Answer answer) {
  answerParsedBody(exchange, read, [exchange, answer](const Request& request) {
    answerWithEngine<InfillStream>(
        exchange, request.model,
        [answer, request](const inference::Engine& engine) { answer(engine, request); });
  });
}

// What is sampled by where a request says nothing.
Json samplingJson(const inference::ModelCard& card) {
  static const Json kNothing = Json::object();
  JsonFields fields(kNothing);
  return samplingSettings(settled(readLlamaSampling(fields, kLlamaSampling), card));
}

}  // namespace

void answerTokenize(const std::shared_ptr<Exchange>& exchange) {
  answerRead(exchange, readTokenize, [exchange](const auto& engine, const TokenizeRequest& asked) {
    const Tokenizer& tokenizer = engine.model().tokenizer();
    std::vector<std::int32_t> tokens;
    if (asked.begins && tokenizer.addsBos()) tokens.push_back(tokenizer.special().bos);
    tokenizer.encode(asked.text, asked.special, tokens);
    Json told = Json::array();
    for (const std::int32_t token : tokens)
      told.push_back(asked.pieces ? Json{{"id", token}, {"piece", pieceOf(tokenizer, token)}}
                                  : Json(token));
    exchange->json({{"tokens", std::move(told)}});
  });
}

void answerDetokenize(const std::shared_ptr<Exchange>& exchange) {
  answerRead(
      exchange, readDetokenize, [exchange](const auto& engine, const DetokenizeRequest& asked) {
        const Tokenizer& tokenizer = engine.model().tokenizer();
        for (const std::int32_t token : asked.tokens)
          if (token >= tokenizer.vocabSize())
            return refuseLlama(*exchange, {protocol::error_code::kInvalidField,
                                           kTokens,
                                           {"tokens has " + std::to_string(token) +
                                                ", and the vocabulary ends at " +
                                                std::to_string(tokenizer.vocabSize() - 1) + ".",
                                            "Give ids of this model's tokens."}});
        exchange->json({{"content", textOf(tokenizer, asked.tokens)}});
      });
}

void answerApplyTemplate(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseChatBody, [exchange](const Checked<ChatRequest>& chat) {
    if (!chat) return refuseLlama(*exchange, chat.error());
    answerTemplate(exchange, *chat);
  });
}

void answerProps(const std::shared_ptr<Exchange>& exchange) {
  const inference::CompiledModel* model = compiledFirst(*exchange);
  if (!model) return;
  const inference::ModelCard& card = model->card();
  exchange->json(
      {{"default_generation_settings", {{"n_ctx", card.context}, {"params", samplingJson(card)}}},
       {"total_slots", model->options().sequences},
       {"model_alias", card.name},
       {"model_path", card.file},
       {"modalities", {{"vision", false}, {"audio", false}}},
       {"build_info", kServerName}});
}

// Those of the first model: they stay as they are while it is loaded.
void answerAdapters(const std::shared_ptr<Exchange>& exchange) {
  const inference::CompiledModel* model = compiledFirst(*exchange);
  if (!model) return;
  Json adapters = Json::array();
  for (const transformer::AdapterFile& adapter : model->card().adapters)
    adapters.push_back(
        {{"id", adapters.size()}, {"path", adapter.path}, {"scale", adapter.factor}});
  exchange->json(adapters);
}

// No sequence has a place of its own: those at work are told first.
void answerSlots(const std::shared_ptr<Exchange>& exchange) {
  const inference::CompiledModel* model = compiledFirst(*exchange);
  if (!model) return;
  const int working = exchange->hub()->engine()->queue().running;
  const bool mustBeFree = exchange->query().find("fail_on_no_slot=1") != std::string_view::npos;
  if (mustBeFree && working >= model->options().sequences)
    return refuseLlama(*exchange, {protocol::error_code::kNotReady,
                                   {"No slot is available.", "Ask again in a moment."}});
  Json slots = Json::array();
  for (int i = 0; i < model->options().sequences; ++i)
    slots.push_back({{"id", i}, {"n_ctx", model->card().context}, {"is_processing", i < working}});
  exchange->json(slots);
}

void answerSlotAction(const std::shared_ptr<Exchange>& exchange) {
  refuseLlama(
      *exchange,
      {protocol::http_error_code::kNotSupported,
       {"Slots cannot be saved, restored or erased here: no sequence has a place of its own.",
        "Leave it out: what was read is found again by its text, and with --session-cache "
        "after a restart, too."}});
}

void answerModelLoad(const std::shared_ptr<Exchange>& exchange) {
  answerParsedBody(exchange, readModelName, [exchange](const std::string& name) {
    Models& models = exchange->hub()->models();
    offerFolder(models);
    const auto model = models.find(name);
    if (!model) return refuseLlama(*exchange, model.error());
    models.load(*model);
    exchange->json({{"success", true}});
  });
}

void answerModelUnload(const std::shared_ptr<Exchange>& exchange) {
  answerParsedBody(exchange, readModelName, [exchange](const std::string& name) {
    Models& models = exchange->hub()->models();
    const auto model = models.find(name);
    if (!model) return refuseLlama(*exchange, model.error());
    if (const auto problem = models.unload(*model)) return refuseLlama(*exchange, *problem);
    exchange->json({{"success", true}});
  });
}

}  // namespace waferpair::server
