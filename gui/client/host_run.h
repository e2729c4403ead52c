// SPDX-License-Identifier: GPL-3.0-or-later
// Has the first model continue a text, here and now, and measures how fast it does. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <optional>
#include <string>

#include "editor/text/result.h"
#include "gui/store/json_fields.h"

namespace waferpair::gui {

class RuntimeClient;
struct ServerError;

// Measured on this computer.
struct HostRunFigures {
  QString text;
  qint64 promptTokens = 0, outputTokens = 0;
  double firstTokenSeconds = 0;
  double tokensPerSecond = 0;
};

class HostRun : public QObject {
  Q_OBJECT
 public:
  // `client` is that of a server which is ready.
  HostRun(RuntimeClient* client, QObject* parent);
  // A run that is under way is cancelled.
  ~HostRun() override;

  void start(const QString& prompt, int tokens);

 Q_SIGNALS:
  void finished(const waferpair::gui::HostRunFigures& figures);
  void failed(const waferpair::editor::Error& problem);

 private:
  void hear(const std::string& type, JsonFields event);
  void fail(const editor::Error& problem);

  QPointer<RuntimeClient> client_;
  QString id_;  // empty: none is under way
  QString text_;
};

}  // namespace waferpair::gui
