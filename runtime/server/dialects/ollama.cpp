// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/ollama.h"

#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>

#include "runtime/base/hmac.h"
#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"
#include "runtime/server/core/models_folder.h"
#include "runtime/server/core/version.h"
#include "runtime/server/dialects/loaded_model.h"
#include "runtime/server/dialects/ollama_request.h"
#include "runtime/server/dialects/ollama_stream.h"
#include "runtime/server/dialects/plain_answer.h"

namespace waferpair::server {
namespace {

// The one whose API this is. Clients ask for it: to Codex one from before 0.13.4 has no Responses.
constexpr const char* kOllamaVersion = "0.13.4";

Json details(const inference::ModelCard& card) {
  return {{"parent_model", ""},
          {"format", "gguf"},
          {"family", card.architecture},
          {"families", Json::array({card.architecture})},
          {"parameter_size", std::to_string(card.parameters / 1000000) + "M"},
          {"quantization_level", card.quantization}};
}

std::string modifiedAt(const inference::ModelCard& card) {
  std::error_code missing;
  const auto written = std::filesystem::last_write_time(card.file, missing);
  if (missing) return ollamaTime(0);
  const auto since = std::chrono::file_clock::to_sys(written).time_since_epoch();
  return ollamaTime(std::chrono::duration_cast<std::chrono::seconds>(since).count());
}

// Tells this file from others, and from what it was before it was written anew; clients compare
// digests, and never compute one. To read gigabytes for it would take too long.
std::string digestOf(const inference::ModelCard& card) {
  return base::hmacOf(card.file, std::to_string(card.fileBytes) + " " + modifiedAt(card));
}

// How the file would have it sampled, as a Modelfile has it: a line each.
std::string parametersOf(const inference::ModelCard& card) {
  std::string lines;
  const auto settings = inference::samplingSettings();
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (!card.sampling.given.test(i)) continue;
    const std::string name =
        i == inference::kRepetitionSetting ? "repeat_penalty" : settings[i].name;
    std::array<char, 32> digits;  // the shortest that give the same float
    const auto value = static_cast<float>(settings[i].of(card.sampling.options));
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    lines += (lines.empty() ? "" : "\n") + name + " ";
    lines.append(digits.data(), end);
  }
  return lines;
}

Json listed(const HostedModel& model) {
  const inference::ModelCard& card = *model.card();
  return {{"name", model.name()},   {"model", model.name()},    {"modified_at", modifiedAt(card)},
          {"size", card.fileBytes}, {"digest", digestOf(card)}, {"details", details(card)}};
}

// The time at which it gives its memory back if nobody asks for it any more.
std::string expiresAt(const Models& models, const HostedModel& model) {
  constexpr const char* kNever = "9999-12-31T23:59:59Z";
  const std::chrono::seconds stays = models.idleOf(model);
  if (stays.count() == 0) return kNever;
  const auto unused = inference::Clock::now() - model.lastUse();
  const auto left = stays - std::chrono::duration_cast<std::chrono::seconds>(unused);
  return ollamaTime(unixSeconds() + left.count());
}

Json withoutText(const OllamaText& request, const std::string& model, const char* reason) {
  Json told = {{"model", model},
               {"created_at", ollamaTime(unixSeconds())},
               {"done", true},
               {"done_reason", reason}};
  if (request.isChat)
    told["message"] = {{"role", "assistant"}, {"content", ""}};
  else
    told["response"] = "";
  return told;
}

void unload(const std::shared_ptr<Exchange>& exchange, const OllamaText& request) {
  Models& models = exchange->hub()->models();
  const auto model = models.choose(request.model);
  if (!model) return refuse<OllamaStream>(*exchange, model.error());
  if (const auto problem = models.unload(*model)) return refuse<OllamaStream>(*exchange, *problem);
  exchange->json(withoutText(request, (*model)->name(), "unload"));
}

// A request without text has the model loaded, or give its memory back.
void answerLoaded(const std::shared_ptr<Exchange>& exchange, const OllamaText& request) {
  if (request.unloads) return unload(exchange, request);
  answerWithEngine<OllamaStream>(
      exchange, request.model, [exchange, request](const inference::Engine& engine) {
        exchange->json(withoutText(request, engine.model().card().name, "load"));
      });
}

std::string readName(JsonFields& fields) {
  const char* key = fields.has("model") ? "model" : "name";
  return ollamaName(fields.text(base::Field{.name = key, .bytes = 8192}));
}

struct PullRequest {
  std::string model;
  bool stream = true;
};

Checked<PullRequest> parsePull(std::string_view body) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object);
  PullRequest asked{readName(fields), fields.booleanOr("stream", true)};
  if (fields.problem()) return tl::unexpected<Problem>(*fields.problem());
  return asked;
}

