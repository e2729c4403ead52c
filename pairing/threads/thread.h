// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation about a project: what the user asked, what was sent along, what came back and what
// it took. Values.
#pragma once

#include <QDateTime>
#include <QString>
#include <QVector>
#include <optional>

#include "editor/text/result.h"
#include "pairing/agents/agent_activity.h"
#include "pairing/context/context_item.h"
#include "pairing/request/endpoint.h"
#include "pairing/retrieval/project_passages.h"

namespace waferpair::pairing {

enum class MessageState {
  kQueued,       // the user's, to be sent when the answer that is being written is done
  kSent,         // the user's
  kStreaming,    // an answer that is being written
  kComplete,     // an answer
  kInterrupted,  // an answer that was stopped, by the user or by the program's end
  kFailed,       // an answer that did not come, or not all of it
};

// The model that answered, and what it took.
struct AnswerFigures {
  QString model;
  QString place;  // "this computer, port 8080"
  TokenUsage usage;
  qint64 contextTokens = 0;  // that were sent, estimated
  // By this computer's clock.
  std::optional<double> firstTokenMs;
  std::optional<double> tokensPerSecond;
  std::optional<WaferTimings> wafer;  // by the emulated wafer's
  AgentContext agentContext;          // of an agent's own context, as it counts

  bool operator==(const AnswerFigures&) const = default;

  // Takes what a reply that is over has told and took.
  void take(const ModelReply& reply);
};

// A file that is not as it was before an agent's answer, or would not be.
struct TouchedFile {
  QString path;  // relative to the project
  qint64 addedLines = 0;
  qint64 removedLines = 0;
  QString unknown;          // why the change cannot be reviewed or taken back; empty: it can
  bool isProposed = false;  // nothing of it was in the file until the user accepted it

  bool operator==(const TouchedFile&) const = default;
};

struct Message {
  enum class Author {
    kUser,
    kModel,
    kProject,  // an answer without a model: passages of the project
  };

  QString id;  // unique in the thread
  Author author = Author::kUser;
  MessageState state = MessageState::kSent;
  QDateTime time;                  // when it was begun
  QString text;                    // of an answer: Markdown, as far as it has come
  QVector<ContextItem> context;    // of a question
  AnswerFigures figures;           // of a model's answer
  QString progress;                // of one that is waited for, in words; kept nowhere
  editor::Error problem;           // of one that failed
  QVector<FoundPassage> passages;  // of the project's answer
  // These are of an agent's answer:
  QVector<AgentStep> steps;  // kept without their diffs
  QVector<AgentPlanEntry> plan;
  QVector<TouchedFile> touched;
  QString changeSet;  // of the touched files; its id (pairing/changes/change_set.h)

  bool operator==(const Message&) const = default;
};

// What a model wrote in place of a thread's earliest messages, to be sent for them.
struct ThreadSummary {
  QString upTo;  // the id of the last message that it stands for
  QString text;  // Markdown
  QString model;
  QString place;  // of the model, as AnswerFigures has it
  QDateTime time;
  qint64 tokensBefore = 0;  // estimated, of what it stands for

  bool operator==(const ThreadSummary&) const = default;
};

struct Thread {
  QString id;     // unique in the store; a part of its file's name
  QString title;  // the user's, or how its first question begins
  QDateTime created;
  QDateTime changed;
  QVector<Message> messages;
  QString draft;  // that is being typed and was not asked yet
  // The agent that answered last, and by what it knows the conversation; empty: none did.
  QString agent;
  QString agentSession;
  std::optional<ThreadSummary> summary;
  bool sendsWhole = false;  // the user wants no summary to be made unasked

  bool operator==(const Thread&) const = default;

  static Thread make();
  Message* find(const QString& messageId);
  const Message* find(const QString& messageId) const;
  // How many messages, from the first on, the summary stands for; 0: there is none.
  qsizetype summarized() const;
  // The question that waits longest; null: none waits.
  const Message* firstQueued() const;
  // The questions, the latest first, without repeats in a row.
  QStringList asked() const;
  // A new message at its end.
  Message& append(Message::Author author, MessageState state, const QString& text);
};

// An answer that was being written when the program ended comes no further.
void endStreams(Thread* thread);

// A message's first line, short enough for a list.
QString titleOf(const QString& question);

}  // namespace waferpair::pairing
