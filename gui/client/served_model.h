// SPDX-License-Identifier: GPL-3.0-or-later
// The model of a waferd as it is asked over HTTP: by the Responses API, with the session's token.
#pragma once

#include <QByteArray>
#include <QString>
#include <QUrl>
#include <optional>

namespace waferpair::gui {

class RuntimeServer;

struct ServedModel {
  QString name;
  QUrl base;  // "http://127.0.0.1:40123/v1"
  QByteArray token;
  qint64 contextTokens = -1;         // -1: unknown
  bool followsInstructions = false;  // else it only continues texts
};

// Nothing while its model is not ready, or when the token cannot be read.
std::optional<ServedModel> servedModel(const RuntimeServer& server);

}  // namespace waferpair::gui
