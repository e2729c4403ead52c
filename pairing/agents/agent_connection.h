// SPDX-License-Identifier: GPL-3.0-or-later
// An agent that runs: its process, the conversation with it, and what it can do. It is started by
// the first that wants it, and is of no more use once it has died. UI thread only.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>

#include "editor/text/result.h"
#include "pairing/agents/agent_command.h"
#include "programs/child_process.h"
#include "programs/json_rpc.h"

namespace waferpair::pairing {

struct AgentPatience {
  std::chrono::milliseconds start{60'000};  // until it has said what it can do
  std::chrono::milliseconds stop{5'000};    // from being told to stop until it has
};

// A way to log in that the agent offers.
struct AgentLogin {
  QString id;
  QString name;
};

class AgentConnection : public QObject {
  Q_OBJECT
 public:
  // `name`: for the user.
  AgentConnection(const AgentCommand& command, QString name, const QString& folder,
                  AgentPatience patience, QObject* parent = nullptr);
  ~AgentConnection() override;

  // Starts it where that is still to be done. `ready` is called later, unless `context` is gone by
  // then, when it can be asked or (see problem()) cannot.
  void whenReady(QObject* context, const std::function<void()>& ready);
  // Set once it has died, or was never alive.
  const editor::Error& problem() const { return problem_; }
  bool isDead() const { return !problem_.what.isEmpty(); }

  const QString& name() const { return name_; }
  const AgentPatience& patience() const { return patience_; }
  programs::JsonRpc& rpc() { return rpc_; }
  programs::ChildProcess& process() { return process_; }

  // -- What it said it can do
  bool loadsSessions() const { return loads_; }
  bool takesTexts() const { return takesTexts_; }  // with a question, embedded
  bool canSteer() const { return steers_; }
  bool isGemini() const { return product_.contains(QStringLiteral("gemini")); }
  const QVector<AgentLogin>& logins() const { return logins_; }

  // It does not do as it is told, or keeps to no protocol: it is stopped, and counts as dead.
  void giveUp(const QString& why);

 Q_SIGNALS:
  void settled();  // it can be asked, or it is dead

 private:
  void takeAbilities(const QJsonObject& result);
  void die(const QString& how);

  QString name_;
  AgentPatience patience_;
  programs::ChildProcess process_;
  programs::JsonRpc rpc_;
  QTimer deadline_{this};
  editor::Error problem_;
  bool started_ = false;
  bool ready_ = false;
  bool loads_ = false;
  bool takesTexts_ = false;
  bool steers_ = false;
  QString product_;
  QVector<AgentLogin> logins_;
};

}  // namespace waferpair::pairing
