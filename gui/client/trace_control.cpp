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
  connect(client, &RuntimeClient::told, this, &TraceControl::hear);
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
  if (!unavailable_.isEmpty()) {
    Q_EMIT failed({tr("Nothing can be recorded: %1.").arg(unavailable_),
                   tr("Wait until the model is ready.")});
    return;
  }
  QJsonObject message = newMessage(protocol::request::kTraceStart);
  put(message, protocol::field::trace_start::kFile, file);
  client_->send(message);
}

void TraceControl::stop() { client_->send(newMessage(protocol::request::kTraceStop)); }

void TraceControl::hear(const std::string& type, JsonFields event) {
  namespace field = protocol::field;
  if (type == protocol::event::kTraceStarted)
    return setFile(event.text(field::trace_started::kFile));
  if (type != protocol::event::kTraceStopped) return;
  setFile({});
  Q_EMIT written(event.text(field::trace_stopped::kFile),
                 event.integer(field::trace_stopped::kSteps).value_or(0),
                 event.integer(field::trace_stopped::kTokens).value_or(0));
}

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
