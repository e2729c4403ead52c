// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses what of a thread goes to the model with a question, so that it fits the model's context:
// the latest messages first, then what the question mentions, with room left for the answer. All
// sizes are estimates in tokens. Values; any thread.
#pragma once

#include <QSet>
#include <QVector>
#include <algorithm>

#include "pairing/agents/agent_session.h"
#include "pairing/request/endpoint.h"
#include "pairing/threads/thread.h"

namespace waferpair::pairing {

// The context of a model that does not say how much it takes.
inline constexpr qint64 kAssumedContext = 16'384;

// The parts that fill a model's context.
struct ContextUse {
  qint64 instructions = 0;
  qint64 summary = 0;  // in place of the earliest messages
  qint64 history = 0;  // earlier messages with what went along with them
  qint64 plan = 0;     // of a plan: its steps, and what its commands printed
  qint64 files = 0;    // what goes along with this question
  qint64 question = 0;
  qint64 answer = 0;  // kept free for it
  qint64 limit = kAssumedContext;
  bool isLimitKnown = false;
  int messagesSummarized = 0;  // for which `summary` stands
  int messagesLeftOut = 0;     // the earliest ones behind those, for which there is no room

  qint64 used() const { return instructions + summary + history + plan + files + question; }
  qint64 free() const { return std::max<qint64>(limit - used() - answer, 0); }
  bool operator==(const ContextUse&) const = default;
};

// What would go to a model if it were asked now.
struct ContextPreview {
  QVector<ContextItem> context;
  ContextUse use;
};

struct AskPlan {
  QVector<qsizetype> history;       // messages of the thread that go along, in order
  QSet<qsizetype> bare;             // of these, those without what was called for them
  QVector<ContextItem> known;       // what the model gets with them
  bool hasSummary = false;          // the thread's goes before them
  QVector<ContextItem> summarized;  // what the messages had with them for which that stands
  qint64 historyRoom = 0;           // estimated tokens, for summary and history
  qint64 budget = 0;                // for what the question mentions
  ContextUse use;                   // its `files` are still 0
};

// A message that models are sent, in some question's history; and how it goes to them.
bool isSent(const Message& message);
QString sentText(const Message& message, const QSet<QString>& heldBack);
// The same of one that goes along with another: with a secret in it, it stays here.
QString earlierText(const Message& message, const QSet<QString>& heldBack);

// `before`: how many of the thread's messages come before the question. `contextTokens`: the
// model's; -1: unknown. `toolTokens`: estimated, of what it is told of its tools.
AskPlan planAsk(const Thread& thread, qsizetype before, const QString& question,
                qint64 contextTokens, qint64 toolTokens = 0);

// The question for an agent, which keeps what was said with it by itself: `agent`, by the name
// under which it answered earlier.
AgentPrompt agentPrompt(const Thread& thread, const Message& question, const QString& agent);

// `heldBack`: paths that the gate has come to hold back since they were sent: what the earlier
// messages have of them stays here. With `tools`, calls for earlier answers are calls; for a model
// without, their results stand with the questions.
ModelRequest askRequest(const Thread& thread, const AskPlan& plan, const Message& question,
                        const QSet<QString>& heldBack, const QVector<Tool>& tools = {});

}  // namespace waferpair::pairing
