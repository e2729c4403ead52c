// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/served_model.h"

#include "gui/client/runtime_client.h"
#include "gui/client/runtime_server.h"
#include "gui/client/session_token.h"

namespace waferpair::gui {

std::optional<ServedModel> servedModel(const RuntimeServer& server) {
  if (server.state() != RuntimeServer::State::kReady) return {};
  const RuntimeEndpoint& endpoint = server.client()->endpoint();
  const SessionToken token = readSessionToken(endpoint.tokenFile);
  if (token.token.isEmpty()) return {};
  const ServerStatus& status = server.status();
  return ServedModel{status.model,
                     QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(endpoint.port)), token.token,
                     status.contextLimit.value_or(-1), status.followsInstructions};
}

}  // namespace waferpair::gui
