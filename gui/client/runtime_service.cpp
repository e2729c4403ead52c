// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/runtime_service.h"

#include <QDir>
#include <QFileInfo>
#include <utility>

#include "gui/client/completion_service.h"
#include "gui/client/runtime_client.h"
#include "gui/client/runtime_process.h"
#include "gui/store/app_paths.h"
#include "gui/store/resource_paths.h"
#include "gui/store/settings_file.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

// Telemetry comes at up to 60 Hz; nobody reads figures in a status bar faster than this.
constexpr qint64 kFiguresMs = 250;

QString modelKey() { return QStringLiteral("runtime/model"); }
QString shadowKey() { return QStringLiteral("runtime/shadow"); }
QString shadowObjectiveKey() { return QStringLiteral("runtime/shadowObjective"); }
QString shadowContextKey() { return QStringLiteral("runtime/shadowContext"); }

SettingsFile settings() {
  return SettingsFile(AppPaths::forUser().config + QStringLiteral("/settings.json"));
}

QString rememberedModel() {
  const QString path = settings().value(modelKey()).toString();
  return QFileInfo::exists(path) ? path : QString();
}

// In a folder that exists.
QString sessionCache() {
  const QString folder = AppPaths::forUser().state;
  QDir().mkpath(folder);
  return folder + QStringLiteral("/model.session");
}

template <typename T>
void takeIfMeasured(std::optional<T>& figure, const std::optional<T>& measured) {
  if (measured) figure = measured;
}

}  // namespace

// A model on trial: a waferd and a session of its own, so that the present ones stay untouched.
struct RuntimeService::Candidate {
  QString path;
  std::unique_ptr<RuntimeProcess> process;
  std::unique_ptr<RuntimeClient> client = std::make_unique<RuntimeClient>();
};

RuntimeService::RuntimeService(RuntimeOptions options, QObject* parent)
    : QObject(parent),
      options_(std::move(options)),
      client_(std::make_unique<RuntimeClient>()),
      completions_(std::make_unique<CompletionService>()) {
  if (options_.program.isEmpty()) options_.program = defaultRuntimeProgram();
  if (options_.model.isEmpty()) options_.model = rememberedModel();
  if (options_.model.isEmpty()) options_.model = defaultModelPath();
  shadowChoice_ = settings().value(shadowKey()).toString();
  shadowPlacement_.objective =
      settings().value(shadowObjectiveKey(), shadowPlacement_.objective).toString();
  shadowPlacement_.context = std::max(0, settings().value(shadowContextKey()).toInt());
  completions_->setUnavailable(stateText());
  connect(completions_.get(), &CompletionService::measured, this,
          [this](const RuntimeFigures& measured) {
            // The frame with its last token or two does not take its place.
            if (measured.hostTokensPerSecond) figuresAge_.start();
            addFigures(measured);
          });
  wireClient();
}

RuntimeService::~RuntimeService() {
  // Editors may outlive this for a moment: they hear of no more than that nothing can be had.
  completions_->setClient(nullptr);
}

editor::CompletionProvider* RuntimeService::completions() const { return completions_.get(); }

void RuntimeService::setProjectRoot(const QString& folder) { completions_->setProjectRoot(folder); }

QString RuntimeService::silenceReason(const editor::DocumentId& document) const {
  return completions_->silenceReason(document);
}

qint64 RuntimeService::processId() const { return process_ ? process_->processId() : 0; }

void RuntimeService::startTrace(const QString& file) {
  if (state_ == State::kReady) return client_->startTrace(file);
  Q_EMIT traceFailed(
      {tr("Nothing can be recorded: %1.").arg(stateText()), tr("Wait until the model is ready.")});
}

void RuntimeService::stopTrace() { client_->stopTrace(); }

void RuntimeService::setShadow(const QString& shape) { wishShadow(shape, shadowPlacement_); }

void RuntimeService::wishShadow(const QString& shape, const ShadowPlacement& placement) {
  if (state_ != State::kReady) {
    Q_EMIT shadowFailed(
        {tr("No shadow can be shown: %1.").arg(stateText()), tr("Wait until the model is ready.")});
    return;
  }
  shadowWish_ = {shape, placement};
  client_->setShadow(shape, placement);
}

