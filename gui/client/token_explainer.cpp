// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/token_explainer.h"

#include <QLoggingCategory>

#include "gui/client/runtime_client.h"
#include "gui/client/token_way_json.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

Q_LOGGING_CATEGORY(explainLog, "waferpair.runtime.explain", QtWarningMsg)

namespace field = protocol::field;

}  // namespace

void TokenExplainer::setClient(RuntimeClient* client) {
  if (client_) client_->disconnect(this);
  client_ = client;
  wanted_.reset();
  if (!client) return;
  connect(client, &RuntimeClient::told, this, &TokenExplainer::hear);
  connect(client, &RuntimeClient::serverError, this, &TokenExplainer::onError);
}

void TokenExplainer::send(const QJsonObject& message) {
  if (client_ && client_->isReady()) return client_->send(message);
  Q_EMIT failed({tr("The model server is not connected."), tr("Wait until the model is ready.")},
                false);
}

void TokenExplainer::explainAt(editor::RequestId completion, qint64 byte) {
  wanted_ = completion;
  QJsonObject message = newMessage(protocol::request::kTokenExplain);
  put(message, field::token_explain::kCompletion, static_cast<qint64>(completion));
  put(message, field::token_explain::kAt, byte);
  send(message);
}

void TokenExplainer::explainToken(editor::RequestId completion, int token) {
  wanted_ = completion;
  QJsonObject message = newMessage(protocol::request::kTokenExplain);
  put(message, field::token_explain::kCompletion, static_cast<qint64>(completion));
  put(message, field::token_explain::kToken, token);
  send(message);
}

void TokenExplainer::explainOp(editor::RequestId completion, int token, int op) {
  QJsonObject message = newMessage(protocol::request::kOpExplain);
  put(message, field::op_explain::kCompletion, static_cast<qint64>(completion));
  put(message, field::op_explain::kToken, token);
  put(message, field::op_explain::kOp, op);
  send(message);
}

void TokenExplainer::runCutout(editor::RequestId completion, int token, int op, int size) {
  QJsonObject message = newMessage(protocol::request::kCutoutRun);
  put(message, field::cutout_run::kCompletion, static_cast<qint64>(completion));
  put(message, field::cutout_run::kToken, token);
  put(message, field::cutout_run::kOp, op);
  put(message, field::cutout_run::kSize, size);
  send(message);
}

void TokenExplainer::look(qint64 cycle, int x, int y) {
  QJsonObject message = newMessage(protocol::request::kCutoutLook);
  put(message, field::cutout_look::kCycle, cycle);
  put(message, field::cutout_look::kX, x);
  put(message, field::cutout_look::kY, y);
  send(message);
}

void TokenExplainer::hear(const std::string& type, JsonFields event) {
  namespace told = protocol::event;
  QString why;
  const auto tell = [&](const auto& read, auto signal) {
    if (!read) {
      qCWarning(explainLog).noquote() << "not understood:" << type.c_str() << ":" << why;
      return;
    }
    Q_EMIT(this->*signal)(*read);
  };
  if (type == told::kTokenExplained) {
    const auto way = readTokenWay(event, why);
    if (!way || way->completion == wanted_) tell(way, &TokenExplainer::tokenExplained);
  } else if (type == told::kOpExplained) {
    tell(readOpWay(event, why), &TokenExplainer::opExplained);
  } else if (type == told::kCutoutRan) {
    tell(readCutoutRun(event, why), &TokenExplainer::cutoutRan);
  } else if (type == told::kCutoutSeen) {
    tell(readCutoutSight(event, why), &TokenExplainer::cutoutSeen);
  }
}

void TokenExplainer::onError(const ServerError& error) {
  namespace code = protocol::error_code;
  const std::string word = error.code.toStdString();
  if (word == code::kUnknownToken) Q_EMIT failed(error.problem, false);
  if (word == code::kCutoutFailed) Q_EMIT failed(error.problem, true);
}

}  // namespace waferpair::gui
