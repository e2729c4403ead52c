// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/models_file.h"

#include <QJsonArray>
#include <algorithm>
#include <array>

#include "gui/store/json_file.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

using pairing::ModelEntry;
using pairing::ModelRoster;
using pairing::Protocol;

// More than anybody sets up by hand.
constexpr qsizetype kMostEndpoints = 200;
constexpr qsizetype kLongestEntry = 2048;
constexpr double kMostContext = 1e9;
constexpr double kMostParameters = 1e15;

template <typename T>
struct Word {
  T value;
  const char* word;
};

constexpr std::array kProtocols = {
    Word<Protocol>{Protocol::kChat, "chat"},
    Word<Protocol>{Protocol::kResponses, "responses"},
    Word<Protocol>{Protocol::kResponsesSocket, "responses-socket"},
    Word<Protocol>{Protocol::kAgent, "agent"},
};
constexpr std::array kRoutings = {
    Word<ModelRoster::Routing>{ModelRoster::Routing::kByWork, "by-work"},
    Word<ModelRoster::Routing>{ModelRoster::Routing::kFast, "fast"},
    Word<ModelRoster::Routing>{ModelRoster::Routing::kDeep, "deep"},
};

template <typename Words, typename T>
QString wordFor(const Words& words, T value) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [value](const auto& word) { return word.value == value; });
  return QLatin1String(found->word);
}

template <typename Words>
auto valueOf(const Words& words, const QString& text) {
  const auto found = std::find_if(words.begin(), words.end(), [&text](const auto& word) {
    return text == QLatin1String(word.word);
  });
  using Value = decltype(found->value);
  return found == words.end() ? std::optional<std::remove_const_t<Value>>()
                              : std::optional<std::remove_const_t<Value>>(found->value);
}

QStringList texts(const QJsonObject& object, const char* name) {
  QStringList all;
  for (const QJsonValue value : object.value(QLatin1String(name)).toArray()) {
    const QString text = value.toString();
    if (!text.isEmpty() && text.size() <= kLongestEntry && !all.contains(text)) all.append(text);
  }
  return all;
}

// Arguments may be empty, and the same more than once.
std::optional<ModelEntry> agentFrom(const QJsonObject& object) {
  ModelEntry entry;
  entry.protocol = Protocol::kAgent;
  entry.name = object.value(u"name").toString();
  entry.agent.program = object.value(u"program").toString();
  for (const QJsonValue value : object.value(u"arguments").toArray())
    entry.agent.arguments.append(value.toString());
  entry.agent.environment = texts(object, "environment");
  entry.id = pairing::agentId(entry.agent);
  if (entry.name.isEmpty() || entry.agent.program.isEmpty() ||
      std::max(entry.id.size(), entry.name.size()) > kLongestEntry)
    return {};
  return entry;
}

std::optional<ModelEntry> endpointFrom(const QJsonObject& object) {
  const auto text = [&object](const char* name) {
    return object.value(QLatin1String(name)).toString();
  };
  if (text("protocol") == u"agent") return agentFrom(object);
  ModelEntry entry;
  entry.name = text("name");
  entry.address.base = QUrl(text("base"), QUrl::StrictMode);
  entry.address.model = text("model");
  const auto protocol = valueOf(kProtocols, text("protocol"));
  const double context = object.value(u"context").toDouble(-1);
  const bool isShort = std::max(text("base").size(), text("model").size()) <= kLongestEntry &&
                       entry.name.size() <= kLongestEntry;
  if (!protocol || !isShort || entry.name.isEmpty() || entry.address.model.isEmpty() ||
      !baseProblem(entry.address.base).isEmpty()) {
    return {};
  }
  entry.protocol = *protocol;
  if (context >= 1 && context <= kMostContext) entry.contextTokens = static_cast<qint64>(context);
  const double parameters = object.value(u"parameters").toDouble(-1);
  if (parameters >= 1 && parameters <= kMostParameters)
    entry.parameters = static_cast<qint64>(parameters);
  entry.id = endpointId(entry.address);
  return entry;
}