void RuntimeService::setShadowPlacement(const ShadowPlacement& placement) {
  if (placement == shadowPlacement_) return;
  if (!shadowChoice_.isEmpty() && shadow_) return wishShadow(shadowChoice_, placement);
  rememberPlacement(placement);
}

void RuntimeService::rememberPlacement(const ShadowPlacement& placement) {
  shadowPlacement_ = placement;
  remember({{shadowObjectiveKey(), placement.objective}, {shadowContextKey(), placement.context}});
}

void RuntimeService::remember(const QVariantMap& values) {
  SettingsFile file = settings();
  for (auto it = values.cbegin(); it != values.cend(); ++it) {
    if (it->isValid()) {
      file.setValue(it.key(), *it);
    } else {
      file.remove(it.key());
    }
  }
  if (const QString text = file.save(); !text.isEmpty()) Q_EMIT notRemembered(text);
}

void RuntimeService::onShadowChanged(const ShadowChanged& changed) {
  if (shadowWish_) {
    const ShadowWish wish = *std::exchange(shadowWish_, std::nullopt);
    shadowChoice_ = wish.shape;
    remember({{shadowKey(), shadowChoice_}});
    rememberPlacement(wish.placement);
  }
  if (changed.shadow == shadow_) Q_EMIT shadowChanged();  // an answer all the same
  showShadow(changed.shadow);
}

void RuntimeService::onShadowFailed(const RuntimeProblem& problem) {
  // One that was remembered and cannot be had any more is not asked for again.
  const auto wish = std::exchange(shadowWish_, std::nullopt);
  if (wish && wish->shape == shadowChoice_ && !shadow_) {
    shadowChoice_.clear();
    remember({{shadowKey(), {}}});
  }
  Q_EMIT shadowFailed(problem);
}

void RuntimeService::showShadow(const std::optional<ShadowFacts>& shadow) {
  if (shadow == shadow_) return;
  shadow_ = shadow;
  // Those of other wafers mean nothing now.
  figures_.shadow = shadow ? shadow->model : QString();
  figures_.waferTokensPerSecond.reset();
  figures_.firstTokenWaferMs.reset();
  Q_EMIT shadowChanged();
  Q_EMIT figuresChanged();
}

void RuntimeService::setTelemetryRate(int hz) {
  telemetryHz_ = hz;
  client_->setTelemetryRate(hz);
}

QString RuntimeService::stateText() const {
  const QString model = QFileInfo(options_.model).fileName();
  switch (state_) {
    case State::kStopped:
      return tr("Model stopped");
    case State::kStarting:
      return tr("Starting the model server");
    case State::kLoading:
      return tr("Loading model %1").arg(model);
    case State::kReady:
      return tr("Ready");
    case State::kRestarting:
      return tr("Restarting the model");
    case State::kFailed:
      return tr("Model failed");
  }
  return {};
}

void RuntimeService::setState(State state, RuntimeProblem problem) {
  if (state == state_ && problem == problem_) return;
  state_ = state;
  problem_ = std::move(problem);
  completions_->setUnavailable(state_ == State::kReady ? QString() : stateText());
  Q_EMIT stateChanged();
}

void RuntimeService::start() {
  if (process_ && process_->isRunning()) return;
  if (options_.model.isEmpty()) {
    setState(State::kFailed, {tr("There is no model file."), tr("Choose a GGUF file.")});
    return;
  }
  process_ = std::make_unique<RuntimeProcess>(
      RuntimeCommand{options_.program, options_.model, sessionCache(), options_.reproducible});
  wireProcess();
  process_->start();
}

void RuntimeService::stop() {
  candidate_.reset();
  client_->close();
  if (process_) process_->stop();
  setState(State::kStopped);
}

void RuntimeService::restart() {
  client_->close();
  if (!process_ || !process_->isRunning()) {
    start();
    return;
  }
  setState(State::kStarting);
  process_->restart();
}

void RuntimeService::wireProcess() {
  RuntimeProcess* process = process_.get();
  connect(process, &RuntimeProcess::starting, this, [this] {
    if (state_ != State::kRestarting) setState(State::kStarting);
  });
  connect(process, &RuntimeProcess::listening, this,
          [this](const RuntimeEndpoint& endpoint) { client_->connectTo(endpoint); });
  connect(process, &RuntimeProcess::died, this, [this](const RuntimeProblem& problem, int retryMs) {
    client_->close();
    setState(retryMs < 0 ? State::kFailed : State::kRestarting, problem);
  });
}

