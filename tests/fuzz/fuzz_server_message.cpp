// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a message of a client whose server has no model yet, and as the body of a request;
// lines are one message after another.
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/server/dialects/anthropic_request.h"
#include "runtime/server/dialects/chat_request.h"
#include "runtime/server/dialects/infill_request.h"
#include "runtime/server/dialects/ollama_request.h"
#include "runtime/server/dialects/response_request.h"
#include "runtime/server/dialects/text_completion_request.h"
#include "runtime/server/session/documents.h"
#include "runtime/server/session/features.h"

namespace waferpair::server {
namespace {

// The mirror stays well-formed UTF-8 whatever the edits are: else dump() throws.
void editMirror(std::string_view text) {
  const Checked<Json> object = parseMessage(text);
  if (!object) return;
  JsonFields fields(*object);
  DocumentChange change = readDocumentChange(fields);
  if (fields.problem()) return;
  Documents documents;
  (void)documents.open({"u", "", 0, "a\u00e9\n"});
  change.uri = "u";
  (void)documents.change(change);
  (void)Json((*documents.find("u"))->text).dump();
}

void followAll(std::string_view text, Features::Kind kind) {
  Log log;
  boost::asio::io_context context(1);
  Client client(std::make_shared<Commons>(std::make_shared<Hub>(Baton(context), "", log)),
                std::size_t{1} << 20);
  if (kind == Features::Kind::kResponses) client.tellErrorsAsOpenAi();
  Features features(client, kind);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    features.follow(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  Outbox::Frame frame;
  while (client.outbox().take(frame)) {
    // Whatever was said, what is answered is JSON.
    if (!Json::parse(frame.bytes, nullptr, false).is_object()) std::abort();
    client.outbox().written();
  }
}

}  // namespace
}  // namespace waferpair::server

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace waferpair::server;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)parseResponseBody(text);
  (void)parseChatBody(text);
  (void)parseInfillBody(text);
  (void)parseCompletionBody(text);
  (void)parseTextCompletionBody(text);
  (void)parseFimCompletionBody(text);
  (void)parseOllamaGenerate(text);
  (void)parseOllamaChat(text);
  (void)parseAnthropicBody(text);
  editMirror(text);
  followAll(text, Features::Kind::kWaferpair);
  followAll(text, Features::Kind::kResponses);
  return 0;
}
