// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of waferd as values: JSON text frames in, checked structs out (docs/protocol.md). A
// message that is not as it should be is described, never half taken.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <optional>
#include <string>
#include <variant>

#include "editor/text/result.h"
#include "gui/client/runtime_figures.h"
#include "gui/store/json_fields.h"
#include "runtime/protocol/telemetry.h"

namespace waferpair::gui {

enum class ModelState {
  kLoading,
  kReady,
  kIdle,  // not in memory: what it is asked loads it
  kFailed,
};

// A model that waferd offers.
struct HostedModel {
  QString file;
  ModelState state = ModelState::kLoading;
  std::optional<double> progress;  // the share that has been loaded, while it is
  qint64 memoryBytes = 0;          // that it takes once loaded; 0: not known
  qint64 kvUsedBytes = 0;          // of keys and values, now
  // What computes it; 0 and empty unless it is in memory, or where the server does not say.
  int threads = 0;
  QString kernels;
  // From its file; the name is empty until that has been read.
  QString name;
  qint64 contextTokens = -1;
  qint64 parameters = -1;
  bool followsInstructions = false;
  editor::Error problem;  // why it cannot be used, or could not be loaded when it was wanted last
};

// "session.ready" and "status".
struct ServerStatus {
  bool sessionStart = false;
  int protocol = 0;  // only with sessionStart
  // Of the first model; kReady as soon as it can be asked, be it that it is loaded by that.
  ModelState state = ModelState::kLoading;
  QString model;  // name; empty until the model is ready
  QString machine;
  QString profile;
  double clockHz = 0;
  std::optional<qint64> contextLimit;
  qint64 parameters = -1;
  bool followsInstructions = false;  // the model has a chat template that the server knows
  std::optional<ShadowFacts> shadow;
  editor::Error problem;        // only with kFailed
  QVector<HostedModel> models;  // all that are offered, the first one first
  HostedModel first() const { return models.isEmpty() ? HostedModel() : models.constFirst(); }
  std::optional<protocol::FigureBand> band = {};  // of the first model's wafer figures
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
  std::optional<double> probability;  // of its text as a whole
  RuntimeFigures figures;             // what "timings" has; the model's name is empty
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
