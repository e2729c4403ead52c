// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/pairing_models.h"

#include <QFileInfo>
#include <QTimer>
#include <algorithm>

#include "gui/client/runtime_service.h"
#include "gui/client/served_model.h"

namespace waferpair::gui {
namespace {

constexpr QLatin1String kFilePrefix("file:");
// waferd ends an answer after 256 tokens where a request names no limit.
constexpr int kServedOutputTokens = 4096;
constexpr PairingModels::Role kRoles[] = {PairingModels::Role::kFast, PairingModels::Role::kDeep};

pairing::ModelEntry entryFor(const ServedModel& served, const QString& id, const QString& name) {
  pairing::ModelEntry entry;
  entry.id = id;
  entry.name = name;
  entry.protocol = pairing::Protocol::kResponses;
  entry.address = {served.base, served.token, served.name};
  entry.contextTokens = served.contextTokens;
  entry.outputTokens = kServedOutputTokens;
  return entry;
}

const pairing::ModelEntry* findById(const QVector<pairing::ModelEntry>& models, const QString& id) {
  const auto found = std::find_if(models.cbegin(), models.cend(),
                                  [&id](const auto& model) { return model.id == id; });
  return found == models.cend() ? nullptr : &*found;
}

}  // namespace

PairingModels::PairingModels(pairing::ModelRoster* roster, RuntimeService* runtime,
                             const AppPaths& paths, QObject* parent)
    : QObject(parent),
      roster_(roster),
      runtime_(runtime),
      file_(paths.config + QStringLiteral("/models.json")) {
  const StoredModelsRead read = readStoredModels(file_);
  stored_ = read.models;
  if (!read.problem.isEmpty()) {
    // Once somebody can hear of it.
    QTimer::singleShot(0, this, [this, text = read.problem] { Q_EMIT problem(text); });
  }
  if (runtime_) {
    connect(runtime_, &RuntimeService::stateChanged, this, &PairingModels::follow);
    connect(runtime_, &RuntimeService::modelChosen, this, &PairingModels::follow);
    connect(&runtime_->server(), &RuntimeServer::ready, this, &PairingModels::follow);
  }
  fill();
}

PairingModels::~PairingModels() {
  for (const auto& [path, server] : servers_) server->disconnect(this);
}

void PairingModels::start() {
  started_ = true;
  follow();
}

void PairingModels::follow() {
  serveFiles();
  fetchKeys();
  fill();
}

QString PairingModels::wantedFile(Role role) const {
  const QString id = wanted(role);
  return id.startsWith(kFilePrefix) ? id.mid(kFilePrefix.size()) : QString();
}

// One waferd for each file that has a role, but for the file that is served anyway.
void PairingModels::serveFiles() {
  if (!runtime_ || !started_) return;
  QStringList wantedFiles;
  for (const Role role : kRoles) {
    const QString path = wantedFile(role);
    if (!path.isEmpty() && path != runtime_->modelPath()) wantedFiles.append(path);
  }
  for (auto it = servers_.begin(); it != servers_.end();) {
    if (wantedFiles.contains(it->first)) {
      ++it;
      continue;
    }
    it->second->disconnect(this);
    it->second->stop();
    it->second.release()->deleteLater();
    it = servers_.erase(it);
  }
  for (const QString& path : std::as_const(wantedFiles)) {
    if (servers_.count(path) > 0) continue;
    RuntimeCommand command = runtime_->server().command();
    command.model = path;
    command.sessionCache.clear();  // the other one's
    RuntimeServer* server =
        servers_.emplace(path, std::make_unique<RuntimeServer>(command)).first->second.get();
    connect(server, &RuntimeServer::ready, this, &PairingModels::fill);
    connect(server, &RuntimeServer::stateChanged, this, [this, server, path] {
      fill();
      if (server->state() == RuntimeServer::State::kFailed) {
        Q_EMIT problem(tr("%1 cannot be used for pairing: %2")
                           .arg(stored_.files.value(path, path), server->problem().message()));
      }
    });
    server->start();
  }
}

// Only of models that have a role: the store may ask the user to unlock it.
void PairingModels::fetchKeys() {
  if (!started_) return;
  for (const Role role : kRoles) {
    const pairing::ModelEntry* entry = findById(stored_.endpoints, wanted(role));
    if (!entry) continue;
    const QString address = plainAddress(entry->address.base);
    if (!stored_.keptKeys.contains(address) || keys_.contains(address) ||
        awaited_.contains(address)) {
      continue;
    }
    awaited_.insert(address);
    const QString host = entry->address.base.host();
    secrets_.find(address, [this, address, host](const QByteArray& key,
                                                 const editor::Error& error) {
      awaited_.remove(address);
      if (!keys_.contains(address)) keys_[address] = key;
      fill();
      if (!error.what.isEmpty()) {
        Q_EMIT problem(tr("The key for %1 cannot be had. %2").arg(host, error.what));
      } else if (key.isEmpty()) {
        Q_EMIT problem(tr("The secret store has no key for %1. Enter it where the model is chosen.")
                           .arg(host));
      }
    });
  }
}

void PairingModels::findKey(const QUrl& base,
                            const std::function<void(const QByteArray& key)>& found) {
  const QString address = plainAddress(base);
  if (keys_.contains(address) || !stored_.keptKeys.contains(address))
    return found(keys_.value(address));
  secrets_.find(address, [this, found, host = base.host()](const QByteArray& key,
                                                           const editor::Error& error) {
    if (!error.what.isEmpty())
      Q_EMIT problem(tr("The key for %1 cannot be had. %2").arg(host, error.what));
    found(key);
  });
}

void PairingModels::fill() {
  QVector<pairing::ModelEntry> models;
  std::optional<ServedModel> served;
  if (runtime_) served = servedModel(runtime_->server());
  servedRefusal_.clear();
  if (served && !served->followsInstructions) {
    servedRefusal_ =
        tr("%1 completes code and follows no instructions: its file has no chat template that is "
           "known here.")
            .arg(served->name);
    served.reset();
  }
  if (served) models.append(entryFor(*served, servedId(), served->name));
  for (const Role role : kRoles) {
    const QString path = wantedFile(role);
    if (path.isEmpty() || findById(models, fileId(path))) continue;
    const auto own = servers_.find(path);
    std::optional<ServedModel> file;
    if (own != servers_.end())
      file = servedModel(*own->second);
    else if (runtime_ && runtime_->modelPath() == path)
      file = served;
    if (file && file->followsInstructions)
      models.append(entryFor(*file, fileId(path), stored_.files.value(path, file->name)));
  }
  for (pairing::ModelEntry entry : stored_.endpoints) {
    const QString address = plainAddress(entry.address.base);
    if (awaited_.contains(address)) continue;
    entry.address.key = keys_.value(address);
    models.append(entry);
  }
  roster_->setAgreedHosts(stored_.agreedHosts);
  roster_->setAgreedAgents(stored_.agreedAgents);
  roster_->setRouting(stored_.routing);
  roster_->setModels(models);
  for (const Role role : kRoles) {
    const QString id = wanted(role);
    roster_->setRole(role, findById(models, id) ? id : QString());
  }
  Q_EMIT changed();
}

QString PairingModels::wanted(Role role) const {
  // Where nothing was chosen yet, the model that is there anyway does small work.
  return role == Role::kFast ? stored_.fast.value_or(servedId()) : stored_.deep.value_or(QString());
}

QString PairingModels::wantedText(Role role) const {
  if (const pairing::ModelEntry* there = roster_->inRole(role)) return there->name;
  const QString id = wanted(role);
  if (const QString path = wantedFile(role); !path.isEmpty()) {
    const QString name = stored_.files.value(path, QFileInfo(path).fileName());
    const auto server = servers_.find(path);
    const RuntimeServer::State state =
        server == servers_.end() ? runtime_ ? runtime_->state() : RuntimeServer::State::kFailed
                                 : server->second->state();
    const bool isFailed =
        state == RuntimeServer::State::kFailed || state == RuntimeServer::State::kReady;
    return (isFailed ? tr("%1 (cannot be used)") : tr("%1 (loading)")).arg(name);
  }
  if (const pairing::ModelEntry* endpoint = findById(stored_.endpoints, id))
    return tr("%1 (waits for its key)").arg(endpoint->name);
  return {};
}

void PairingModels::setUp(const pairing::ModelEntry& endpoint) {
  pairing::ModelEntry added = endpoint;
  added.id = added.isAgent() ? pairing::agentId(added.agent) : endpointId(added.address);
  const QByteArray key = std::exchange(added.address.key, {});
  const auto same = std::find_if(stored_.endpoints.begin(), stored_.endpoints.end(),
                                 [&added](const auto& entry) { return entry.id == added.id; });
  if (same == stored_.endpoints.end()) {
    stored_.endpoints.append(added);
  } else {
    *same = added;
  }
  if (!key.isEmpty()) {
    const QString address = plainAddress(added.address.base);
    keys_[address] = key;
    const QString host = added.address.base.host();
    secrets_.keep(address, key, [this, address, host](const editor::Error& error) {
      if (!error.what.isEmpty()) {
        Q_EMIT problem(
            tr("The key for %1 is kept until the program ends. %2").arg(host, error.what));
      } else if (!stored_.keptKeys.contains(address)) {
        stored_.keptKeys.append(address);
        save();
      }
    });
  }
  save();
}

void PairingModels::remove(const QString& id) {
  const pairing::ModelEntry* entry = findById(stored_.endpoints, id);
  if (!entry) return;
  const QString address = plainAddress(entry->address.base);
  stored_.agreedAgents.removeAll(id);
  stored_.endpoints.removeIf([&id](const auto& other) { return other.id == id; });
  if (stored_.fast == id) stored_.fast = QString();
  if (stored_.deep == id) stored_.deep = QString();
  const bool isLast =
      std::none_of(stored_.endpoints.cbegin(), stored_.endpoints.cend(),
                   [&](const auto& other) { return plainAddress(other.address.base) == address; });
  if (isLast) {
    keys_.remove(address);
    if (stored_.keptKeys.removeAll(address) > 0) {
      secrets_.remove(address, [this](const editor::Error& error) {
        if (!error.what.isEmpty()) Q_EMIT problem(error.what);
      });
    }
  }
  save();
}

void PairingModels::setRole(Role role, const QString& id) {
  (role == Role::kFast ? stored_.fast : stored_.deep) = id;
  for (auto it = stored_.files.begin(); it != stored_.files.end();) {
    const bool isUsed = it.key() == wantedFile(Role::kFast) || it.key() == wantedFile(Role::kDeep);
    it = isUsed ? std::next(it) : stored_.files.erase(it);
  }
  save();
}

void PairingModels::setFileRole(Role role, const QString& path, const QString& name) {
  stored_.files[path] = name;
  setRole(role, fileId(path));
}

void PairingModels::nextRouting() {
  switch (stored_.routing) {
    case Routing::kByWork:
      stored_.routing = Routing::kFast;
      break;
    case Routing::kFast:
      stored_.routing = Routing::kDeep;
      break;
    case Routing::kDeep:
      stored_.routing = Routing::kByWork;
      break;
  }
  save();
}

void PairingModels::setRouting(Routing routing) {
  stored_.routing = routing;
  save();
}

void PairingModels::agreeToAgent(const QString& id) {
  if (!stored_.agreedAgents.contains(id)) stored_.agreedAgents.append(id);
  save();
}

void PairingModels::withdrawAgent(const QString& id) {
  stored_.agreedAgents.removeAll(id);
  save();
}

void PairingModels::agree(const QString& host) {
  if (!stored_.agreedHosts.contains(host)) stored_.agreedHosts.append(host);
  save();
}

void PairingModels::agreeToFetch(const QString& host) {
  if (!mayFetchFrom(host)) stored_.fetchHosts.append(host);
  save();
}

void PairingModels::withdraw(const QString& host) {
  stored_.agreedHosts.removeAll(host);
  stored_.fetchHosts.removeAll(host);
  save();
}

void PairingModels::save() {
  const QString text = writeStoredModels(file_, stored_);
  follow();
  if (!text.isEmpty()) Q_EMIT problem(text);
}

}  // namespace waferpair::gui
