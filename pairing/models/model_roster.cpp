// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/models/model_roster.h"

#include <algorithm>

#include "pairing/endpoints/chat_endpoint.h"
#include "pairing/endpoints/responses_endpoint.h"
#include "pairing/translate.h"

namespace waferpair::pairing {
namespace {

std::unique_ptr<Endpoint> makeEndpoint(const ModelEntry& model) {
  switch (model.protocol) {
    case Protocol::kChat:
      return std::make_unique<ChatEndpoint>(model.address);
    case Protocol::kResponses:
      return std::make_unique<ResponsesEndpoint>(model.address,
                                                 ResponsesEndpoint::Transport::kEvents);
    case Protocol::kResponsesSocket:
      return std::make_unique<ResponsesEndpoint>(model.address,
                                                 ResponsesEndpoint::Transport::kWebSocket);
  }
  Q_UNREACHABLE();
}

}  // namespace

ModelRoster::ModelRoster(QObject* parent) : QObject(parent) {}
ModelRoster::~ModelRoster() = default;

void ModelRoster::setModels(const QVector<ModelEntry>& models) {
  if (models == models_) return;
  models_ = models;
  endpoints_.clear();
  if (!find(fast_)) fast_.clear();
  if (!find(deep_)) deep_.clear();
  Q_EMIT changed();
}

void ModelRoster::setRole(Role role, const QString& id) {
  Q_ASSERT(id.isEmpty() || find(id));
  QString& holder = role == Role::kFast ? fast_ : deep_;
  if (holder == id) return;
  holder = id;
  Q_EMIT changed();
}

const ModelEntry* ModelRoster::inRole(Role role) const {
  return find(role == Role::kFast ? fast_ : deep_);
}

ModelRoster::Choice ModelRoster::choose(Work work) {
  const bool wantsDeep = work == Work::kLargeEdit || work == Work::kPlan;
  const ModelEntry* wanted = inRole(wantsDeep ? Role::kDeep : Role::kFast);
  if (wanted)
    return {wanted, endpointOf(*wanted),
            wantsDeep ? translate("the deep model, as this is long work")
                      : translate("the fast model, as this is short work")};
  const ModelEntry* other = inRole(wantsDeep ? Role::kFast : Role::kDeep);
  if (other)
    return {
        other, endpointOf(*other),
        wantsDeep ? translate("no deep model is chosen") : translate("no fast model is chosen")};
  return {nullptr, nullptr, translate("No model that follows instructions is chosen.")};
}

ModelRoster::Choice ModelRoster::choose(const QString& id) {
  const ModelEntry* model = find(id);
  if (!model) return {nullptr, nullptr, translate("This model is no longer in the list.")};
  return {model, endpointOf(*model), translate("chosen by you")};
}

const ModelEntry* ModelRoster::find(const QString& id) const {
  const auto it = std::find_if(models_.begin(), models_.end(),
                               [&](const ModelEntry& model) { return model.id == id; });
  return it == models_.end() ? nullptr : &*it;
}

Endpoint* ModelRoster::endpointOf(const ModelEntry& model) {
  std::unique_ptr<Endpoint>& endpoint = endpoints_[model.id.toStdString()];
  if (!endpoint) endpoint = makeEndpoint(model);
  return endpoint.get();
}

}  // namespace waferpair::pairing
