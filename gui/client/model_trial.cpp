// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/model_trial.h"

#include <utility>

#include "gui/client/runtime_client.h"

namespace waferpair::gui {

ModelTrial::ModelTrial(const RuntimeCommand& command, QObject* parent)
    : QObject(parent),
      model_(command.model),
      process_(std::make_unique<RuntimeProcess>(command, RuntimeProcess::Restarts::kNever)),
      client_(std::make_unique<RuntimeClient>()) {
  const auto fail = [this](const editor::Error& problem) {
    finish();
    Q_EMIT failed(problem);
  };
  connect(process_.get(), &RuntimeProcess::listening, client_.get(), &RuntimeClient::connectTo);
  connect(process_.get(), &RuntimeProcess::died, this, fail);
  connect(client_.get(), &RuntimeClient::unreachable, this, fail);
  connect(client_.get(), &RuntimeClient::status, this, [this, fail](const ServerStatus& status) {
    if (status.state == ModelState::kFailed) return fail(status.problem);
    if (status.state != ModelState::kReady) {
      const HostedModel before = std::exchange(told_, status.first());
      if (before.name != told_.name || before.progress != told_.progress) Q_EMIT progressed();
      return;
    }
    finish();
    Q_EMIT passed(status);
  });
}

ModelTrial::~ModelTrial() = default;

void ModelTrial::start() { process_->start(); }

// Ignores all further signals of the process and the client: the outcome is decided.
void ModelTrial::finish() {
  process_->disconnect(this);
  process_->disconnect(client_.get());
  client_->disconnect(this);
}

std::unique_ptr<RuntimeProcess> ModelTrial::takeProcess() { return std::move(process_); }

std::unique_ptr<RuntimeClient> ModelTrial::takeClient() { return std::move(client_); }

void ModelTrial::end() {
  finish();
  client_->close();
  connect(process_.get(), &RuntimeProcess::stopped, this, &QObject::deleteLater);
  process_->stop();
}

}  // namespace waferpair::gui
