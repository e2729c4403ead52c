// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/served_model.h"

#include "gui/client/runtime_client.h"
#include "gui/client/runtime_server.h"
#include "gui/client/session_token.h"

namespace waferpair::gui {

std::optional<ServedModel> servedModel(const RuntimeServer& server) {
  const ServerStatus& status = server.status();
  HostedModel first;
  first.name = status.model;
  first.contextTokens = status.contextLimit.value_or(-1);
  first.parameters = status.parameters;
  first.followsInstructions = status.followsInstructions;
  return servedModel(server, first);
}

std::optional<ServedModel> servedModel(const RuntimeServer& server, const HostedModel& model) {
  if (server.state() != RuntimeServer::State::kReady || model.name.isEmpty()) return {};
  const RuntimeEndpoint& endpoint = server.client()->endpoint();
  const SessionToken token = readSessionToken(endpoint.tokenFile);
  if (token.token.isEmpty()) return {};
  // Two files may hold models of the same name.
  return ServedModel{model.name,
                     model.file.isEmpty() ? model.name : model.file,
                     QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(endpoint.port)),
                     token.token,
                     model.contextTokens,
                     model.parameters,
                     model.followsInstructions};
}

}  // namespace waferpair::gui
