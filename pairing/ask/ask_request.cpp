// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/ask/ask_request.h"

#include <algorithm>

#include "pairing/ask/call_history.h"
#include "pairing/context/token_estimate.h"

namespace waferpair::pairing {
namespace {

constexpr qint64 kMostOfAnswer = 4'096;
// The earlier messages get at most this part of what the answer and the question leave free.
constexpr qint64 kHistoryPart = 2;

const char kAskInstructions[] =
    "You answer questions about a software project in an editor. Be brief and exact. Answer in "
    "Markdown; put code into fenced blocks that name their language. Parts of the project that "
    "belong to a question stand before it under their file names. Say so when what you were given "
    "does not answer the question.";
const char kToolInstructions[] =
    " You can look into the project with tools: look things up rather than guess, several at once "
    "where you can, and stop as soon as you know enough. Name places in the code as `path:line`.";
const char kSummaryHead[] = "[A summary of this conversation's earlier messages stands here.]\n\n";
const char kSecretMessage[] = "[A message with a secret in it is left out here.]";

QString summaryText(const ThreadSummary& summary) {
  return QLatin1String(kSummaryHead) + summary.text;
}

}  // namespace

bool isSent(const Message& message) {
  if (message.author == Message::Author::kUser) return message.state == MessageState::kSent;
  if (message.author != Message::Author::kModel) return false;
  // Nothing is said of an answer's being cut: small models would say that again and again.
  return message.state != MessageState::kFailed && !message.text.isEmpty();
}

QString sentText(const Message& message, const QSet<QString>& heldBack) {
  if (message.author == Message::Author::kModel) return message.text;
  QVector<ContextItem> items = message.context;
  items.removeIf([&heldBack](const ContextItem& item) { return heldBack.contains(item.path); });
  return contextMarkdown(items) + message.text;
}

QString earlierText(const Message& message, const QSet<QString>& heldBack) {
  const QString text = sentText(message, heldBack);
  return secretInText(text).isEmpty() ? text : QString::fromLatin1(kSecretMessage);
}

AskPlan planAsk(const Thread& thread, qsizetype before, const QString& question,
                qint64 contextTokens, qint64 toolTokens) {
  Q_ASSERT(before <= thread.messages.size());
  AskPlan plan;
  ContextUse& use = plan.use;
  use.isLimitKnown = contextTokens > 0;
  if (use.isLimitKnown) use.limit = contextTokens;
  use.instructions = estimatedTokens(QByteArrayView(kAskInstructions)) + toolTokens;
  if (toolTokens > 0) use.instructions += estimatedTokens(QByteArrayView(kToolInstructions));
  use.question = estimatedTokens(question);
  use.answer = std::min(kMostOfAnswer, use.limit / 4);
  plan.historyRoom = use.free() / kHistoryPart;
  const qsizetype summarized = thread.summarized();
  if (summarized > 0 && summarized <= before) {
    const qint64 tokens = estimatedTokens(summaryText(*thread.summary));
    plan.hasSummary = tokens <= plan.historyRoom;
    if (plan.hasSummary) use.summary = tokens;
  }
  if (plan.hasSummary) {
    for (qsizetype i = 0; i < summarized; ++i) {
      plan.summarized += thread.messages[i].context + filesCalledFor(thread.messages[i]);
      use.messagesSummarized += isSent(thread.messages[i]) ? 1 : 0;
    }
  }
  bool hasRoom = true;
  for (qsizetype i = before - 1; i >= (plan.hasSummary ? summarized : 0); --i) {
    const Message& message = thread.messages[i];
    if (!isSent(message)) continue;
    // Behind the first one that finds no room none is looked at.
    const qint64 tokens = hasRoom ? estimatedTokens(sentText(message, {})) : 0;
    hasRoom = hasRoom && use.summary + use.history + tokens <= plan.historyRoom;
    if (!hasRoom) {
      ++use.messagesLeftOut;
      continue;
    }
    use.history += tokens;
    plan.history.prepend(i);
    plan.known += message.context;
    const qint64 called = tokensCalledFor(message);
    if (called > 0 && use.summary + use.history + called > plan.historyRoom) {
      plan.bare.insert(i);
    } else if (called > 0) {
      use.history += called;
      plan.known += filesCalledFor(message);
    }
  }
  plan.budget = use.free();
  return plan;
}

AgentPrompt agentPrompt(const Thread& thread, const Message& question, const QString& agent) {
  AgentPrompt prompt;
  for (const Message& message : thread.messages) {
    if (message.id == question.id) break;
    // It knows its own answers, whatever became of them.
    const bool isModel = message.author == Message::Author::kModel && !message.text.isEmpty();
    if (isModel && message.figures.model == agent) prompt.since.clear();
    if (!isSent(message)) continue;
    const bool isUser = message.author == Message::Author::kUser;
    const QString text =
        QStringLiteral("%1: %2\n\n")
            .arg(isUser ? QStringLiteral("User") : QStringLiteral("Assistant"),
                 isUser && secretInText(message.text).isEmpty() ? message.text
                                                                : earlierText(message, {}));
    prompt.earlier += text;
    prompt.since += text;
    if (!isUser && message.figures.model == agent) prompt.since.clear();
  }
  prompt.text = question.text;
  QStringList names;
  for (const ContextItem& item : question.context) {
    if (!item.isSent()) continue;
    prompt.texts.append({item.path, item.name, item.text});
    names.append(item.name);
  }
  if (!names.isEmpty())
    prompt.text +=
        QStringLiteral("\n\n(Texts as they are in the editor, which may not be saved: %1.)")
            .arg(names.join(QStringLiteral(", ")));
  return prompt;
}

ModelRequest askRequest(const Thread& thread, const AskPlan& plan, const Message& question,
                        const QSet<QString>& heldBack, const QVector<Tool>& tools) {
  ModelRequest request;
  request.waitsOut = true;
  request.instructions = QLatin1String(kAskInstructions);
  request.tools = tools;
  if (!tools.isEmpty()) request.instructions += QLatin1String(kToolInstructions);
  const auto add = [&request](InputItem::Kind kind, const QString& text) {
    // Some models' templates want the two to take turns.
    if (!request.input.isEmpty() && request.input.last().kind == kind) {
      request.input.last().text += QStringLiteral("\n\n") + text;
    } else {
      request.input.append({kind, text, {}});
    }
  };
  if (plan.hasSummary && secretInText(thread.summary->text).isEmpty())
    add(InputItem::Kind::kUser, summaryText(*thread.summary));
  for (const qsizetype i : plan.history) {
    const Message& message = thread.messages[i];
    const bool hasCalls = !plan.bare.contains(i) && tokensCalledFor(message) > 0 &&
                          secretInText(message.text).isEmpty();
    if (hasCalls && !tools.isEmpty()) {
      request.input += itemsWithCalls(message, heldBack);
      continue;
    }
    if (hasCalls) add(InputItem::Kind::kUser, calledContext(message, heldBack));
    add(message.author == Message::Author::kUser ? InputItem::Kind::kUser
                                                 : InputItem::Kind::kAssistant,
        earlierText(message, heldBack));
  }
  add(InputItem::Kind::kUser, sentText(question, {}));
  return request;
}

}  // namespace waferpair::pairing
