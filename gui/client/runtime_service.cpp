// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/runtime_service.h"

#include <utility>

#include "gui/client/completion_service.h"
#include "gui/client/model_adapters.h"
#include "gui/client/model_trial.h"
#include "gui/client/runtime_client.h"

namespace waferpair::gui {

RuntimeService::RuntimeService(const RuntimeCommand& command, const ShadowChoice& shadow,
                               QObject* parent)
    : RuntimeService(std::make_shared<RuntimeHost>(command), shadow, parent) {}

RuntimeService::RuntimeService(std::shared_ptr<RuntimeHost> host, const ShadowChoice& shadow,
                               QObject* parent)
    : QObject(parent),
      server_(std::move(host)),
      hosted_(&server_),
      shadow_(shadow),
      completions_(std::make_unique<CompletionService>()),
      larger_(&hosted_, completions_.get()) {
  const bool reproducible = server_.command().reproducible;
  completions_->setAsksAhead(!reproducible);
  figures_.setTakesFrames(!reproducible);
  connect(&server_, &RuntimeServer::stateChanged, this, &RuntimeService::followState);
  connect(&server_, &RuntimeServer::clientChanged, this, &RuntimeService::followClient);
  connect(&server_, &RuntimeServer::loaded, &figures_, &LiveFigures::follow);
  connect(&server_, &RuntimeServer::ready, &shadow_, &ShadowModel::follow);
  connect(completions_.get(), &CompletionService::measured, &figures_,
          qOverload<const RuntimeFigures&>(&LiveFigures::add));
  connect(&shadow_, &ShadowModel::changed, &figures_,
          [this] { figures_.setShadow(shadow_.shown()); });
  connect(&figures_, &LiveFigures::changed, this, &RuntimeService::figuresChanged);
  followState();
  followClient();
}

RuntimeService::~RuntimeService() {
  server_.disconnect(this);
  // Editors may outlive this for a moment: they hear of no more than that nothing can be had.
  completions_->setClient(nullptr);
}

void RuntimeService::followClient() {
  RuntimeClient* client = server_.client();
  completions_->setClient(client);
  trace_.setClient(client);
  shadow_.setClient(client);
  explainer_.setClient(client);
  client->setTelemetryRate(telemetryHz_);
  connect(client, &RuntimeClient::telemetryLayout, this,
          [this](const protocol::WaferLayout& layout) {
            figures_.show(layout);
            Q_EMIT telemetryLayout(layout);
          });
  connect(client, &RuntimeClient::lost, &figures_, &LiveFigures::showFirst);
  connect(client, &RuntimeClient::telemetryFrame, this,
          [this](const protocol::TelemetryFrame& frame) {
            Q_EMIT telemetryFrame(frame);
            figures_.add(frame);
          });
}

void RuntimeService::followState() {
  const QString unavailable = server_.unavailable();
  completions_->setUnavailable(unavailable);
  trace_.setUnavailable(unavailable);
  shadow_.setUnavailable(unavailable);
  Q_EMIT stateChanged();
}

editor::CompletionProvider* RuntimeService::completions() const { return completions_.get(); }

void RuntimeService::setProjectRoot(const QString& folder) { completions_->setProjectRoot(folder); }

QString RuntimeService::silenceReason(const editor::DocumentId& document) const {
  return completions_->silenceReason(document);
}

void RuntimeService::setTelemetryRate(int hz) {
  telemetryHz_ = hz;
  if (hz == 0) figures_.showFirst();
  server_.client()->setTelemetryRate(hz);
}

void RuntimeService::stop() {
  if (ModelTrial* trial = std::exchange(trial_, nullptr)) trial->end();
  server_.stop();
}

void RuntimeService::chooseModel(const QString& path) {
  if (ModelTrial* trial = std::exchange(trial_, nullptr)) trial->end();
  RuntimeCommand command = server_.command();
  command.model = path;
  trial_ = new ModelTrial(command, this);
  connect(trial_, &ModelTrial::passed, this, &RuntimeService::adoptTrial);
  connect(trial_, &ModelTrial::failed, this, &RuntimeService::rejectTrial);
  connect(trial_, &ModelTrial::progressed, this, &RuntimeService::stateChanged);
  trial_->start();
  Q_EMIT stateChanged();
}

QString RuntimeService::loadingText() const {
  if (trial_) return gui::loadingText(trial_->model(), trial_->told());
  if (state() == State::kLoading) return stateText();
  // One that had given its memory back.
  const HostedModel first = server_.status().first();
  return state() == State::kReady && first.progress ? gui::loadingText(modelPath(), first)
                                                    : QString();
}

void RuntimeService::setAdapters(const QStringList& adapters) {
  const QStringList before = server_.command().adapters;
  if (server_.setAdapters(adapters) &&
      adapterArguments(before, modelPath()) != adapterArguments(adapters, modelPath())) {
    if (server_.state() != State::kStopped) chooseModel(modelPath());
  }
  hosted_.setAdapters(adapters);
}

void RuntimeService::adoptTrial(const ServerStatus& status) {
  ModelTrial* trial = std::exchange(trial_, nullptr);
  server_.replace(trial->takeProcess(), trial->takeClient(), status);
  trial->deleteLater();
  Q_EMIT modelChosen(modelPath());
}

void RuntimeService::rejectTrial(const editor::Error& problem) {
  ModelTrial* trial = std::exchange(trial_, nullptr);
  const QString path = trial->model();
  trial->end();
  Q_EMIT stateChanged();
  Q_EMIT modelRejected(path, problem);
}

}  // namespace waferpair::gui