struct CopyRequest {
  std::string from, to;
};

Checked<CopyRequest> parseCopy(std::string_view body) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object);
  const auto read = [&fields](const char* key) {
    return ollamaName(fields.text(base::Field{.name = key, .required = true, .bytes = 8192}));
  };
  CopyRequest asked{.from = read("source"), .to = read("destination")};
  if (fields.problem()) return tl::unexpected<Problem>(*fields.problem());
  return asked;
}

Checked<std::string> parseShow(std::string_view body) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object);
  std::string name = readName(fields);
  if (fields.problem()) return tl::unexpected<Problem>(*fields.problem());
  return name;
}

void show(const std::shared_ptr<Exchange>& exchange, const Checked<std::string>& name) {
  const auto refused = [&](const Problem& problem) { refuse<OllamaStream>(*exchange, problem); };
  if (!name) return refused(name.error());
  const auto model = exchange->hub()->models().find(*name);
  if (!model) return refused(model.error());
  if (const auto refusal = Models::refusal(**model)) return refused(*refusal);
  const inference::ModelCard& card = *(*model)->card();
  // An embedding model is not offered for texts, as there, nor is one that ranks them.
  const bool writes = !card.embeds() && !card.ranks();
  Json capabilities = Json::array({writes ? "completion" : card.ranks() ? "rerank" : "embedding"});
  if (writes && card.prompt.order != inference::FimOrder::kNone) capabilities.push_back("insert");
  if (writes && card.tools) capabilities.push_back("tools");
  exchange->json({{"modelfile", "FROM " + card.file + "\n"},
                  {"parameters", parametersOf(card)},
                  {"template", card.chatTemplate},
                  {"license", ""},
                  {"modified_at", modifiedAt(card)},
                  {"details", details(card)},
                  {"model_info",
                   {{"general.architecture", card.architecture},
                    {"general.basename", card.baseName},
                    {"general.parameter_count", card.parameters},
                    {card.architecture + ".context_length", card.context},
                    {card.architecture + ".embedding_length", card.width}}},
                  {"capabilities", std::move(capabilities)}});
}

}  // namespace

void answerOllamaRoot(const std::shared_ptr<Exchange>& exchange) {
  exchange->text("text/plain; charset=utf-8", "Ollama is running");
}

void answerOllamaVersion(const std::shared_ptr<Exchange>& exchange) {
  exchange->json({{"version", kOllamaVersion}, {"server", kServerName}});
}

void answerOllamaTags(const std::shared_ptr<Exchange>& exchange) {
  offerFolder(exchange->hub()->models());
  Json models = Json::array();
  for (const auto& model : exchange->hub()->models().all())
    if (model->card()) models.push_back(listed(*model));
  exchange->json({{"models", std::move(models)}});
}

