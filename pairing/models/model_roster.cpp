// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/models/model_roster.h"

#include <QFileInfo>
#include <algorithm>

#include "editor/text/translate.h"
#include "pairing/endpoints/chat_endpoint.h"
#include "pairing/endpoints/responses_endpoint.h"
#include "pairing/request/edit_form.h"
#include "pairing/taught/taught_format.h"

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
    case Protocol::kAgent:
      break;  // it is asked in another way
  }
  Q_UNREACHABLE();
}

// Asks for as many tokens as the entry says where a request does not.
class LimitedEndpoint : public Endpoint {
 public:
  LimitedEndpoint(std::unique_ptr<Endpoint> inner, int outputTokens)
      : inner_(std::move(inner)), outputTokens_(outputTokens) {}

  const EndpointAddress& address() const override { return inner_->address(); }
  std::unique_ptr<ModelReply> send(const ShownRequest& request) override {
    if (request->mostOutputTokens) return inner_->send(request);
    ModelRequest limited = *request;
    limited.mostOutputTokens = outputTokens_;
    return inner_->send(*ShownRequest::of(limited));  // of the same texts
  }

 private:
  std::unique_ptr<Endpoint> inner_;
  int outputTokens_;
};

}  // namespace

QString ModelEntry::place() const {
  return isAgent() ? translate("an agent on this computer") : address.place();
}

qint64 ModelEntry::size() const {
  if (parameters >= 0) return parameters;
  const qint64 named = parametersInName(QFileInfo(address.model).fileName());
  return named >= 0 ? named : parametersInName(name);
}

// A folder's name says nothing of the model.
const TaughtFormat* taughtFormat(const ModelEntry& model) {
  if (model.isAgent()) return nullptr;
  return taughtFormat(QStringList{model.name, QFileInfo(model.address.model).fileName()});
}

ModelRoster::ModelRoster(QObject* parent) : QObject(parent) {}
ModelRoster::~ModelRoster() = default;

void ModelRoster::setModels(const QVector<ModelEntry>& models) {
  if (models == models_) return;
  models_ = models;
  endpoints_.clear();
  nextEditEndpoint_.reset();
  for (QString& holder : holders_)
    if (!find(holder)) holder.clear();
  Q_EMIT changed();
}

void ModelRoster::setRole(Role role, const QString& id) {
  Q_ASSERT(id.isEmpty() || find(id));
  QString& holder = holders_[static_cast<std::size_t>(role)];
  if (holder == id) return;
  holder = id;
  if (role == Role::kNextEdit) nextEditEndpoint_.reset();
  Q_EMIT changed();
}

const ModelEntry* ModelRoster::inRole(Role role) const {
  const ModelEntry* model = find(holders_[static_cast<std::size_t>(role)]);
  return model && role != Role::kNextEdit && !model->followsInstructions ? nullptr : model;
}

void ModelRoster::setRouting(Routing routing) {
  if (routing == routing_) return;
  routing_ = routing;
  Q_EMIT changed();
}

void ModelRoster::setAgreedHosts(const QStringList& hosts) {
  if (hosts == agreedHosts_) return;
  agreedHosts_ = hosts;
  Q_EMIT changed();
}

void ModelRoster::setAgreedAgents(const QStringList& ids) {
  if (ids == agreedAgents_) return;
  agreedAgents_ = ids;
  Q_EMIT changed();
}

bool ModelRoster::mayReach(const ModelEntry& model) const {
  if (model.isAgent()) return agreedAgents_.contains(model.id);
  return model.address.isLoopback() || agreedHosts_.contains(model.address.base.host());
}

const ModelEntry* ModelRoster::inRole(Role role, Work work) const {
  const ModelEntry* model = inRole(role);
  const bool isQuestion = work == Work::kQuestion || work == Work::kLargeQuestion;
  const bool isEdit = work == Work::kSmallEdit || work == Work::kLargeEdit;
  if (model && isEdit && !model->isAgent() && !mayEdit(model->size())) return nullptr;
  return model && model->isAgent() && !isQuestion ? nullptr : model;
}

void ModelRoster::setOff(const QString& reason) {
  if (std::exchange(off_, reason) != reason) Q_EMIT changed();
}

