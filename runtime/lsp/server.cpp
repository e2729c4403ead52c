// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/lsp/server.h"

#include <algorithm>
#include <utility>

namespace waferpair::lsp {
namespace {

using base::Field;
using base::JsonFields;

// JSON-RPC's and LSP's codes of errors.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kNotInitialized = -32002;
constexpr int kRequestCancelled = -32800;

constexpr int kAlternatives = 3;  // of what is asked for by key
constexpr int kIncremental = 2;   // TextDocumentSyncKind
constexpr int kWarning = 2;       // MessageType
constexpr int kPlainText = 1;     // CompletionItemKind

constexpr Field kUri{.name = "uri", .required = true, .bytes = 8192};
constexpr Field kText{.name = "text", .required = true};
constexpr Field kLine{.name = "line", .required = true, .low = 0, .high = base::kMaxInteger};
constexpr Field kCharacter{
    .name = "character", .required = true, .low = 0, .high = base::kMaxInteger};
constexpr Field kTextDocument{.name = "textDocument", .required = true};
constexpr Field kChanges{.name = "contentChanges", .required = true};
constexpr Field kMaxTokens{.name = "maxTokens", .low = 1, .high = 4096};
constexpr Field kMaxLines{.name = "maxLines", .low = 0, .high = 1000};
constexpr Field kMinProbability{.name = "minProbability", .low = 0, .high = 1};
constexpr Field kInLists{.name = "minProbabilityInLists", .low = 0, .high = 1};

Position positionIn(JsonFields& fields) {
  return {.line = fields.integer(kLine), .character = fields.integer(kCharacter)};
}

Position positionIn(JsonFields& fields, const char* name) {
  JsonFields part = fields.part(name);
  const Position position = positionIn(part);
  fields.adopt(part);
  return position;
}

std::string uriIn(JsonFields& fields) {
  JsonFields document = fields.part(kTextDocument);
  std::string uri = document.text(kUri);
  fields.adopt(document);
  return uri;
}

// The value at a path of names, or null.
const Json& valueAt(const Json& json, std::initializer_list<const char*> path) {
  static const Json kNothing;
  const Json* at = &json;
  for (const char* name : path) {
    const auto found = at->is_object() ? at->find(name) : at->end();
    if (!at->is_object() || found == at->end()) return kNothing;
    at = &*found;
  }
  return *at;
}

std::string folderOf(const Json& params) {
  const Json& folders = valueAt(params, {"workspaceFolders"});
  if (folders.is_array() && !folders.empty())
    if (const Json& uri = valueAt(folders.front(), {"uri"}); uri.is_string())
      return pathOf(uri.get<std::string>());
  if (const Json& uri = valueAt(params, {"rootUri"}); uri.is_string())
    return pathOf(uri.get<std::string>());
  if (const Json& path = valueAt(params, {"rootPath"}); path.is_string())
    return path.get<std::string>();
  return {};
}

PositionUnit unitOf(const Json& params) {
  const Json& offered = valueAt(params, {"capabilities", "general", "positionEncodings"});
  const bool utf8 =
      offered.is_array() && std::ranges::find(offered, Json("utf-8")) != offered.end();
  return utf8 ? PositionUnit::kUtf8 : PositionUnit::kUtf16;
}

// Bytes that may be part of a name.
bool isWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || byte == '_' || (byte >= '0' && byte <= '9') ||
         (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

std::string_view withoutBlanksAtEnd(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == text.npos ? 0 : last + 1);
}

}  // namespace

Server::Server(Suggester& suggester, const Options& options, Send send)
    : suggester_(suggester), options_(options), send_(std::move(send)) {}

void Server::take(std::string_view body) {
  const auto message = base::parseJsonObject(body, "The message");
  if (!message) return refuse(nullptr, kParseError, message.error());
  const Json& method = valueAt(*message, {"method"});
  const Json& id = valueAt(*message, {"id"});
  if (!method.is_string()) {
    // An answer: this server asks nothing.
    if (message->contains("result") || message->contains("error")) return;
    return refuse(id, kInvalidRequest, {"The message has no method.", ""});
  }
  const Json& params = valueAt(*message, {"params"});
  if (id.is_null()) return notification(method.get<std::string>(), params);
  if (!id.is_string() && !id.is_number_integer())
    return refuse(nullptr, kInvalidRequest, {"The id is neither an integer nor a text.", ""});
  request(id, method.get<std::string>(), params);
}

void Server::request(const Json& id, const std::string& method, const Json& params) {
  if (shutDown_)
    return refuse(id, kInvalidRequest, {"The server has been shut down.", "Start another one."});
  if (method == "initialize") return initialize(id, params);
  if (!documents_)
    return refuse(id, kNotInitialized,
                  {"The server is not initialized.", "Send initialize first."});
  if (method == "shutdown") {
    shutDown_ = true;
    answerAllWithNothing();
    return reply(id, nullptr);
  }
  if (method == "textDocument/inlineCompletion") return suggest(id, /*list=*/false, params);
  if (method == "textDocument/completion") return suggest(id, /*list=*/true, params);
  refuse(id, kMethodNotFound, {method + " is not known here.", ""});
}

void Server::initialize(const Json& id, const Json& params) {
  if (documents_) return refuse(id, kInvalidRequest, {"The server is initialized already.", ""});
  const Json& chosen = valueAt(params, {"initializationOptions"});
  if (chosen.is_object()) {
    JsonFields fields(chosen, "initializationOptions");
    if (fields.has(kMaxTokens)) options_.maxTokens = static_cast<int>(fields.integer(kMaxTokens));
    if (fields.has(kMaxLines)) options_.maxLines = static_cast<int>(fields.integer(kMaxLines));
    if (fields.has(kMinProbability)) options_.minProbability = fields.number(kMinProbability);
    if (fields.has(kInLists)) options_.minProbabilityInLists = fields.number(kInLists);
    tellsTimings_ = fields.booleanOr("timings", false);
    if (const auto checked = fields.check(); !checked)
      return refuse(id, kInvalidParams, checked.error());
  }
  const PositionUnit unit = unitOf(params);
  documents_ = std::make_unique<Documents>(suggester_, folderOf(params), unit);
  if (ready_) documents_->tellAll();
  Json capabilities = {{"positionEncoding", unit == PositionUnit::kUtf8 ? "utf-8" : "utf-16"},
                       {"textDocumentSync", {{"openClose", true}, {"change", kIncremental}}},
                       {"inlineCompletionProvider", Json::object()}};
  // An editor that shows text in place shows nothing twice.
  if (!valueAt(params, {"capabilities", "textDocument", "inlineCompletion"}).is_object())
    capabilities["completionProvider"] = {{"triggerCharacters", {".", ":", ">", "("}},
                                          {"resolveProvider", false}};
  reply(id, {{"capabilities", std::move(capabilities)},
             {"serverInfo", {{"name", "Waferpair"}, {"version", WAFERPAIR_VERSION}}}});
}

void Server::notification(const std::string& method, const Json& params) {
  if (method == "exit") {
    exitStatus_ = shutDown_ ? 0 : 1;
    return;
  }
  if (!documents_ || shutDown_) return;
  if (method == "$/cancelRequest") return cancel(valueAt(params, {"id"}));
  if (!params.is_object()) return;
  JsonFields fields(params, method);
  if (method == "textDocument/didOpen") {
    JsonFields document = fields.part(kTextDocument);
    const std::string uri = document.text(kUri);
    const std::string language = document.text(Field{.name = "languageId", .bytes = 256});
    std::string text = document.text(kText);
    fields.adopt(document);
    if (fields.check()) documents_->open(uri, language, std::move(text));
  } else if (method == "textDocument/didChange") {
    const std::string uri = uriIn(fields);
    std::vector<Change> changes;
    const std::size_t count = fields.list(kChanges).size();
    for (std::size_t i = 0; i < count; ++i) {
      JsonFields entry = fields.entry(kChanges, i);
      Change change{
          .whole = !entry.has("range"), .start = {}, .end = {}, .text = entry.text(kText)};
      if (!change.whole) {
        JsonFields range = entry.part("range");
        change.start = positionIn(range, "start");
        change.end = positionIn(range, "end");
        entry.adopt(range);
      }
      fields.adopt(entry);
      changes.push_back(std::move(change));
    }
    if (fields.check())
      if (const auto changed = documents_->change(uri, changes); !changed)
        log(changed.error().message());
    // What was asked of the text before has no place in this one.
    for (const auto& [id, waiting] : waiting_)
      if (waiting.uri == uri) suggester_.cancel(id);
  } else if (method == "textDocument/didClose") {
    const std::string uri = uriIn(fields);
    if (fields.check()) documents_->close(uri);
  }
  if (const auto checked = fields.check(); !checked) log(checked.error().message());
}

void Server::suggest(const Json& id, bool list, const Json& params) {
  if (!params.is_object()) return refuse(id, kInvalidParams, {"The request has no params.", ""});
  JsonFields fields(params, list ? "textDocument/completion" : "textDocument/inlineCompletion");
  const std::string uri = uriIn(fields);
  const Position position = positionIn(fields, "position");
  if (const auto checked = fields.check(); !checked)
    return refuse(id, kInvalidParams, checked.error());
  const Document* document = documents_->look(uri);
  if (!document)
    return refuse(id, kInvalidParams, {uri + " is not open.", "Send textDocument/didOpen first."});
  Waiting waiting{.id = id, .uri = uri, .version = document->version, .list = list};
  const auto offset = document->text.offsetOf(position, documents_->unit());
  if (!offset)
    return refuse(id, kInvalidParams,
                  {"The position is not in the text.", "Send all changes first."});
  waiting.offset = *offset;
  if (!ready_ || !document->withheld.empty()) return answer(waiting);

  // Editors ask for completions in the same way by key and while one types.
  constexpr int kByKey = 1;
  const bool byKey = !list && valueAt(params, {"context", "triggerKind"}) == kByKey;
  waiting.alternatives = byKey ? kAlternatives : 1;
  waiting.wish = {.uri = uri,
                  .version = document->version,
                  .offset = *offset,
                  .maxTokens = options_.maxTokens,
                  .maxLines = list ? 1 : options_.maxLines,
                  .minProbability = byKey  ? 0
                                    : list ? options_.minProbabilityInLists
                                           : options_.minProbability};
  // What the editor's own list has chosen stands in the text once it is taken: a suggestion has to
  // go on from there.
  const Json& selected = valueAt(params, {"context", "selectedCompletionInfo"});
  if (selected.is_object()) {
    JsonFields info(selected, "selectedCompletionInfo");
    const std::string text = info.text(kText);
    JsonFields range = info.part("range");
    const auto start = document->text.offsetOf(positionIn(range, "start"), documents_->unit());
    info.adopt(range);
    if (const auto checked = info.check(); !checked)
      return refuse(id, kInvalidParams, checked.error());
    if (!start || *start > *offset) return answer(waiting);
    const std::string_view typed =
        std::string_view(document->text.utf8()).substr(*start, *offset - *start);
    if (!text.starts_with(typed)) return answer(waiting);
    waiting.mustBegin = text.substr(typed.size());
  }
  // A newer request about a text takes the place of the older one.
  for (const auto& [older, other] : waiting_)
    if (other.uri == uri) suggester_.cancel(older);
  const std::uint64_t number = ++lastId_;
  const Wish wish = waiting.wish;
  waiting_.emplace(number, std::move(waiting));
  suggester_.ask(number, wish);
}

void Server::cancel(const Json& id) {
  const auto found =
      std::ranges::find_if(waiting_, [&](const auto& entry) { return entry.second.id == id; });
  if (found == waiting_.end()) return;
  const std::uint64_t number = found->first;
  waiting_.erase(found);
  suggester_.cancel(number);
  refuse(id, kRequestCancelled, {"The request was cancelled.", ""});
}

void Server::suggested(std::uint64_t id, const Suggestion& suggestion) {
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) return;
  Waiting waiting = std::move(found->second);
  waiting_.erase(found);
  const Document* document = documents_->look(waiting.uri);
  const bool stands =
      document && document->version == waiting.version && document->withheld.empty();
  if (!stands) {
    waiting.found.clear();
    return answer(waiting);
  }
  const bool known = std::ranges::any_of(
      waiting.found, [&](const Suggestion& other) { return other.text == suggestion.text; });
  if (!suggestion.text.empty() && !known && suggestion.text.starts_with(waiting.mustBegin))
    waiting.found.push_back(suggestion);
  if (tellsTimings_ && suggestion.timings.is_object())
    tell("$/waferpair/timings", {{"uri", waiting.uri}, {"timings", suggestion.timings}});
  // Where the likeliest text is empty, so is what comes behind it.
  if (++waiting.wish.alternative >= waiting.alternatives || suggestion.text.empty())
    return answer(waiting);
  const std::uint64_t next = ++lastId_;
  const Wish wish = waiting.wish;
  waiting_.emplace(next, std::move(waiting));
  suggester_.ask(next, wish);
}