QJsonObject objectFor(const ModelEntry& entry) {
  if (entry.isAgent())
    return {{"name", entry.name},
            {"protocol", wordFor(kProtocols, entry.protocol)},
            {"program", entry.agent.program},
            {"arguments", QJsonArray::fromStringList(entry.agent.arguments)},
            {"environment", QJsonArray::fromStringList(entry.agent.environment)}};
  QJsonObject object{{"name", entry.name},
                     {"protocol", wordFor(kProtocols, entry.protocol)},
                     {"base", entry.address.base.toString(QUrl::FullyEncoded)},
                     {"model", entry.address.model}};
  if (entry.contextTokens > 0) object.insert(u"context", entry.contextTokens);
  if (entry.parameters > 0) object.insert(u"parameters", entry.parameters);
  return object;
}

std::optional<QString> role(const QJsonObject& object, const char* name) {
  const QJsonValue value = object.value(QLatin1String(name));
  return value.isString() ? std::optional<QString>(value.toString()) : std::nullopt;
}

}  // namespace

QString plainAddress(const QUrl& base) {
  return base.toString(QUrl::FullyEncoded | QUrl::StripTrailingSlash);
}

QString endpointId(const pairing::EndpointAddress& address) {
  return plainAddress(address.base) + u' ' + address.model;
}

QString baseProblem(const QUrl& base) {
  if (!base.isValid() || base.host().isEmpty() ||
      (base.scheme() != u"http" && base.scheme() != u"https")) {
    return tr("An address begins with http:// or https:// and a host.");
  }
  if (!base.userInfo().isEmpty() || base.hasQuery() || base.hasFragment()) {
    return tr("Names, keys and what follows a \"?\" have no place in the address.");
  }
  return {};
}

StoredModelsRead readStoredModels(const QString& path) {
  const JsonRead json = readJson(path);
  StoredModelsRead read{{}, json.problem};
  const QJsonArray endpoints = json.object.value(u"endpoints").toArray();
  qsizetype leftOut = 0;
  for (const QJsonValue value : endpoints) {
    const auto entry = endpointFrom(value.toObject());
    const bool isKnown =
        entry && std::any_of(read.models.endpoints.cbegin(), read.models.endpoints.cend(),
                             [&](const ModelEntry& other) { return other.id == entry->id; });
    if (!entry || isKnown || read.models.endpoints.size() == kMostEndpoints) {
      ++leftOut;
    } else {
      read.models.endpoints.append(*entry);
    }
  }
  if (leftOut > 0) {
    read.problem = tr("%1 of the models in %2 cannot be used and are left out. Add them again.")
                       .arg(leftOut)
                       .arg(path);
  }
  read.models.fast = role(json.object, "fast");
  read.models.deep = role(json.object, "deep");
  read.models.nextEdit = role(json.object, "next-edit");
  read.models.routing = valueOf(kRoutings, json.object.value(u"routing").toString())
                            .value_or(ModelRoster::Routing::kByWork);
  read.models.agreedHosts = texts(json.object, "hosts");
  read.models.agreedAgents = texts(json.object, "agents");
  read.models.fetchHosts = texts(json.object, "hubs");
  read.models.keptKeys = texts(json.object, "keys");
  const QJsonObject files = json.object.value(u"files").toObject();
  for (auto it = files.begin(); it != files.end() && read.models.files.size() < kMostEndpoints;
       ++it)
    read.models.files.insert(it.key(), it.value().toString().left(kLongestEntry));
  return read;
}

QString writeStoredModels(const QString& path, const StoredModels& models) {
  QJsonArray endpoints;
  for (const ModelEntry& entry : models.endpoints) endpoints.append(objectFor(entry));
  QJsonObject object{{"endpoints", endpoints},
                     {"routing", wordFor(kRoutings, models.routing)},
                     {"hosts", QJsonArray::fromStringList(models.agreedHosts)},
                     {"agents", QJsonArray::fromStringList(models.agreedAgents)},
                     {"hubs", QJsonArray::fromStringList(models.fetchHosts)},
                     {"keys", QJsonArray::fromStringList(models.keptKeys)}};
  QJsonObject files;
  for (auto it = models.files.begin(); it != models.files.end(); ++it)
    files.insert(it.key(), it.value());
  object.insert(u"files", files);
  if (models.fast) object.insert(u"fast", *models.fast);
  if (models.deep) object.insert(u"deep", *models.deep);
  if (models.nextEdit) object.insert(u"next-edit", *models.nextEdit);
  return writeJson(path, object);
}

}  // namespace waferpair::gui
