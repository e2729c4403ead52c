// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/runtime_server.h"

#include <QFileInfo>
#include <utility>

#include "gui/client/runtime_client.h"

namespace waferpair::gui {

QString loadingText(const QString& file, const HostedModel& told) {
  const QString name = told.name.isEmpty() ? QFileInfo(file).fileName() : told.name;
  if (!told.progress) return RuntimeServer::tr("Loading model %1").arg(name);
  return RuntimeServer::tr("Loading %1 %: %2")
      .arg(static_cast<int>(*told.progress * 100))
      .arg(name);
}

RuntimeServer::RuntimeServer(RuntimeCommand command, QObject* parent)
    : RuntimeServer(std::make_shared<RuntimeHost>(std::move(command)), parent) {}

RuntimeServer::RuntimeServer(std::shared_ptr<RuntimeHost> host, QObject* parent)
    : QObject(parent), host_(std::move(host)), client_(std::make_unique<RuntimeClient>()) {
  wireHost();
  wireClient();
}

RuntimeServer::~RuntimeServer() {
  client_->disconnect(this);
  host_->disconnect(this);
  host_->setLoadsAnother(this, false);
}

QString RuntimeServer::stateText() const {
  switch (state_) {
    case State::kStopped:
      return tr("Model stopped");
    case State::kStarting:
      return tr("Starting the model server");
    case State::kLoading:
      return loadingText(command().model, status_.first());
    case State::kReady:
      return tr("Ready");
    case State::kRestarting:
      return tr("Restarting the model");
    case State::kFailed:
      return tr("Model failed");
  }
  return {};
}

void RuntimeServer::setState(State state, editor::Error problem) {
  if (state == state_ && problem == problem_) return;
  state_ = state;
  problem_ = std::move(problem);
  Q_EMIT stateChanged();
}

void RuntimeServer::start() {
  if (command().model.isEmpty()) {
    setState(State::kFailed, {tr("There is no model file."), tr("Choose a GGUF file.")});
    return;
  }
  const bool joins = host_->isRunning();
  host_->start();
  if (!joins || state_ != State::kStopped) return;
  setState(State::kStarting);
  if (host_->endpoint()) client_->connectTo(*host_->endpoint());
}

void RuntimeServer::stop() { host_->stop(); }

void RuntimeServer::restart() {
  client_->close();
  if (host_->isRunning()) return host_->restart();
  start();
}

void RuntimeServer::replace(std::unique_ptr<RuntimeProcess> process,
                            std::unique_ptr<RuntimeClient> client, const ServerStatus& status) {
  Q_ASSERT(status.state == ModelState::kReady);
  // The old one may be up the call stack of nobody here, but let it end in its own time.
  RuntimeClient* oldClient = client_.release();
  oldClient->disconnect(this);
  client_ = std::move(client);
  wireClient();
  host_->replace(std::move(process), client_->endpoint(), this);
  Q_EMIT clientChanged();
  oldClient->close();
  oldClient->deleteLater();
  onStatus(status);
}

void RuntimeServer::setLoadsAnother(bool loads) { host_->setLoadsAnother(this, loads); }

void RuntimeServer::wireHost() {
  const RuntimeHost* host = host_.get();
  connect(host, &RuntimeHost::starting, this, [this] {
    if (state_ != State::kRestarting) setState(State::kStarting);
  });
  connect(host, &RuntimeHost::listening, this,
          [this](const RuntimeEndpoint& endpoint) { client_->connectTo(endpoint); });
  connect(host, &RuntimeHost::died, this, [this](const editor::Error& problem, int retryMs) {
    Q_EMIT died(problem);
    client_->close();
    setState(retryMs < 0 ? State::kFailed : State::kRestarting, problem);
  });
  connect(host, &RuntimeHost::stopping, this, [this] {
    client_->close();
    setState(State::kStopped);
  });
  connect(host, &RuntimeHost::restarting, this, [this] {
    client_->close();
    setState(State::kStarting);
  });
  connect(host, &RuntimeHost::replaced, this, [this](const QObject* by) {
    if (by == this) return;
    // First, so that the end of the session is not taken for a fault.
    setState(State::kStarting);
    client_->connectTo(*host_->endpoint());
  });
}

void RuntimeServer::wireClient() {
  RuntimeClient* client = client_.get();
  connect(client, &RuntimeClient::lost, this, [this] {
    if (state_ == State::kReady || state_ == State::kLoading)
      setState(State::kRestarting, {tr("The connection to the model server broke."), {}});
  });
  connect(client, &RuntimeClient::unreachable, this, [this](const editor::Error& problem) {
    setState(State::kRestarting, problem);
    host_->abandon(problem);
  });
  connect(client, &RuntimeClient::status, this, &RuntimeServer::onStatus);
}

void RuntimeServer::onStatus(const ServerStatus& status) {
  const bool isFurther = status.first().progress != status_.first().progress;
  const State before = state_;
  status_ = status;
  switch (status.state) {
    case ModelState::kLoading:
      setState(State::kLoading);
      break;
    case ModelState::kFailed:
      setState(State::kFailed, status.problem);
      break;
    case ModelState::kIdle:
    case ModelState::kReady:
      Q_EMIT loaded(status);
      setState(State::kReady);
      Q_EMIT ready(status);
      break;
  }
  if (isFurther && state_ == before) Q_EMIT stateChanged();
}

}  // namespace waferpair::gui
