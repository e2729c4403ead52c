// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/ask/summarize.h"

#include <algorithm>

#include "editor/text/translate.h"
#include "pairing/ask/ask_request.h"
#include "pairing/context/token_estimate.h"

namespace waferpair::pairing {
namespace {

// A thread is long once it fills this part of the room that earlier messages have: early enough for
// the summary to be there before a message finds no room.
constexpr double kLong = 0.6;
// Questions that stay as they are, with their answers.
constexpr int kKeptWhenLong = 2;
constexpr int kKeptWhenAsked = 1;
// A summary takes at most this part of the context, within these bounds.
constexpr qint64 kSummaryPart = 16;
constexpr qint64 kShortestSummary = 256;
constexpr qint64 kLongestSummary = 1'024;
// Unasked, only what is so many times as long as a summary may be is worth one.
constexpr qint64 kWorth = 2;
constexpr double kWordsOfToken = 0.6;

const char kInstructions[] =
    "You summarize a conversation between a user and an assistant about a software project. The "
    "assistant will go on with the conversation and sees your summary instead of these messages. "
    "Keep what was decided and why, what the user wants, the names of files, functions and values, "
    "and what is still open. Leave out code that stands in files, greetings and repetitions. "
    "Answer with the summary alone, in Markdown, in at most %1 words.";
const char kCut[] = "\n[The rest of this message is left out.]";

qint64 limitOf(qint64 contextTokens) { return contextTokens > 0 ? contextTokens : kAssumedContext; }

qint64 mostOfSummary(qint64 contextTokens) {
  return std::clamp(limitOf(contextTokens) / kSummaryPart, kShortestSummary, kLongestSummary);
}

// The message from which on everything stays: the question that is `kept` from the last.
qsizetype firstKept(const Thread& thread, int kept) {
  for (qsizetype i = thread.messages.size() - 1; i >= 0; --i) {
    const Message& message = thread.messages[i];
    if (message.author == Message::Author::kUser && isSent(message) && --kept == 0) return i;
  }
  return 0;
}

qint64 tokensOfMessages(const Thread& thread, qsizetype begin, qsizetype end) {
  qint64 tokens = 0;
  for (qsizetype i = begin; i < end; ++i)
    if (isSent(thread.messages[i])) tokens += estimatedTokens(sentText(thread.messages[i], {}));
  return tokens;
}

qint64 tokensOfSummary(const Thread& thread) {
  return thread.summarized() > 0 ? estimatedTokens(thread.summary->text) : 0;
}

}  // namespace

std::optional<SummaryPlan> planSummary(const Thread& thread, qint64 contextTokens,
                                       SummaryWish wish) {
  const bool isAsked = wish == SummaryWish::kAsked;
  const qsizetype begin = thread.summarized();
  const qsizetype end = firstKept(thread, isAsked ? kKeptWhenAsked : kKeptWhenLong);
  if (end <= begin) return {};
  const qint64 added = tokensOfMessages(thread, begin, end);
  if (added == 0) return {};
  const SummaryPlan plan{end, tokensOfSummary(thread) + added};
  if (isAsked) return plan;
  const AskPlan next = planAsk(thread, thread.messages.size(), {}, contextTokens);
  const qint64 all = plan.tokens + tokensOfMessages(thread, end, thread.messages.size());
  const bool isLong = static_cast<double>(all) >= kLong * static_cast<double>(next.historyRoom);
  if (!isLong || added < kWorth * mostOfSummary(contextTokens)) return {};
  return plan;
}

ModelRequest summaryRequest(const Thread& thread, const SummaryPlan& plan, qint64 contextTokens,
                            const QSet<QString>& heldBack) {
  Q_ASSERT(plan.end <= thread.messages.size());
  const qint64 most = mostOfSummary(contextTokens);
  QStringList parts;
  if (thread.summarized() > 0 && secretInText(thread.summary->text).isEmpty())
    parts.append(QStringLiteral("Summary of what came before: ") + thread.summary->text);
  for (qsizetype i = thread.summarized(); i < plan.end; ++i) {
    const Message& message = thread.messages[i];
    if (!isSent(message)) continue;
    parts.append((message.author == Message::Author::kUser ? QStringLiteral("User: ")
                                                           : QStringLiteral("Assistant: ")) +
                 earlierText(message, heldBack));
  }
  const QString instructions =
      QString::fromLatin1(kInstructions)
          .arg(static_cast<int>(kWordsOfToken * static_cast<double>(most)));
  const qint64 room = limitOf(contextTokens) - most - estimatedTokens(instructions);
  const qsizetype bytes =
      bytesOfTokens(std::max<qint64>(room, 0) / std::max<qint64>(parts.size(), 1));
  if (estimatedTokens(parts.join(QStringLiteral("\n\n"))) > room) {
    for (QString& part : parts) {
      // An estimate counts bytes of UTF-8; no letter is shorter than one.
      if (part.toUtf8().size() > bytes)
        part =
            part.left(std::max<qsizetype>(bytes - qsizetype(sizeof kCut), 0)) + QLatin1String(kCut);
    }
  }
  ModelRequest request = ModelRequest::of(instructions, parts.join(QStringLiteral("\n\n")));
  request.mostOutputTokens = static_cast<int>(most);
  request.temperature = 0;
  return request;
}

editor::Result<ThreadSummary> summaryFrom(const Thread& thread, const SummaryPlan& plan,
                                          const QString& text) {
  ThreadSummary summary;
  summary.text = text.trimmed();
  summary.tokensBefore = plan.tokens;
  summary.upTo = thread.messages[plan.end - 1].id;
  summary.time = QDateTime::currentDateTimeUtc();
  if (summary.text.isEmpty())
    return editor::fail(translate("The model wrote no summary."),
                        translate("The earliest messages are left out where there is no room."));
  if (estimatedTokens(summary.text) >= plan.tokens)
    return editor::fail(translate("The summary is no shorter than the messages."),
                        translate("They are sent as they are."));
  return summary;
}

}  // namespace waferpair::pairing
