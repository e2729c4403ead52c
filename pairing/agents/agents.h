// SPDX-License-Identifier: GPL-3.0-or-later
// The agents that are asked about the open project: each program runs once, as long as the project
// is open, with a session for each conversation. None is started but by ask(). UI thread only.
#pragma once

#include <QObject>
#include <map>
#include <memory>

#include "pairing/agents/agent_session.h"

namespace waferpair::pairing {

class Agents : public QObject {
  Q_OBJECT
 public:
  explicit Agents(QObject* parent = nullptr) : QObject(parent) {}
  ~Agents() override;

  void setPatience(const AgentPatience& patience) { patience_ = patience; }
  // Ends all of them, and what they started.
  void setProject(const AgentProject& project);

  // Asks the agent, which is started where it does not run. `name` is what the user knows it by.
  // The conversation's turn before must be over.
  std::unique_ptr<AgentTurn> ask(const AgentCommand& command, const QString& name,
                                 const QString& conversation, const ShownPrompt& prompt);
  void noteSaved(const QString& path);
  // Those that run, by what the user knows them by.
  QStringList running() const;
  // Ends all of them, and what they started. Answers that are under way fail with this sentence;
  // what was changed until then is told as ever.
  void giveUp(const QString& why);

 Q_SIGNALS:
  // See AgentSession::settled().
  void settled(int turn, const QVector<waferpair::pairing::DiskChange>& changes);

 private:
  struct Key {
    QString agent;
    QString conversation;
    bool operator<(const Key& other) const {
      return std::tie(agent, conversation) < std::tie(other.agent, other.conversation);
    }
  };

  AgentPatience patience_;
  AgentProject project_;
  std::map<QString, std::shared_ptr<AgentConnection>> connections_;  // by command
  std::map<Key, std::unique_ptr<AgentSession>> sessions_;
};

}  // namespace waferpair::pairing
