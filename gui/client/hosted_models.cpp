// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/hosted_models.h"

#include <QFileInfo>
#include <QJsonArray>
#include <algorithm>
#include <utility>

#include "gui/client/model_adapters.h"
#include "gui/client/runtime_client.h"
#include "gui/client/runtime_server.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

namespace field = protocol::field;
namespace request = protocol::request;

}  // namespace

HostedModels::HostedModels(RuntimeServer* server, QObject* parent)
    : QObject(parent), server_(server) {
  connect(server_, &RuntimeServer::clientChanged, this, [this] {
    forgetAll();
    followClient();
  });
  connect(server_, &RuntimeServer::ready, this, &HostedModels::onStatus);
  connect(server_, &RuntimeServer::died, this, &HostedModels::onDeath);
  connect(server_, &RuntimeServer::stateChanged, this, [this] {
    using State = RuntimeServer::State;
    if (server_->state() == State::kStopped || server_->state() == State::kStarting) forgetAll();
  });
  followClient();
}

void HostedModels::followClient() {
  connect(server_->client(), &RuntimeClient::serverError, this, &HostedModels::onError);
}

void HostedModels::offer(const QStringList& files) {
  if (files == std::exchange(wanted_, files)) return;
  tellWishes();
}

void HostedModels::offerToSuggest(const QString& file) {
  if (file == std::exchange(suggesting_, file)) return;
  tellWishes();
}

QStringList HostedModels::allWanted() const {
  QStringList all = wanted_;
  if (!suggesting_.isEmpty() && !all.contains(suggesting_)) all.append(suggesting_);
  return all;
}

void HostedModels::setAdapters(const QStringList& adapters) {
  const QStringList before = std::exchange(adapters_, adapters);
  if (before == adapters) return;
  for (const QString& file : std::as_const(given_))
    if (adapterArguments(before, file) != adapterArguments(adapters, file)) stale_.insert(file);
  tellWishes();
}

bool HostedModels::isFirst(const QString& file) const {
  return all_.isEmpty() ? file == server_->command().model : file == all_.first().file;
}

const HostedModel* HostedModels::find(const QString& file) const {
  const auto found = std::find_if(all_.cbegin(), all_.cend(),
                                  [&file](const auto& model) { return model.file == file; });
  return found == all_.cend() ? nullptr : &*found;
}

void HostedModels::onStatus(const ServerStatus& status) {
  hasWish_ = false;
  loading_.clear();
  all_ = status.models;
  for (const HostedModel& model : std::as_const(all_)) asked_.remove(model.file);
  // One that is gone may come back by another window's wish: it is that one's to forget then.
  given_.removeIf([this](const QString& file) { return !find(file) && !asked_.contains(file); });
  tellWishes();
  Q_EMIT changed();
}

void HostedModels::tellWishes() {
  if (server_->state() != RuntimeServer::State::kReady) return;
  const QStringList wanted = allWanted();
  for (const QString& file : wanted) {
    const bool isKnown = isFirst(file) || find(file) || asked_.contains(file);
    if (!isKnown && !withheld_.contains(file)) give(file, false);
  }
  bool isLoading = !loading_.isEmpty();
  for (const HostedModel& model : std::as_const(all_)) {
    if (isFirst(model.file)) continue;
    if (model.state == ModelState::kLoading) {
      isLoading = true;
    } else if (given_.contains(model.file) &&
               (!wanted.contains(model.file) || stale_.contains(model.file))) {
      // One that is at work stays, and is tried again with the next news.
      QJsonObject forget = newMessage(request::kModelUnload);
      put(forget, field::model_unload::kModel, model.file);
      put(forget, field::model_unload::kForget, true);
      server_->client()->send(forget);
    }
  }
  server_->setLoadsAnother(isLoading);
}

void HostedModels::give(const QString& file, bool now) {
  QJsonObject load = newMessage(request::kModelLoad);
  put(load, field::model_load::kModel, file);
  if (!now) put(load, field::model_load::kNow, false);
  QJsonArray adapters;
  for (const ModelAdapter& adapter : adaptersOf(adapters_, file)) {
    QJsonObject entry;
    put(entry, field::adapter::kFile, adapter.file);
    put(entry, field::adapter::kFactor, adapter.factor);
    adapters.append(entry);
  }
  if (!adapters.isEmpty() && !isFirst(file)) put(load, field::model_load::kAdapters, adapters);
  server_->client()->send(load);
  if (isFirst(file)) return;
  given_.insert(file);
  stale_.remove(file);
  if (!find(file)) asked_.insert(file);
}

void HostedModels::load(const QString& file) {
  withheld_.remove(file);
  if (server_->state() != RuntimeServer::State::kReady) {
    Q_EMIT refused({server_->stateText() + u'.', tr("Try again when the model server is ready.")});
    return;
  }
  hasWish_ = true;
  loading_ = isFirst(file) ? QString() : file;
  give(file, true);
  tellWishes();
  Q_EMIT changed();
}

void HostedModels::unload(const QString& file) {
  if (!find(file)) return;
  hasWish_ = true;
  QJsonObject unload = newMessage(request::kModelUnload);
  put(unload, field::model_unload::kModel, file);
  server_->client()->send(unload);
}

void HostedModels::onError(const ServerError& error) {
  const std::string code = error.code.toStdString();
  if (error.request || code != protocol::error_code::kNotReady) return;
  if (std::exchange(hasWish_, false)) Q_EMIT refused(error.problem);
}

void HostedModels::forgetAll() {
  hasWish_ = false;
  loading_.clear();
  given_.clear();
  asked_.clear();
  all_.clear();
  Q_EMIT changed();
}

// The first model is not blamed: it was loaded before any of the others was offered.
void HostedModels::onDeath(const editor::Error& problem) {
  QStringList blamed;
  if (!loading_.isEmpty()) blamed.append(loading_);
  for (const HostedModel& model : std::as_const(all_)) {
    const bool isLoading = !isFirst(model.file) && model.state == ModelState::kLoading;
    if (isLoading && !blamed.contains(model.file)) blamed.append(model.file);
  }
  for (const QString& file : std::as_const(blamed)) {
    withheld_[file] = {
        tr("The model server ended while it loaded %1. %2")
            .arg(QFileInfo(file).fileName(), problem.what),
        tr("It is not loaded again by itself: free memory or choose a smaller one, and load it.")};
  }
  forgetAll();
}

}  // namespace waferpair::gui
