// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/model_list.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <functional>

#include "pairing/request/edit_form.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kLongestId = 500;
constexpr double kMostContext = 1e9;
constexpr double kMostParameters = 1e15;

// The first of these that is a number that can be one.
qint64 contextIn(std::initializer_list<QJsonValue> values) {
  for (const QJsonValue& value : values) {
    const double tokens = value.toDouble(-1);
    if (tokens >= 1 && tokens <= kMostContext) return static_cast<qint64>(tokens);
  }
  return -1;
}

// "7.6B", "494.03M", or a number.
qint64 parametersIn(const QJsonValue& value) {
  if (value.isString()) return parametersInName(value.toString());
  const double number = value.toDouble(-1);
  return number >= 1 && number <= kMostParameters ? static_cast<qint64>(number) : -1;
}

using ReadModel = std::function<ListedModel(const QJsonObject& entry)>;

std::optional<QVector<ListedModel>> readList(const QByteArray& json, const char* key,
                                             const ReadModel& read) {
  if (json.size() > kMostListBytes) return {};
  const QJsonValue list = QJsonDocument::fromJson(json).object().value(QLatin1String(key));
  if (!list.isArray()) return {};
  QVector<ListedModel> models;
  for (const QJsonValue value : list.toArray()) {
    const ListedModel model = read(value.toObject());
    const bool isKnown = std::any_of(models.cbegin(), models.cend(), [&](const ListedModel& other) {
      return other.id == model.id;
    });
    if (model.id.isEmpty() || model.id.size() > kLongestId || isKnown) continue;
    if (models.size() == kMostListed) break;
    models.append(model);
  }
  return models;
}

}  // namespace

std::optional<QVector<ListedModel>> readModelList(const QByteArray& json) {
  return readList(json, "data", [](const QJsonObject& entry) {
    const QJsonObject meta = entry.value(u"meta").toObject();
    ListedModel model;
    model.id = entry.value(u"id").toString();
    model.owner = entry.value(u"owned_by").toString().left(kLongestId);
    model.contextTokens = contextIn({meta.value(u"n_ctx"), entry.value(u"max_model_len"),
                                     meta.value(u"n_ctx_train"), entry.value(u"context_length")});
    model.parameters = parametersIn(meta.value(u"n_params"));
    if (model.parameters < 0)  // waferd
      model.parameters = parametersIn(entry.value(u"details").toObject().value(u"parameters"));
    return model;
  });
}

std::optional<QVector<ListedModel>> readOllamaTags(const QByteArray& json) {
  return readList(json, "models", [](const QJsonObject& entry) {
    const QJsonValue abilities = entry.value(u"capabilities");
    ListedModel model;
    model.id = entry.value(u"name").toString();
    model.contextTokens = contextIn({entry.value(u"details").toObject().value(u"context_length")});
    model.parameters = parametersIn(entry.value(u"details").toObject().value(u"parameter_size"));
    model.isText =
        !abilities.isArray() || abilities.toArray().contains(QStringLiteral("completion"));
    return model;
  });
}

std::optional<QVector<ListedModel>> readLmStudioModels(const QByteArray& json) {
  return readList(json, "data", [](const QJsonObject& entry) {
    ListedModel model;
    model.id = entry.value(u"id").toString();
    model.contextTokens =
        contextIn({entry.value(u"loaded_context_length"), entry.value(u"max_context_length")});
    model.isText = entry.value(u"type").toString() != u"embeddings";
    return model;
  });
}

QVector<ListedModel> withDetails(QVector<ListedModel> models, const QVector<ListedModel>& details) {
  for (ListedModel& model : models) {
    const auto known =
        std::find_if(details.cbegin(), details.cend(),
                     [&model](const ListedModel& other) { return other.id == model.id; });
    if (known == details.cend()) continue;
    if (model.contextTokens < 0) model.contextTokens = known->contextTokens;
    if (model.parameters < 0) model.parameters = known->parameters;
    model.isText = model.isText && known->isText;
  }
  return models;
}

}  // namespace waferpair::pairing