ModelRoster::Choice ModelRoster::choose(Work work) {
  if (!off_.isEmpty()) return {nullptr, nullptr, off_};
  const bool isLarge =
      work == Work::kLargeEdit || work == Work::kLargeQuestion || work == Work::kPlan;
  const bool wantsDeep = routing_ == Routing::kByWork ? isLarge : routing_ == Routing::kDeep;
  if (const ModelEntry* wanted = inRole(wantsDeep ? Role::kDeep : Role::kFast, work)) {
    if (routing_ != Routing::kByWork)
      return offer(*wanted, wantsDeep ? translate("the deep model, as you chose")
                                      : translate("the fast model, as you chose"));
    return offer(*wanted, wantsDeep ? translate("the deep model, as this is long work")
                                    : translate("the fast model, as this is short work"));
  }
  if (const ModelEntry* other = inRole(wantsDeep ? Role::kFast : Role::kDeep, work)) {
    if (const ModelEntry* unfit = inRole(wantsDeep ? Role::kDeep : Role::kFast))
      return offer(*other, unfit->isAgent()
                               ? translate("agents answer questions only")
                               : translate("%1 is too small for edits").arg(unfit->name));
    return offer(*other, wantsDeep ? translate("no deep model can be asked now")
                                   : translate("no fast model can be asked now"));
  }
  const ModelEntry* unfit = inRole(Role::kFast) ? inRole(Role::kFast) : inRole(Role::kDeep);
  if (unfit && !unfit->isAgent())
    return {
        nullptr, nullptr,
        translate("%1 is too small for edits, and answers questions only. Choose a larger model.")
            .arg(unfit->name)};
  if (unfit)
    return {nullptr, nullptr, translate("Only an agent is chosen, and agents answer questions.")};
  return {nullptr, nullptr, translate("No model that follows instructions is chosen.")};
}

ModelRoster::NextEditChoice ModelRoster::chooseForNextEdits() {
  const ModelEntry* model = inRole(Role::kNextEdit);
  if (!model || !off_.isEmpty()) return {nullptr, nullptr, nullptr, off_};
  NextEditChoice choice{model, nullptr, taughtFormat(*model), {}};
  if (!choice.format) {
    choice.reason =
        translate("By its name, %1 was taught no form of next edits that is known here.")
            .arg(model->name);
  } else if (!mayReach(*model)) {
    choice.reason = offer(*model, {}).reason;
  } else {
    // Somebody who waits for it types on.
    constexpr ReplyPatience kPatience{std::chrono::seconds(30), std::chrono::seconds(10)};
    if (!nextEditEndpoint_)
      nextEditEndpoint_ = std::make_unique<TextEndpoint>(model->address, kPatience);
    choice.endpoint = nextEditEndpoint_.get();
  }
  return choice;
}

ModelRoster::Choice ModelRoster::chooseAfterFailure(const QString& id) {
  if (!off_.isEmpty()) return {nullptr, nullptr, off_};
  const ModelEntry* deep = inRole(Role::kDeep, Work::kLargeEdit);
  if (!deep) return {nullptr, nullptr, translate("no deep model can be asked now")};
  if (deep->id == id) return {nullptr, nullptr, translate("the deep model itself has failed")};
  return offer(*deep, translate("the deep model, as the fast one has failed"));
}

ModelRoster::Choice ModelRoster::offer(const ModelEntry& model, const QString& reason) {
  if (mayReach(model) && model.isAgent()) return {&model, nullptr, reason, true};
  if (mayReach(model)) return {&model, endpointOf(model), reason};
  if (model.isAgent())
    return {&model, nullptr,
            translate("%1 is not started before you have agreed to that: choose it again.")
                .arg(model.name)};
  return {&model, nullptr,
          translate("Nothing goes to %1 before you have agreed to that: choose the model again.")
              .arg(model.address.place())};
}

const ModelEntry* ModelRoster::find(const QString& id) const {
  const auto it = std::find_if(models_.begin(), models_.end(),
                               [&](const ModelEntry& model) { return model.id == id; });
  return it == models_.end() ? nullptr : &*it;
}

Endpoint* ModelRoster::endpointFor(const QString& id) {
  const ModelEntry* model = find(id);
  return off_.isEmpty() && model && !model->isAgent() && mayReach(*model) ? endpointOf(*model)
                                                                          : nullptr;
}

Endpoint* ModelRoster::endpointOf(const ModelEntry& model) {
  std::unique_ptr<Endpoint>& endpoint = endpoints_[model.id.toStdString()];
  if (!endpoint) {
    endpoint = makeEndpoint(model);
    if (model.outputTokens > 0)
      endpoint = std::make_unique<LimitedEndpoint>(std::move(endpoint), model.outputTokens);
  }
  return endpoint.get();
}

}  // namespace waferpair::pairing