void Server::suggesterReady() {
  ready_ = true;
  lastLoss_.clear();
  if (documents_) documents_->tellAll();
}

void Server::suggesterLost(const std::string& why) {
  ready_ = false;
  if (documents_) documents_->tellNobody();
  answerAllWithNothing();
  if (why != std::exchange(lastLoss_, why) && !why.empty()) log(why);
}

void Server::answerAllWithNothing() {
  for (auto& [id, waiting] : std::exchange(waiting_, {})) {
    Waiting nothing = std::move(waiting);
    nothing.found.clear();
    answer(nothing);
  }
}

void Server::answer(const Waiting& waiting) {
  Json items = Json::array();
  const Document* document = waiting.found.empty() ? nullptr : documents_->look(waiting.uri);
  for (const Suggestion& found : waiting.found) {
    if (!document) continue;
    Json item =
        waiting.list ? listItem(waiting, *document, found) : inlineItem(waiting, *document, found);
    if (!item.is_null()) items.push_back(std::move(item));
  }
  Json result = {{"items", std::move(items)}};
  if (waiting.list) result["isIncomplete"] = true;
  reply(waiting.id, std::move(result));
}

Json Server::inlineItem(const Waiting& waiting, const Document& document,
                        const Suggestion& found) const {
  const std::size_t repeated = repeatedBytes(waiting, document, found.text);
  return {{"insertText", found.text},
          {"range", rangeOf(document, waiting.offset, waiting.offset + repeated)}};
}

