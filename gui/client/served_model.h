// SPDX-License-Identifier: GPL-3.0-or-later
// A model of waferd's as it is asked over HTTP: by the Responses API, with the session's token.
#pragma once

#include <QByteArray>
#include <QString>
#include <QUrl>
#include <optional>

namespace waferpair::gui {

class RuntimeServer;
struct HostedModel;

struct ServedModel {
  QString name;     // in its file
  QString request;  // what requests call it
  QUrl base;        // "http://127.0.0.1:40123/v1"
  QByteArray token;
  qint64 contextTokens = -1;         // -1: unknown
  qint64 parameters = -1;            // likewise
  bool followsInstructions = false;  // else it only continues texts
};

// The first model. Nothing while it cannot be asked, or when the token cannot be read.
std::optional<ServedModel> servedModel(const RuntimeServer& server);
// Another one of the same server. Nothing until its file was read, either.
std::optional<ServedModel> servedModel(const RuntimeServer& server, const HostedModel& model);

}  // namespace waferpair::gui
