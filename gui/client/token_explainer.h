// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the server how tokens of completions came about. Of several wishes of one kind only the
// answer to the newest is told. UI thread only; every call returns at once.
#pragma once

#include <QObject>
#include <QPointer>
#include <optional>

#include "editor/assist/completion_provider.h"
#include "editor/text/result.h"
#include "gui/store/json_fields.h"
#include "runtime/protocol/token_way.h"

namespace waferpair::gui {

class RuntimeClient;
struct ServerError;

class TokenExplainer : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // Explanations of the session before are lost with it.
  void setClient(RuntimeClient* client);

  // The token at a byte of the completion's text; or that of an index.
  void explainAt(editor::RequestId completion, qint64 byte);
  void explainToken(editor::RequestId completion, int token);
  void explainOp(editor::RequestId completion, int token, int op);
  void runCutout(editor::RequestId completion, int token, int op, int size);
  void look(qint64 cycle, int x, int y);

 Q_SIGNALS:
  void tokenExplained(const waferpair::protocol::TokenWay& way);
  void opExplained(const waferpair::protocol::OpWay& way);
  void cutoutRan(const waferpair::protocol::CutoutRun& run);
  void cutoutSeen(const waferpair::protocol::CutoutSight& sight);
  // A wish cannot be followed; `cutout`: one to run or look at a cut-out.
  void failed(const waferpair::editor::Error& problem, bool cutout);

 private:
  void send(const QJsonObject& message);
  void hear(const std::string& type, JsonFields event);
  void onError(const ServerError& error);

  QPointer<RuntimeClient> client_;
  std::optional<editor::RequestId> wanted_;  // the completion of the newest token wish
};

}  // namespace waferpair::gui