void RuntimeService::wireClient() {
  RuntimeClient* client = client_.get();
  completions_->setClient(client);
  client->setTelemetryRate(telemetryHz_);
  connect(client, &RuntimeClient::traceStarted, this,
          [this](const TraceStarted& started) { setTraceFile(started.file); });
  connect(client, &RuntimeClient::traceStopped, this, [this](const TraceStopped& stopped) {
    setTraceFile({});
    Q_EMIT traceWritten(stopped.file, stopped.steps, stopped.tokens);
  });
  connect(client, &RuntimeClient::serverError, this, [this](const ServerError& error) {
    if (error.code == QLatin1StringView(protocol::error_code::kShadowFailed.data()))
      return onShadowFailed(error.problem);
    if (error.code != QLatin1StringView(protocol::error_code::kTraceFailed.data())) return;
    setTraceFile({});
    Q_EMIT traceFailed(error.problem);
  });
  connect(client, &RuntimeClient::shadowChanged, this, &RuntimeService::onShadowChanged);
  connect(client, &RuntimeClient::shadowShapes, this,
          [this](const ShadowShapes& catalogue) { shapes_ = catalogue.shapes; });
  connect(client, &RuntimeClient::lost, this, [this] {
    endSession(tr("The model server ended while %1 was recorded."),
               tr("What was recorded before is beside it, with \"unfinished\" in its name."));
    if (state_ == State::kReady || state_ == State::kLoading)
      setState(State::kRestarting, {tr("The connection to the model server broke."), {}});
  });
  connect(client, &RuntimeClient::unreachable, this, [this](const RuntimeProblem& problem) {
    setState(State::kRestarting, problem);
    if (process_) process_->abandon(problem);
  });
  connect(client, &RuntimeClient::status, this, &RuntimeService::onStatus);
  connect(client, &RuntimeClient::telemetryLayout, this, &RuntimeService::telemetryLayout);
  connect(client, &RuntimeClient::telemetryFrame, this, &RuntimeService::onFrame);
}

void RuntimeService::endSession(const QString& whileRecording, const QString& remedy) {
  shadowWish_.reset();
  const QString file = traceFile_;
  if (file.isEmpty()) return;
  setTraceFile({});
  Q_EMIT traceFailed({whileRecording.arg(file), remedy});
}

void RuntimeService::onStatus(const ServerStatus& status) {
  switch (status.state) {
    case ModelState::kLoading:
      setState(State::kLoading);
      break;
    case ModelState::kFailed:
      setState(State::kFailed, status.problem);
      break;
    case ModelState::kReady: {
      RuntimeFigures figures = figures_;
      if (figures.model != status.model) {
        figures = {};  // figures of another model mean nothing now
        figures.shadow = figures_.shadow;
      }
      figures.model = status.model;
      figures.machine = status.machine;
      figures.profile = status.profile;
      figures.clockHz = status.clockHz;
      takeIfMeasured(figures.contextLimit, status.contextLimit);
      if (figures != std::exchange(figures_, figures)) Q_EMIT figuresChanged();
      setState(State::kReady);
      showShadow(status.shadow);
      if (!status.shadow && !shadowWish_ && !shadowChoice_.isEmpty()) setShadow(shadowChoice_);
      if (shapes_.isEmpty()) client_->listShapes();
      break;
    }
  }
}

void RuntimeService::setTraceFile(const QString& file) {
  if (file == traceFile_) return;
  traceFile_ = file;
  Q_EMIT traceChanged();
}

