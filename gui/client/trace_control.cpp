// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/trace_control.h"

#include "gui/client/runtime_client.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {

void TraceControl::setClient(RuntimeClient* client) {
  if (client_) client_->disconnect(this);
  breakOff(tr("The recording into %1 ended with the change of model."),
           tr("What was recorded before can be opened."));
  client_ = client;
  connect(client, &RuntimeClient::traceStarted, this,
          [this](const TraceStarted& started) { setFile(started.file); });
  connect(client, &RuntimeClient::traceStopped, this, [this](const TraceStopped& stopped) {
    setFile({});
    Q_EMIT written(stopped.file, stopped.steps, stopped.tokens);
  });
  connect(client, &RuntimeClient::serverError, this, [this](const ServerError& error) {
    if (error.code != QLatin1StringView(protocol::error_code::kTraceFailed.data())) return;
    setFile({});
    Q_EMIT failed(error.problem);
  });
  connect(client, &RuntimeClient::lost, this, [this] {
    breakOff(tr("The model server ended while %1 was recorded."),
             tr("What was recorded before is beside it, with \"unfinished\" in its name."));
  });
}

void TraceControl::start(const QString& file) {
  if (unavailable_.isEmpty()) return client_->startTrace(file);
  Q_EMIT failed(
      {tr("Nothing can be recorded: %1.").arg(unavailable_), tr("Wait until the model is ready.")});
}

void TraceControl::stop() { client_->stopTrace(); }

void TraceControl::setFile(const QString& file) {
  if (file == file_) return;
  file_ = file;
  Q_EMIT changed();
}

void TraceControl::breakOff(const QString& what, const QString& remedy) {
  const QString file = file_;
  if (file.isEmpty()) return;
  setFile({});
  Q_EMIT failed({what.arg(file), remedy});
}

}  // namespace waferpair::gui
