// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/agents/agents.h"

namespace waferpair::pairing {

using programs::JsonRpc;
using programs::RpcFailure;

// Sessions speak of the connections.
Agents::~Agents() { sessions_.clear(); }

void Agents::setProject(const AgentProject& project) {
  sessions_.clear();
  connections_.clear();
  project_ = project;
}

void Agents::giveUp(const QString& why) {
  // Whoever is told may ask again.
  for (const auto& [id, connection] : std::map(connections_)) connection->giveUp(why);
}

QStringList Agents::running() const {
  QStringList names;
  for (const auto& [id, connection] : connections_)
    if (!connection->isDead()) names.append(connection->name());
  return names;
}

std::unique_ptr<AgentTurn> Agents::ask(const AgentCommand& command, const QString& name,
                                       const QString& conversation, const ShownPrompt& prompt) {
  const QString id = agentId(command);
  std::shared_ptr<AgentConnection>& connection = connections_[id];
  if (!connection || connection->isDead()) {
    connection = std::make_shared<AgentConnection>(command, name, project_.folder, patience_);
    connect(&connection->rpc(), &JsonRpc::requested, this,
            [this, raw = connection.get()](const QJsonValue& request, const QString& method,
                                           const QJsonObject& params) {
              const QString sessionId = params.value(u"sessionId").toString();
              for (const auto& [key, session] : sessions_)
                if (&session->connection() == raw && session->isKnownAs(sessionId))
                  return session->takeRequest(request, method, params);
              raw->rpc().respond(
                  request, RpcFailure{RpcFailure::kNotFound, QStringLiteral("Unknown session")});
            });
  }
  std::unique_ptr<AgentSession>& session = sessions_[{id, conversation}];
  if (!session || &session->connection() != connection.get()) {
    session = std::make_unique<AgentSession>(connection, project_);
    connect(session.get(), &AgentSession::settled, this, &Agents::settled);
  }
  return session->ask(prompt);
}

void Agents::noteSaved(const QString& path) {
  for (const auto& [key, session] : sessions_) session->noteSaved(path);
}

}  // namespace waferpair::pairing
