// SPDX-License-Identifier: GPL-3.0-or-later
// The model server as the rest of the program sees it: its life, completions for the editors,
// telemetry for the wafer view, recordings, a shadow, figures. Each is a class of its own; this
// puts them together and has them follow from one server to the next. UI thread only; every call
// returns at once.
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "editor/assist/completion_provider.h"
#include "editor/text/result.h"
#include "gui/client/hosted_models.h"
#include "gui/client/larger_model.h"
#include "gui/client/live_figures.h"
#include "gui/client/runtime_server.h"
#include "gui/client/shadow_model.h"
#include "gui/client/token_explainer.h"
#include "gui/client/trace_control.h"
#include "runtime/protocol/telemetry.h"

namespace waferpair::gui {

class CompletionService;
class ModelTrial;

class RuntimeService : public QObject {
  Q_OBJECT
 public:
  using State = RuntimeServer::State;

  // `command`: how waferd is started; `shadow`: as it was chosen last.
  explicit RuntimeService(const RuntimeCommand& command, const ShadowChoice& shadow = {},
                          QObject* parent = nullptr);
  // The same with a waferd that others use, too.
  explicit RuntimeService(std::shared_ptr<RuntimeHost> host, const ShadowChoice& shadow = {},
                          QObject* parent = nullptr);
  // Ends waferd if nobody else uses it.
  ~RuntimeService() override;

  // -- The server: see RuntimeServer

  void start() { server_.start(); }
  void stop();
  void restart() { server_.restart(); }
  State state() const { return server_.state(); }
  QString stateText() const { return server_.stateText(); }
  const editor::Error& problem() const { return server_.problem(); }
  QString modelPath() const { return server_.command().model; }
  qint64 processId() const { return server_.processId(); }
  const RuntimeServer& server() const { return server_; }

  // Tries `path` in a second waferd; only when that one serves it does it replace the present one
  // (modelChosen). Otherwise the present one stays (modelRejected).
  void chooseModel(const QString& path);
  // The setting models/adapters. Where it changes what is added to the present model, that is tried
  // likewise; other models are read again.
  void setAdapters(const QStringList& adapters);
  bool isTryingModel() const { return trial_ != nullptr; }
  // The model that is being loaded, on trial or the server's, and how far it has come. Empty: none
  // is.
  QString loadingText() const;

  // -- Its parts; all live as long as this

  // Of the model that runs, which need not be the first.
  const RuntimeFigures& figures() const { return figures_.now(); }
  // The name of the first model, which suggests; empty until it was loaded.
  QString modelName() const { return server_.status().model; }
  HostedModels* hosted() { return &hosted_; }
  const HostedModels* hosted() const { return &hosted_; }
  LargerModel* larger() { return &larger_; }
  const LargerModel* larger() const { return &larger_; }
  TraceControl* trace() { return &trace_; }
  const TraceControl* trace() const { return &trace_; }
  ShadowModel* shadow() { return &shadow_; }
  const ShadowModel* shadow() const { return &shadow_; }
  TokenExplainer* explainer() { return &explainer_; }
  // The editors' provider.
  editor::CompletionProvider* completions() const;
  // The same, for whoever chooses background documents.
  CompletionService* documents() const { return completions_.get(); }
  // Files under it are judged by its .waferpairignore; empty: only the built-in rules apply.
  void setProjectRoot(const QString& folder);
  // Returns why no suggestions come for this document now; empty when they may.
  QString silenceReason(const editor::DocumentId& document) const;

  // Sets how many frames a second are wanted; 0 asks for none. Kept across reconnects.
  void setTelemetryRate(int hz);

 Q_SIGNALS:
  // The server's, or whether a model is on trial.
  void stateChanged();
  void figuresChanged();
  // The layout precedes the frames it describes and comes again after each reconnect.
  void telemetryLayout(const waferpair::protocol::WaferLayout& layout);
  void telemetryFrame(const waferpair::protocol::TelemetryFrame& frame);
  void modelChosen(const QString& path);
  void modelRejected(const QString& path, const waferpair::editor::Error& problem);

 private:
  void followClient();
  void followState();
  void adoptTrial(const ServerStatus& status);
  void rejectTrial(const editor::Error& problem);

  RuntimeServer server_;
  HostedModels hosted_;
  LiveFigures figures_;
  TraceControl trace_;
  ShadowModel shadow_;
  TokenExplainer explainer_;
  std::unique_ptr<CompletionService> completions_;
  LargerModel larger_;
  ModelTrial* trial_ = nullptr;  // child of this; null: none is under way
  int telemetryHz_ = 0;
};

}  // namespace waferpair::gui
