// SPDX-License-Identifier: GPL-3.0-or-later
// The news that an agent tells of its work while it answers: steps (its tool calls, and those of a
// model that calls tools of ours), a plan, how full its context is. Updates are upserts by id: a
// step may first be heard of in a question about it. Values, read from what came over the wire;
// nothing in it is taken for granted.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

namespace waferpair::pairing {

// As the agent tells it: a part of a file as often as all of it, with no word about where.
struct AgentDiff {
  QString path;
  QString before;
  QString after;
  bool isNewFile = false;

  bool operator==(const AgentDiff&) const = default;
};

struct AgentStep {
  enum class State { kPending, kRunning, kDone, kFailed, kCanceled };

  QString id;
  QString title;
  QString kind;  // "read", "edit", "execute", ...; as the protocol has it
  State state = State::kPending;
  QString command;  // of one that runs a program, all of it
  QString folder;   // in which
  QStringList paths;
  int line = 0;  // of the first path, from 1; 0: it is not known
  QVector<AgentDiff> diffs;
  QString output;  // the end of it
  // Of a tool of ours that a model called (pairing/tools), with all of its result in `output`:
  QString tool;              // its name; empty: it was none
  QString arguments;         // a JSON object
  int round = 0;             // from 1; calls that were made together have the same
  qsizetype textBefore = 0;  // UTF-16 units of the answer that were written before it

  bool isOver() const { return state != State::kPending && state != State::kRunning; }
  bool operator==(const AgentStep&) const = default;
};

struct AgentPlanEntry {
  enum class State { kPending, kRunning, kDone };
  QString text;
  State state = State::kPending;

  bool operator==(const AgentPlanEntry&) const = default;
};

// Tokens of the agent's context as it counts them; -1: it did not say.
struct AgentContext {
  qint64 used = -1;
  qint64 size = -1;

  bool operator==(const AgentContext&) const = default;
};

class AgentActivity {
 public:
  // The limits beyond which things are dropped: steps, the letters of an output (its end is kept),
  // of a title.
  static constexpr qsizetype kMostSteps = 500;
  static constexpr qsizetype kMostOutput = 16 << 10;
  static constexpr qsizetype kMostTitle = 500;
  static constexpr qsizetype kMostPlan = 200;

  // The part of an update that is no state.
  struct News {
    QString text;          // more of the answer
    QString thought;       // more of the reasoning
    bool isState = false;  // steps(), plan() or context() are others
  };
  // Takes the `update` of a session/update. Unknown kinds change nothing.
  News take(const QJsonObject& update);
  // Takes a tool call, or what is new of it; returns the step as it is, unless there are too many.
  std::optional<AgentStep> takeStep(const QJsonObject& toolCall);
  // The answer is over: what is not done by now will not be.
  void close();

  const QVector<AgentStep>& steps() const { return steps_; }
  const QVector<AgentPlanEntry>& plan() const { return plan_; }
  const AgentContext& context() const { return context_; }

 private:
  QString block(const QJsonObject& update);

  QVector<AgentStep> steps_;
  QVector<AgentPlanEntry> plan_;
  AgentContext context_;
  QString messageId_;       // of the block of text that came last
  bool wroteText_ = false;  // there is text
  bool inBlock_ = false;    // and nothing else has come since
};

}  // namespace waferpair::pairing