Json Server::listItem(const Waiting& waiting, const Document& document,
                      const Suggestion& found) const {
  // Editors filter items by the word that has been begun, so it is part of the item.
  const std::string_view prefix = document.text.linePrefix(waiting.offset);
  std::size_t word = prefix.size();
  while (word > 0 && isWordByte(prefix[word - 1])) --word;
  // What stands behind the place is not part of it: Kate, for one, replaces the word alone,
  // whatever an item's range is.
  std::string_view added = found.text;
  const std::size_t repeated = repeatedBytes(waiting, document, added);
  added.remove_suffix(repeated);
  if (repeated == 0) added = withoutBlanksAtEnd(added);
  if (added.empty()) return nullptr;
  const std::string text = std::string(prefix.substr(word)) + std::string(added);
  const auto lineEnd = std::min(text.find('\n'), text.size());
  std::string label(withoutBlanksAtEnd(std::string_view(text).substr(0, lineEnd)));
  if (const auto first = label.find_first_not_of(" \t"); first != label.npos) label.erase(0, first);
  if (withoutBlanksAtEnd(text).size() > lineEnd) label += " …";
  Json item = {
      {"label", label},
      {"kind", kPlainText},
      {"detail", "Waferpair"},
      {"filterText", text},
      {"sortText", "\t"},  // in front of all names
      {"preselect", true},
      {"textEdit",
       {{"newText", text},
        {"range", rangeOf(document, waiting.offset - (prefix.size() - word), waiting.offset)}}}};
  if (label != text) item["documentation"] = text;
  return item;
}

std::size_t Server::repeatedBytes(const Waiting& waiting, const Document& document,
                                  std::string_view text) const {
  const std::string_view all = document.text.utf8();
  const auto lineEnd = std::min(all.find_first_of("\r\n", waiting.offset), all.size());
  const std::string_view rest =
      withoutBlanksAtEnd(all.substr(waiting.offset, lineEnd - waiting.offset));
  return text.ends_with(rest) ? rest.size() : 0;
}

Json Server::rangeOf(const Document& document, std::size_t start, std::size_t end) const {
  const auto json = [&](std::size_t offset) {
    const Position position = document.text.positionOf(offset, documents_->unit());
    return Json{{"line", position.line}, {"character", position.character}};
  };
  return {{"start", json(start)}, {"end", json(end)}};
}

void Server::reply(const Json& id, Json result) {
  send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::refuse(const Json& id, int code, const base::Error& error) {
  send_(
      {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", error.message()}}}});
}

void Server::tell(const char* method, Json params) {
  send_({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::log(const std::string& text) {
  tell("window/logMessage", {{"type", kWarning}, {"message", "Waferpair: " + text}});
}

}  // namespace waferpair::lsp
