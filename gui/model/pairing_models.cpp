// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/pairing_models.h"

#include <QFileInfo>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "gui/client/runtime_service.h"
#include "gui/client/served_model.h"
#include "gui/model/runtime_texts.h"

namespace waferpair::gui {
namespace {

constexpr QLatin1String kFilePrefix("file:");
// waferd ends an answer after 256 tokens where a request names no limit.
constexpr int kServedOutputTokens = 4096;
constexpr PairingModels::Role kRoles[] = {PairingModels::Role::kFast, PairingModels::Role::kDeep,
                                          PairingModels::Role::kNextEdit};

pairing::ModelEntry entryFor(const ServedModel& served, const QString& id, const QString& name) {
  pairing::ModelEntry entry;
  entry.id = id;
  entry.name = name;
  entry.protocol = pairing::Protocol::kResponses;
  entry.address = {served.base, served.token, served.request};
  entry.contextTokens = served.contextTokens;
  entry.parameters = served.parameters;
  entry.readsAhead = true;
  entry.keepsForms = true;
  entry.outputTokens = kServedOutputTokens;
  entry.followsInstructions = served.followsInstructions;
  return entry;
}

// What is to be said behind the name of a file that has work; nothing where it is ready.
QString fileStateText(const RuntimeService& runtime, const QString& path,
                      const editor::Error& failure) {
  const HostedModel* model = runtime.hosted()->find(path);
  const bool isLoading = model && model->state == ModelState::kLoading;
  if (!failure.what.isEmpty() && !isLoading) return PairingModels::tr("cannot be used");
  if (!model) {
    const RuntimeServer::State state = runtime.state();
    const bool mayCome =
        state != RuntimeServer::State::kFailed && state != RuntimeServer::State::kStopped;
    // Of a server that tells of no models, the first is the only one.
    if (state == RuntimeServer::State::kReady && runtime.modelPath() == path) return {};
    return mayCome ? PairingModels::tr("loading") : PairingModels::tr("cannot be used");
  }
  if (model->state == ModelState::kReady) return {};
  if (model->state == ModelState::kIdle) return PairingModels::tr("idle");
  const int percent = static_cast<int>(model->progress.value_or(0) * 100);
  return percent > 0 ? PairingModels::tr("loading, %1 %").arg(percent)
                     : PairingModels::tr("loading");
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
    connect(runtime_->hosted(), &HostedModels::changed, this, [this] {
      fill();
      tellFailures();
    });
    connect(runtime_->hosted(), &HostedModels::refused, this,
            [this](const editor::Error& refusal) { Q_EMIT problem(refusal.message()); });
  }
  fill();
}

void PairingModels::start() {
  started_ = true;
  follow();
}

void PairingModels::follow() {
  offerFiles();
  fetchKeys();
  fill();
  tellFailures();
}

QString PairingModels::wantedFile(Role role) const {
  const QString id = wanted(role);
  return id.startsWith(kFilePrefix) ? id.mid(kFilePrefix.size()) : QString();
}

void PairingModels::offerFiles() {
  if (!runtime_ || !started_) return;
  QStringList files;
  for (const Role role : kRoles) {
    const QString path = wantedFile(role);
    if (!path.isEmpty() && !files.contains(path)) files.append(path);
  }
  runtime_->hosted()->offer(files);
}

QString PairingModels::nameOf(const QString& file) const {
  return stored_.files.value(file, QFileInfo(file).fileName());
}

editor::Error PairingModels::failureOf(const QString& file) const {
  const bool needsInstructions = wantedFile(Role::kFast) == file || wantedFile(Role::kDeep) == file;
  const editor::Error withheld = runtime_->hosted()->withheld(file);
  if (!withheld.what.isEmpty()) return withheld;
  const HostedModel* model = runtime_->hosted()->find(file);
  if (!model || !model->problem.what.isEmpty()) return model ? model->problem : editor::Error{};
  if (model->name.isEmpty() || model->followsInstructions || !needsInstructions) return {};
  return {tr("%1 completes code and follows no instructions: its file has no chat template that is "
             "known here.")
              .arg(model->name),
          tr("Choose another model for pairing.")};
}

// Each failure once: it may be told of in many a status.
void PairingModels::tellFailures() {
  QHash<QString, editor::Error> failures;
  for (const Role role : kRoles) {
    const QString path = wantedFile(role);
    if (path.isEmpty() || !runtime_ || path == runtime_->modelPath()) continue;
    if (const editor::Error failure = failureOf(path); !failure.what.isEmpty())
      failures[path] = failure;
  }
  const QHash<QString, editor::Error> before = std::exchange(failures_, failures);
  for (auto it = failures.cbegin(); it != failures.cend(); ++it) {
    if (before.value(it.key()) == it.value()) continue;
    Q_EMIT loadFailed(
        it.key(),
        tr("%1 cannot be used for pairing: %2").arg(nameOf(it.key()), it.value().message()));
  }
  for (auto it = before.cbegin(); it != before.cend(); ++it)
    if (!failures.contains(it.key())) Q_EMIT loadFailed(it.key(), {});
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
  std::optional<pairing::ModelEntry> first;
  if (served) first = entryFor(*served, servedId(), served->name);
  if (first && !served->followsInstructions && !pairing::taughtFormat(*first)) {
    servedRefusal_ =
        tr("%1 completes code and follows no instructions: its file has no chat template that is "
           "known here.")
            .arg(served->name);
    first.reset();
  }
  if (first) models.append(*first);
  for (const Role role : kRoles) {
    const QString path = wantedFile(role);
    if (path.isEmpty() || findById(models, fileId(path))) continue;
    std::optional<ServedModel> file;
    const HostedModel* hosted = runtime_ ? runtime_->hosted()->find(path) : nullptr;
    if (runtime_ && runtime_->modelPath() == path)
      file = served;
    else if (hosted && hosted->state != ModelState::kFailed)
      file = servedModel(runtime_->server(), *hosted);
    if (!file) continue;
    const pairing::ModelEntry entry =
        entryFor(*file, fileId(path), stored_.files.value(path, file->name));
    if (file->followsInstructions || pairing::taughtFormat(entry)) models.append(entry);
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
    const pairing::ModelEntry* entry = findById(models, id);
    const bool isTaught = entry && pairing::taughtFormat(*entry);
    roster_->setRole(role, entry && (role != Role::kNextEdit || isTaught) ? id : QString());
  }
  Q_EMIT changed();
}

QString PairingModels::wanted(Role role) const {
  // Where nothing was chosen yet, the model that is there anyway does small work, and what it was
  // taught.
  switch (role) {
    case Role::kFast:
      return stored_.fast.value_or(servedId());
    case Role::kDeep:
      return stored_.deep.value_or(QString());
    case Role::kNextEdit:
      break;
  }
  return stored_.nextEdit.value_or(servedId());
}

QString PairingModels::wantedText(Role role) const {
  if (const QString path = wantedFile(role); !path.isEmpty()) {
    const QString name = nameOf(path);
    const QString state =
        runtime_ ? fileStateText(*runtime_, path, failureOf(path)) : tr("cannot be used");
    return state.isEmpty() ? name : tr("%1 (%2)").arg(name, state);
  }
  if (const pairing::ModelEntry* there = roster_->inRole(role)) return there->name;
  if (const pairing::ModelEntry* endpoint = findById(stored_.endpoints, wanted(role)))
    return tr("%1 (waits for its key)").arg(endpoint->name);
  return {};
}

QString PairingModels::memoryText(Role role) const {
  const QString path = wantedFile(role);
  if (path.isEmpty() || !runtime_) return {};
  if (const editor::Error failure = failureOf(path); !failure.what.isEmpty())
    return failure.message();
  const HostedModel* model = runtime_->hosted()->find(path);
  return model ? texts::memory(*model) : QString();
}

QString PairingModels::ownFile() const {
  const QString deep = wantedFile(Role::kDeep);
  return deep.isEmpty() ? wantedFile(Role::kFast) : deep;
}

void PairingModels::loadOrUnload() {
  const QString path = ownFile();
  if (path.isEmpty() || !runtime_) {
    Q_EMIT problem(tr("No model file of yours does work for pairing. Choose one first."));
    return;
  }
  const HostedModel* model = runtime_->hosted()->find(path);
  if (model && model->state == ModelState::kReady)
    runtime_->hosted()->unload(path);
  else
    runtime_->hosted()->load(path);
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
  if (stored_.nextEdit == id) stored_.nextEdit = QString();
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
  (role == Role::kFast ? stored_.fast : role == Role::kDeep ? stored_.deep : stored_.nextEdit) = id;
  for (auto it = stored_.files.begin(); it != stored_.files.end();) {
    const bool isUsed = std::any_of(std::begin(kRoles), std::end(kRoles),
                                    [&](Role one) { return it.key() == wantedFile(one); });
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
