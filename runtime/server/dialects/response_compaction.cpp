// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/response_compaction.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/protocol/messages.h"
#include "runtime/server/dialects/answer.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/response_request.h"
#include "runtime/server/dialects/responses.h"

namespace waferpair::server {
namespace {

using inference::ChatMessage;
using inference::ChatRole;

constexpr int kMostSummary = 1024;
constexpr const char* kWish =
    "Sum up this conversation for whoever goes on with it and has not read it: what is wanted, "
    "what has been done and found out, with names of files and functions, and what is left.";

// The answer of a compaction, made of a job's news.
class CompactionStream {
 public:
  CompactionStream(std::vector<ChatMessage> conversation, const TextRequest& request,
                   const inference::ModelCard& card)
      : conversation_(std::move(conversation)),
        names_(request.names),
        reader_(answerReader(request, card)) {}

  void streamTo(Outbox& /*outbox*/) {}
  void begun() {}
  void text(std::string_view added) { take(reader_.push(added)); }
  void ended(const inference::JobReport& report) {
    take(reader_.finish());
    report_ = report;
    problem_ = endProblem(report, names_, /*tools=*/false);
  }
  const std::optional<Problem>& problem() const { return problem_; }
  Json object() const {
    Json output = Json::array();
    for (const ChatMessage& message : conversation_) {
      if (message.role != ChatRole::kUser && message.role != ChatRole::kSystem) continue;
      output.push_back(
          {{"id", makeId("msg_")},
           {"type", "message"},
           {"role", message.role == ChatRole::kUser ? "user" : "developer"},
           {"status", "completed"},
           {"content", Json::array({{{"type", "input_text"}, {"text", message.text}}})}});
    }
    output.push_back({{"id", makeId("cmp_")},
                      {"type", "compaction"},
                      {"encrypted_content", std::string(kCompactionMark) + summary_}});
    return {{"id", makeId("resp_")},
            {"object", "response.compaction"},
            {"created_at", unixSeconds()},
            {"output", std::move(output)},
            {"usage", usageJson(report_)}};
  }

 private:
  void take(const std::vector<inference::AnswerPart>& parts) {
    for (const inference::AnswerPart& part : parts)
      if (part.kind == inference::AnswerPart::Kind::kText) summary_ += part.text;
  }

  const std::vector<ChatMessage> conversation_;
  const TextRequestFields names_;
  inference::AnswerReader reader_;
  std::string summary_;
  inference::JobReport report_;
  std::optional<Problem> problem_;
};

void compact(const std::shared_ptr<Exchange>& exchange, ResponseCreate request) {
  const ResponsePrompt* previous = nullptr;
  if (const std::string& id = request.previousResponseId; !id.empty()) {
    previous = exchange->hub()->responses().promptOf(id);
    if (!previous) return exchange->fail(previousNotFound(id));
  }
  if (request.messages.empty())
    request.messages.push_back({ChatRole::kUser, std::exchange(request.input, {})});
  // Instructions are sent with each request, and so are not part of what was said.
  std::vector<ChatMessage> said;
  if (previous) said = previous->messages;
  said.insert(said.end(), request.messages.begin(), request.messages.end());
  request.messages.push_back({ChatRole::kUser, kWish});
  request.maxOutputTokens = kMostSummary;
  request.stream = false;
  request.tools.calls = grammar::Calls::kNone;
  auto ready = readyAnswer(exchange->hub()->models(), request, previous, exchange->received());
  if (!ready) return exchange->fail(ready.error());
  if (ready->prompt.messages.empty())
    return exchange->fail(
        {protocol::error_code::kUnknownChatTemplate,
         protocol::field::response_create::kInput,
         {ready->model->name() + " has no chat template, so it cannot sum up what was said.",
          "Use a model that answers, or leave out the oldest items."}});
  const auto answer = std::make_shared<HttpAnswer<CompactionStream>>(
      exchange, ready->model, /*isStreamed=*/false,
      CompactionStream(std::move(said), request, *ready->model->card()));
  startText(*answer, request, std::move(ready->job));
}

}  // namespace

void answerResponseCompaction(const std::shared_ptr<Exchange>& exchange) {
  readBody(exchange, parseResponseBody, [exchange](const Checked<ResponseCreate>& parsed) {
    if (!parsed) return exchange->fail(parsed.error());
    compact(exchange, *parsed);
  });
}

}  // namespace waferpair::server
