// SPDX-License-Identifier: GPL-3.0-or-later
// An agent's answer to one question: its text streams in as a model's does; beside it the steps
// that it takes, its plan, and what it asks of the user. UI thread only.
#pragma once

#include <QList>

#include "pairing/agents/agent_activity.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

struct AgentOption {
  enum class Kind { kAllowOnce, kAllowAlways, kRejectOnce, kRejectAlways, kOther };
  QString id;
  QString name;
  Kind kind = Kind::kOther;
};

// A question to the user without whose answer the agent does not go on.
struct AgentQuestion {
  int number = 0;                // unique in the answer
  QString text;                  // where it is about no step: a login
  AgentStep step;                // what it wants to do, as far as it has said
  QVector<AgentOption> options;  // in the agent's order

  // The option that changes nothing; -1: only to give no answer is safe.
  int safest() const;
};

// A reply whose writer works on the project meanwhile.
class WorkingReply : public ModelReply {
  Q_OBJECT
 public:
  virtual const QVector<AgentStep>& steps() const = 0;
  // The question that waits longest; null: none does.
  virtual const AgentQuestion* question() const = 0;
  // Answers it; an empty id: no answer is given, which counts as a refusal.
  virtual void answer(int question, const QString& optionId) = 0;

 Q_SIGNALS:
  // steps(), question() or what else is told of the work are others.
  void progressed();

 protected:
  using ModelReply::ModelReply;
};

class AgentSession;

class AgentTurn : public WorkingReply {
  Q_OBJECT
 public:
  enum class Stage {
    kStarting,  // the agent's process, or its session
    kWorking,
    kAsking,  // question() waits
  };

  ~AgentTurn() override;

  int number() const { return number_; }  // unique in a run of the program
  Stage stage() const;
  const AgentActivity& activity() const { return activity_; }
  const QVector<AgentStep>& steps() const override { return activity_.steps(); }
  const AgentQuestion* question() const override;
  void answer(int question, const QString& optionId) override;
  // By which the agent knows the conversation; empty until it does.
  const QString& session() const { return session_; }
  // A message that is sent now reaches the agent while it works.
  bool canSteer() const;
  void steer(const ShownText& text);

 protected:
  void hangUp() override;

 private:
  friend class AgentSession;
  explicit AgentTurn(AgentSession* owner);

  AgentSession* owner_;  // null: it is done with this
  int number_ = 0;
  bool isPrompted_ = false;
  AgentActivity activity_;
  QList<AgentQuestion> questions_;
  QString session_;
};

}  // namespace waferpair::pairing
