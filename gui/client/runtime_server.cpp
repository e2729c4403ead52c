// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/runtime_server.h"

#include <QFileInfo>
#include <utility>

#include "gui/client/runtime_client.h"

namespace waferpair::gui {

RuntimeServer::RuntimeServer(RuntimeCommand command, QObject* parent)
    : QObject(parent), command_(std::move(command)), client_(std::make_unique<RuntimeClient>()) {
  wireClient();
}

RuntimeServer::~RuntimeServer() {
  client_->disconnect(this);
  if (process_) process_->disconnect(this);
}

QString RuntimeServer::stateText() const {
  switch (state_) {
    case State::kStopped:
      return tr("Model stopped");
    case State::kStarting:
      return tr("Starting the model server");
    case State::kLoading:
      return tr("Loading model %1").arg(QFileInfo(command_.model).fileName());
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
  if (process_ && process_->isRunning()) return;
  if (command_.model.isEmpty()) {
    setState(State::kFailed, {tr("There is no model file."), tr("Choose a GGUF file.")});
    return;
  }
  process_ = std::make_unique<RuntimeProcess>(command_);
  wireProcess();
  process_->start();
}

void RuntimeServer::stop() {
  client_->close();
  if (process_) process_->stop();
  setState(State::kStopped);
}

void RuntimeServer::restart() {
  client_->close();
  if (!process_ || !process_->isRunning()) {
    start();
    return;
  }
  setState(State::kStarting);
  process_->restart();
}

void RuntimeServer::replace(std::unique_ptr<RuntimeProcess> process,
                            std::unique_ptr<RuntimeClient> client, const ServerStatus& status) {
  Q_ASSERT(status.state == ModelState::kReady);
  // The old ones may be up the call stack of nobody here, but let them end on their own time.
  RuntimeClient* oldClient = client_.release();
  oldClient->disconnect(this);
  if (process_) {
    process_->disconnect(this);
    process_->setParent(this);
    connect(process_.get(), &RuntimeProcess::stopped, process_.get(), &QObject::deleteLater);
    process_.release()->stop();
  }
  process_ = std::move(process);
  process_->setRestarts(RuntimeProcess::Restarts::kAfterCrash);
  client_ = std::move(client);
  command_ = process_->command();
  wireProcess();
  wireClient();
  Q_EMIT clientChanged();
  oldClient->close();
  oldClient->deleteLater();
  onStatus(status);
}

void RuntimeServer::setLoadsAnother(bool loads) {
  if (process_) process_->setExcused(loads);
}

void RuntimeServer::wireProcess() {
  RuntimeProcess* process = process_.get();
  connect(process, &RuntimeProcess::starting, this, [this] {
    if (state_ != State::kRestarting) setState(State::kStarting);
  });
  connect(process, &RuntimeProcess::listening, this,
          [this](const RuntimeEndpoint& endpoint) { client_->connectTo(endpoint); });
  connect(process, &RuntimeProcess::died, this, [this](const editor::Error& problem, int retryMs) {
    Q_EMIT died(problem);
    client_->close();
    setState(retryMs < 0 ? State::kFailed : State::kRestarting, problem);
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
    if (process_) process_->abandon(problem);
  });
  connect(client, &RuntimeClient::status, this, &RuntimeServer::onStatus);
}

void RuntimeServer::onStatus(const ServerStatus& status) {
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
}

}  // namespace waferpair::gui
