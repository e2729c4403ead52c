// SPDX-License-Identifier: GPL-3.0-or-later
// models.json: the models for pairing that the user has set up, which does what work, which hosts
// text may go to and which may be asked for models. Keys of endpoints are no part of it
// (gui/store/secret_store.h).
#pragma once

#include <QMap>
#include <QStringList>
#include <QVector>
#include <optional>

#include "pairing/models/model_roster.h"

namespace waferpair::gui {

struct StoredModels {
  QVector<pairing::ModelEntry> endpoints;  // without keys
  // Ids; one that nothing was ever chosen for is missing, an empty one was given to nobody.
  std::optional<QString> fast;
  std::optional<QString> deep;
  std::optional<QString> nextEdit;
  pairing::ModelRoster::Routing routing = pairing::ModelRoster::Routing::kByWork;
  QStringList agreedHosts;
  QStringList agreedAgents;      // ids of those that may be started
  QStringList fetchHosts;        // hubs that may be asked for models
  QStringList keptKeys;          // addresses whose keys are in the secret store
  QMap<QString, QString> files;  // of models that have a role: path to the user's name for it

  bool operator==(const StoredModels&) const = default;
};

struct StoredModelsRead {
  StoredModels models;
  QString problem;  // empty when all was read, or when there is no such file
};

// An entry that cannot be one is left out, which `problem` says.
StoredModelsRead readStoredModels(const QString& path);
// Writes as writeJson() does.
QString writeStoredModels(const QString& path, const StoredModels& models);

// "https://api.example.com/v1", however it was written.
QString plainAddress(const QUrl& base);
// The same for the same model at the same address.
QString endpointId(const pairing::EndpointAddress& address);
// Why this cannot be the base of a model's address; empty: it can.
QString baseProblem(const QUrl& base);

}  // namespace waferpair::gui
