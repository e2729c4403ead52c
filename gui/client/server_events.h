// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of waferd as values: JSON text frames in, checked structs out (docs/protocol.md). A
// message that is not as it should be is described, never half taken.
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>
#include <string>
#include <variant>

#include "editor/text/result.h"
#include "gui/client/runtime_figures.h"
#include "gui/store/json_fields.h"
#include "runtime/protocol/telemetry.h"

namespace waferpair::gui {

enum class ModelState { kLoading, kReady, kFailed };

// "session.ready" and "status".
struct ServerStatus {
  bool sessionStart = false;
  int protocol = 0;  // only with sessionStart
  ModelState state = ModelState::kLoading;
  QString model;  // name; empty until the model is ready
  QString machine;
  QString profile;
  double clockHz = 0;
  std::optional<qint64> contextLimit;
  bool followsInstructions = false;  // the model has a chat template that the server knows
  std::optional<ShadowFacts> shadow;
  editor::Error problem;  // only with kFailed
};

struct CompletionDelta {
  quint64 request = 0;
  qint64 version = 0;
  qint64 offset = 0;
  QByteArray utf8;
};

struct CompletionDone {
  quint64 request = 0;
  QString reason;
  RuntimeFigures figures;  // what "timings" has; the model's name is empty
};

struct ServerError {
  QString code;
  editor::Error problem;
  std::optional<quint64> request;
};

// An event of any other type, for whoever reads it.
struct OtherEvent {
  std::string type;  // never empty
  JsonFields fields;
};

using ServerEvent = std::variant<OtherEvent, ServerStatus, CompletionDelta, CompletionDone,
                                 ServerError, protocol::WaferLayout>;

// Nothing when the message is malformed; `why` then says what is wrong with it.
std::optional<ServerEvent> parseServerEvent(const QString& text, QString& why);

// Returns nothing for an object that is empty or tells too little.
std::optional<ShadowFacts> readShadow(JsonFields shadow);

}  // namespace waferpair::gui