void answerOllamaRunning(const std::shared_ptr<Exchange>& exchange) {
  Json models = Json::array();
  for (const auto& model : exchange->hub()->models().all()) {
    if (!model->engine()) continue;
    Json running = listed(*model);
    running["size"] = model->memoryBytes();
    running["size_vram"] = 0;  // all of it is the computer's own
    running["expires_at"] = expiresAt(exchange->hub()->models(), *model);
    running["context_length"] = model->card()->context;
    models.push_back(std::move(running));
  }
  exchange->json({{"models", std::move(models)}});
}

void answerOllamaShow(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseShow,
           [exchange](const Checked<std::string>& name) { show(exchange, name); });
}

// No model is fetched here; one that is there already need not be.
void answerOllamaPull(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parsePull, [exchange](const Checked<PullRequest>& asked) {
    if (!asked) return refuse<OllamaStream>(*exchange, asked.error());
    offerFolder(exchange->hub()->models());
    auto model = exchange->hub()->models().find(asked->model);
    if (!model) {
      model.error().remedy =
          "Nothing is fetched over the API: get it with Waferpair (Model > Get "
          "a Model) or put its file into the folder of --models-dir.";
      return refuse<OllamaStream>(*exchange, model.error());
    }
    const Json told = {{"status", "success"}};
    if (!asked->stream) return exchange->json(told);
    exchange->stream(Framing::kLines).push({}, dump(told));
    exchange->end();
  });
}

void answerOllamaCopy(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseCopy, [exchange](const Checked<CopyRequest>& asked) {
    if (!asked) return refuse<OllamaStream>(*exchange, asked.error());
    Models& models = exchange->hub()->models();
    if (const auto problem = copyModel(models, asked->from, asked->to))
      return refuse<OllamaStream>(*exchange, *problem);
    // Whoever asks for the list next finds it there.
    models.whenRead([exchange] { exchange->text("text/plain; charset=utf-8", ""); });
  });
}

void answerOllamaDelete(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseShow, [exchange](const Checked<std::string>& name) {
    if (!name) return refuse<OllamaStream>(*exchange, name.error());
    if (const auto problem = deleteModel(exchange->hub()->models(), *name))
      return refuse<OllamaStream>(*exchange, *problem);
    exchange->text("text/plain; charset=utf-8", "");
  });
}

// This server makes no models of others, and takes none.
void answerOllamaRefusal(const std::shared_ptr<Exchange>& exchange) {
  struct Refusal {
    std::string_view path;
    const char *what, *remedy;
  };
  constexpr Refusal kRefusals[] = {
      {"/api/create", "Models are not made here: this server runs files as they are.",
       "Send system, options and adapters' scales with each request, or start waferd with the "
       "file."},
      {"/api/push", "Models are not published here.", "Upload the file where it is to be."},
      {"/api/blobs/", "Files are not taken here: models lie where waferd was told.",
       "Put the file on this computer, and start waferd with it."},
  };
  const std::string_view path = exchange->path();
  for (const Refusal& refusal : kRefusals)
    if (path.starts_with(refusal.path))
      return refuse<OllamaStream>(
          *exchange, {protocol::http_error_code::kNotSupported, {refusal.what, refusal.remedy}});
}

void answerOllamaGenerate(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseOllamaGenerate, [exchange](const Checked<OllamaGenerate>& parsed) {
    if (!parsed) return refuse<OllamaStream>(*exchange, parsed.error());
    if (parsed->isEmpty) return answerLoaded(exchange, parsed->text);
    if (!parsed->gap.isFillIn) return answerText<OllamaStream>(exchange, parsed->text);
    answerParsed<OllamaStream>(exchange, Checked<PlainRequest>(parsed->gap));
  });
}

void answerOllamaChat(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseOllamaChat, [exchange](const Checked<OllamaText>& parsed) {
    if (!parsed) return refuse<OllamaStream>(*exchange, parsed.error());
    if (parsed->messages.empty()) return answerLoaded(exchange, *parsed);
    answerText<OllamaStream>(exchange, *parsed);
  });
}

}  // namespace waferpair::server