void RuntimeService::addFigures(const RuntimeFigures& measured) {
  RuntimeFigures figures = figures_;
  takeIfMeasured(figures.hostTokensPerSecond, measured.hostTokensPerSecond);
  takeIfMeasured(figures.firstTokenHostMs, measured.firstTokenHostMs);
  // A job that began before the shadow was another one tells of other wafers.
  if (measured.shadow == figures.shadow) {
    if (!measured.profile.isEmpty()) {
      figures.machine = measured.machine;
      figures.profile = measured.profile;
      figures.clockHz = measured.clockHz;
    }
    takeIfMeasured(figures.waferTokensPerSecond, measured.waferTokensPerSecond);
    takeIfMeasured(figures.firstTokenWaferMs, measured.firstTokenWaferMs);
  }
  takeIfMeasured(figures.contextUsed, measured.contextUsed);
  takeIfMeasured(figures.contextLimit, measured.contextLimit);
  if (figures != std::exchange(figures_, figures)) Q_EMIT figuresChanged();
}

void RuntimeService::onFrame(const protocol::TelemetryFrame& frame) {
  Q_EMIT telemetryFrame(frame);
  // An interval without decode has no rate.
  if (frame.intervalDecoded == 0) return;
  if (figuresAge_.isValid() && figuresAge_.elapsed() < kFiguresMs) return;
  figuresAge_.start();
  RuntimeFigures measured;
  measured.shadow = figures_.shadow;
  if (frame.hostTokensPerSecond > 0) measured.hostTokensPerSecond = frame.hostTokensPerSecond;
  if (frame.waferTokensPerSecond > 0) measured.waferTokensPerSecond = frame.waferTokensPerSecond;
  measured.contextUsed = frame.contextUsed;
  measured.contextLimit = frame.contextLimit;
  addFigures(measured);
}

void RuntimeService::chooseModel(const QString& path) {
  candidate_ = std::make_unique<Candidate>();
  candidate_->path = path;
  candidate_->process = std::make_unique<RuntimeProcess>(
      RuntimeCommand{options_.program, path, sessionCache(), options_.reproducible},
      RuntimeProcess::Restarts::kNever);
  RuntimeProcess* process = candidate_->process.get();
  RuntimeClient* client = candidate_->client.get();
  connect(process, &RuntimeProcess::listening, client, &RuntimeClient::connectTo);
  connect(process, &RuntimeProcess::died, this, &RuntimeService::rejectCandidate);
  connect(client, &RuntimeClient::unreachable, this, &RuntimeService::rejectCandidate);
  connect(client, &RuntimeClient::status, this, [this](const ServerStatus& status) {
    if (status.state == ModelState::kReady) adoptCandidate(status);
    if (status.state == ModelState::kFailed) rejectCandidate(status.problem);
  });
  process->start();
  Q_EMIT stateChanged();
}

void RuntimeService::adoptCandidate(const ServerStatus& status) {
  const std::unique_ptr<Candidate> chosen = std::move(candidate_);
  chosen->process->disconnect(this);
  chosen->client->disconnect(this);
  endSession(tr("The recording into %1 ended with the change of model."),
             tr("What was recorded before can be opened."));
  // The old ones may be up the call stack of nobody here, but let them end on their own time.
  client_->disconnect(this);
  client_->close();
  client_.release()->deleteLater();
  if (process_) {
    process_->disconnect(this);
    process_->setParent(this);
    connect(process_.get(), &RuntimeProcess::stopped, process_.get(), &QObject::deleteLater);
    process_.release()->stop();
  }
  process_ = std::move(chosen->process);
  process_->disconnect(chosen->client.get());
  process_->setRestarts(RuntimeProcess::Restarts::kAfterCrash);
  client_ = std::move(chosen->client);
  wireProcess();
  wireClient();
  options_.model = chosen->path;
  remember({{modelKey(), chosen->path}});
  onStatus(status);
  Q_EMIT modelChosen(chosen->path);
}

void RuntimeService::rejectCandidate(const RuntimeProblem& problem) {
  if (!candidate_) return;
  // It is up the call stack: it must not be deleted before this returns.
  Candidate* rejected = candidate_.release();
  rejected->process->disconnect(this);
  rejected->client->disconnect(this);
  rejected->client->close();
  const QString path = rejected->path;
  RuntimeProcess* process = rejected->process.release();
  process->setParent(this);
  connect(process, &RuntimeProcess::stopped, process, &QObject::deleteLater);
  rejected->client.release()->deleteLater();
  delete rejected;
  process->stop();
  Q_EMIT stateChanged();
  Q_EMIT modelRejected(path, problem);
}

}  // namespace waferpair::gui
