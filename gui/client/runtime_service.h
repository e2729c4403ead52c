// SPDX-License-Identifier: GPL-3.0-or-later
// The model server as the rest of the program sees it: one object that keeps waferd running, talks
// to it, provides completions to the editor and telemetry to the wafer view. UI thread only; every
// call returns at once.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QVariantMap>
#include <memory>

#include "editor/assist/completion_provider.h"
#include "gui/client/runtime_figures.h"
#include "runtime/protocol/telemetry.h"

namespace waferpair::gui {

class CompletionService;
class RuntimeClient;
class RuntimeProcess;
struct RuntimeCommand;
struct ShadowChanged;
struct ServerStatus;

struct RuntimeOptions {
  QString program;  // waferd; empty: the one beside this executable
  QString model;    // GGUF file; empty: the remembered one, else the one that came with the program
  bool reproducible = false;  // the same work gives the same answers and figures; no host times
};

class RuntimeService : public QObject {
  Q_OBJECT
 public:
  enum class State {
    kStopped,
    kStarting,    // waferd is being started
    kLoading,     // it runs; the model is being read and placed on the wafer
    kReady,       // suggestions may be had
    kRestarting,  // it died or the connection broke; problem() says what happened
    kFailed,      // given up or never possible; problem() says why, restart() tries again
  };
  Q_ENUM(State)

  explicit RuntimeService(RuntimeOptions options = {}, QObject* parent = nullptr);
  // Ends waferd.
  ~RuntimeService() override;

  void start();
  void stop();
  // Ends waferd and starts it afresh, also after it had given up.
  void restart();

  // Tries `path` in a second waferd; only when that one serves it does it replace the present one
  // (modelChosen, and the choice is remembered). Otherwise the present one stays (modelRejected).
  void chooseModel(const QString& path);
  bool isTryingModel() const { return candidate_ != nullptr; }

  State state() const { return state_; }
  // For the status bar: "Loading model tiny.gguf". Never empty.
  QString stateText() const;
  // What happened, in kRestarting and kFailed; empty otherwise.
  const RuntimeProblem& problem() const { return problem_; }
  const RuntimeFigures& figures() const { return figures_; }
  QString modelPath() const { return options_.model; }
  // 0 while it does not run.
  qint64 processId() const;

  // The editors' provider; lives as long as this.
  editor::CompletionProvider* completions() const;
  // The same, for whoever chooses background documents.
  CompletionService* documents() const { return completions_.get(); }
  // Files under it are judged by its .waferpairignore; empty: only the built-in rules apply.
  void setProjectRoot(const QString& folder);
  // Why no suggestions come for this document now; empty when they may.
  QString silenceReason(const editor::DocumentId& document) const;

  // Records what the wafer does into a file that ends in .wptrace. Answered by traceChanged, or by
  // traceFailed.
  void startTrace(const QString& file);
  void stopTrace();
  // What is being recorded into now; empty: nothing is.
  QString traceFile() const { return traceFile_; }

  // Shows another model, of which only the shape is known, in place of the one that runs: the name
  // of a shape, or the path of a SHAPE.json; empty ends that. Answered by shadowChanged, or by
  // shadowFailed and all stays as it was. What was chosen last is remembered, and wished for again
  // whenever a server is ready.
  void setShadow(const QString& shape);
  // As it was chosen; empty: none was.
  QString shadowChoice() const { return shadowChoice_; }
  // How the next shadow is placed, and the one that is shown at once: answered as setShadow().
  // Remembered, unless that one cannot be placed so.
  void setShadowPlacement(const ShadowPlacement& placement);
  const ShadowPlacement& shadowPlacement() const { return shadowPlacement_; }
  // What is shown now. Nothing: the model that runs.
  const std::optional<ShadowFacts>& shadow() const { return shadow_; }
  // The catalogue, the smallest first; empty until a server has been ready.
  const QList<ShadowShape>& shapes() const { return shapes_; }

  // Frames a second wanted by whoever draws them; 0 asks for none. Kept across reconnects.
  void setTelemetryRate(int hz);

 Q_SIGNALS:
  void stateChanged();
  void traceChanged();
  void traceWritten(const QString& file, qint64 steps, qint64 tokens);
  void traceFailed(const waferpair::gui::RuntimeProblem& problem);
  void shadowChanged();
  void shadowFailed(const waferpair::gui::RuntimeProblem& problem);
  void figuresChanged();
  // The layout precedes the frames it describes and comes again after each reconnect.
  void telemetryLayout(const waferpair::protocol::WaferLayout& layout);
  void telemetryFrame(const waferpair::protocol::TelemetryFrame& frame);
  void modelChosen(const QString& path);
  void modelRejected(const QString& path, const waferpair::gui::RuntimeProblem& problem);
  // What was chosen cannot be remembered for the next start.
  void notRemembered(const QString& text);

 private:
  struct Candidate;

  void setState(State state, RuntimeProblem problem = {});
  void makeProcess(const RuntimeCommand& command);
  void wireProcess();
  void wireClient();
  void onStatus(const ServerStatus& status);
  void onFrame(const protocol::TelemetryFrame& frame);
  void setTraceFile(const QString& file);
  void remember(const QVariantMap& values);  // in the settings; an invalid value: no longer
  void onShadowChanged(const ShadowChanged& changed);
  void onShadowFailed(const RuntimeProblem& problem);
  void showShadow(const std::optional<ShadowFacts>& shadow);
  void addFigures(const RuntimeFigures& measured);
  void adoptCandidate(const ServerStatus& status);
  // Of what was under way in it nothing more is heard. `whileRecording` says so of a file, %1.
  void endSession(const QString& whileRecording, const QString& remedy);
  void rejectCandidate(const RuntimeProblem& problem);
  void wishShadow(const QString& shape, const ShadowPlacement& placement);
  void rememberPlacement(const ShadowPlacement& placement);

  RuntimeOptions options_;
  State state_ = State::kStopped;
  RuntimeProblem problem_;
  RuntimeFigures figures_;
  QElapsedTimer figuresAge_;  // since a telemetry frame was last taken into figures_
  int telemetryHz_ = 0;
  QString traceFile_;
  QString shadowChoice_;
  ShadowPlacement shadowPlacement_;
  struct ShadowWish {
    QString shape;
    ShadowPlacement placement;
  };
  std::optional<ShadowWish> shadowWish_;  // sent, and not answered yet
  std::optional<ShadowFacts> shadow_;
  QList<ShadowShape> shapes_;
  std::unique_ptr<RuntimeProcess> process_;  // null until start()
  std::unique_ptr<RuntimeClient> client_;
  std::unique_ptr<CompletionService> completions_;
  std::unique_ptr<Candidate> candidate_;
};

}  // namespace waferpair::gui
