// SPDX-License-Identifier: GPL-3.0-or-later
// One conversation with an agent, which keeps what was said in it: a question at a time is asked,
// what the agent wants meanwhile is answered, and when it is done it is told what has become of the
// project's files. UI thread only; the files are read on another.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "pairing/agents/agent_connection.h"
#include "pairing/agents/agent_files.h"
#include "pairing/agents/agent_turn.h"
#include "pairing/agents/project_state.h"

namespace waferpair::pairing {

// A text that goes along with a question.
struct AgentText {
  QString path;  // absolute; empty: it has no file
  QString name;
  QString text;
};

struct AgentPrompt {
  QString session;  // by which the agent may know the conversation from another run; empty: none
  QString earlier;  // what was said in it, for an agent that does not know it
  QString since;    // what others said in it since the agent's last answer
  QString text;
  QVector<AgentText> texts;
};
QStringList textsOf(const AgentPrompt& prompt);
using ShownPrompt = Shown<AgentPrompt>;

// The parts that all conversations about a project share.
struct AgentProject {
  QString folder;
  ProjectTexts* texts = nullptr;
  std::function<QStringList(const QString& folder)> listFiles;  // relative; any thread
};

class AgentSession : public QObject {
  Q_OBJECT
 public:
  AgentSession(std::shared_ptr<AgentConnection> connection, AgentProject project,
               QObject* parent = nullptr);
  ~AgentSession() override;

  // The turn before must be over; the agent may still be busy with its end.
  std::unique_ptr<AgentTurn> ask(const ShownPrompt& prompt);
  AgentConnection& connection() const { return *connection_; }
  bool isKnownAs(const QString& sessionId) const { return !id_.isEmpty() && id_ == sessionId; }
  // Takes what the agent asks in this session.
  void takeRequest(const QJsonValue& id, const QString& method, const QJsonObject& params);
  // The user has saved a file: what is in it is no work of the agent's.
  void noteSaved(const QString& path);

 Q_SIGNALS:
  // All that came of this turn is on disk, and these files are not as they were before it.
  void settled(int turn, const QVector<waferpair::pairing::DiskChange>& changes);

 private:
  friend class AgentTurn;

  void begin();
  void openSession();
  void newSession();
  void askForLogin(const QString& problem);
  void takeSession(const QString& id);
  void readBefore();
  void sendPrompt();
  void promptAnswered(const QJsonValue& result, const std::optional<programs::RpcFailure>& error);
  void fail(const editor::Error& why);
  void endTurn(const QVector<ReplyEvent>& events);
  void settle();
  void askPermission(const QJsonValue& id, const QJsonObject& params);
  void readFile(const QJsonValue& id, const QJsonObject& params);
  void writeFile(const QJsonValue& id, const QJsonObject& params);
  void notified(const QString& method, const QJsonObject& params);
  void withdraw(const QJsonValue& id);
  // These are of the turn.
  void turnEnded(AgentTurn* turn);
  void answered(AgentTurn* turn, const AgentQuestion& question, const QString& optionId);
  void steer(const ShownText& text);
  void dropQuestions();
  bool isCurrent(int turn) const { return turn_ && turn_->number() == turn; }

  std::shared_ptr<AgentConnection> connection_;
  AgentProject project_;
  AgentFiles files_;
  QString id_;  // empty: there is none yet
  AgentTurn* turn_ = nullptr;
  std::optional<ShownPrompt> prompt_;  // of the turn that is, or was
  bool isNew_ = false;                 // the agent knows nothing of what was said earlier
  bool isReplaying_ = false;
  bool isPrompting_ = false;  // a prompt has no answer yet
  bool isSettling_ = false;   // the files are being read after it
  bool wasCanceled_ = false;
  int promptedTurn_ = 0;
  QTimer stopping_{this};
  std::shared_ptr<ProjectState> before_;
  QVector<programs::ChildProcess::Started> processesBefore_;
  QHash<int, QJsonValue> permissions_;  // by question: the request to be answered
  int questions_ = 0;
};

}  // namespace waferpair::pairing
