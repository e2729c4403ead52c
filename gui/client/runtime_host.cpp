// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/runtime_host.h"

#include <utility>

namespace waferpair::gui {

RuntimeHost::RuntimeHost(RuntimeCommand command, QObject* parent)
    : QObject(parent), command_(std::move(command)) {}

RuntimeHost::~RuntimeHost() {
  if (process_) process_->disconnect(this);
}

bool RuntimeHost::setAdapters(const QStringList& adapters) {
  return std::exchange(command_.adapters, adapters) != adapters;
}

void RuntimeHost::start() {
  // One that is just leaving comes back.
  if (isRunning()) return process_->start();
  endpoint_.reset();
  process_ = std::make_unique<RuntimeProcess>(command_);
  wire();
  process_->start();
}

void RuntimeHost::stop() {
  endpoint_.reset();
  Q_EMIT stopping();
  if (process_) process_->stop();
}

void RuntimeHost::restart() {
  if (!isRunning()) return start();
  endpoint_.reset();
  Q_EMIT restarting();
  process_->restart();
}

void RuntimeHost::abandon(const editor::Error& problem) {
  if (process_) process_->abandon(problem);
}

void RuntimeHost::replace(std::unique_ptr<RuntimeProcess> process, const RuntimeEndpoint& endpoint,
                          const QObject* by) {
  if (process_) {
    // Nobody here may be up its call stack, but let it end in its own time.
    process_->disconnect(this);
    process_->setParent(this);
    connect(process_.get(), &RuntimeProcess::stopped, process_.get(), &QObject::deleteLater);
    process_.release()->stop();
  }
  process_ = std::move(process);
  process_->setRestarts(RuntimeProcess::Restarts::kAfterCrash);
  command_ = process_->command();
  endpoint_ = endpoint;
  wire();
  excuse();
  Q_EMIT replaced(by);
}

void RuntimeHost::setLoadsAnother(const QObject* who, bool loads) {
  if (loads) {
    loaders_.insert(who);
  } else {
    loaders_.remove(who);
  }
  excuse();
}

void RuntimeHost::excuse() {
  if (process_) process_->setExcused(!loaders_.isEmpty());
}

void RuntimeHost::wire() {
  const RuntimeProcess* process = process_.get();
  connect(process, &RuntimeProcess::starting, this, &RuntimeHost::starting);
  connect(process, &RuntimeProcess::listening, this, [this](const RuntimeEndpoint& endpoint) {
    endpoint_ = endpoint;
    Q_EMIT listening(endpoint);
  });
  connect(process, &RuntimeProcess::died, this, [this](const editor::Error& problem, int retryMs) {
    endpoint_.reset();
    loaders_.clear();
    Q_EMIT died(problem, retryMs);
  });
}

}  // namespace waferpair::gui
