// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/shadow_model.h"

#include <utility>

#include "gui/client/runtime_client.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {

ShadowModel::ShadowModel(ShadowChoice choice, QObject* parent)
    : QObject(parent), choice_(std::move(choice)) {}

void ShadowModel::setClient(RuntimeClient* client) {
  if (client_) client_->disconnect(this);
  client_ = client;
  wish_.reset();
  connect(client, &RuntimeClient::told, this, &ShadowModel::hear);
  connect(client, &RuntimeClient::serverError, this, [this](const ServerError& error) {
    if (error.code == QLatin1StringView(protocol::error_code::kShadowFailed.data()))
      onFailed(error.problem);
  });
  connect(client, &RuntimeClient::lost, this, [this] { wish_.reset(); });
}

void ShadowModel::follow(const ServerStatus& status) {
  show(status.shadow);
  if (!status.shadow && !wish_ && !choice_.shape.isEmpty()) wish(choice_);
  if (shapes_.isEmpty()) client_->send(newMessage(protocol::request::kShadowList));
}

void ShadowModel::choose(const QString& shape) { wish({shape, choice_.placement}); }

void ShadowModel::setPlacement(const ShadowPlacement& placement) {
  if (placement == choice_.placement) return;
  const ShadowChoice choice{choice_.shape, placement};
  if (!choice.shape.isEmpty() && shown_) return wish(choice);
  setChoice(choice);
}

void ShadowModel::wish(const ShadowChoice& choice) {
  if (!unavailable_.isEmpty()) {
    Q_EMIT failed({tr("No shadow can be shown: %1.").arg(unavailable_),
                   tr("Wait until the model is ready.")});
    return;
  }
  wish_ = choice;
  if (choice.shape.isEmpty()) return client_->send(newMessage(protocol::request::kShadowClear));
  namespace field = protocol::field::shadow_set;
  QJsonObject message = newMessage(protocol::request::kShadowSet);
  put(message, field::kShape, choice.shape);
  put(message, field::kObjective, choice.placement.objective);
  if (choice.placement.context > 0) put(message, field::kContext, choice.placement.context);
  client_->send(message);
}

void ShadowModel::setChoice(const ShadowChoice& choice) {
  if (choice == choice_) return;
  choice_ = choice;
  Q_EMIT chosen(choice_);
}

void ShadowModel::hear(const std::string& type, JsonFields event) {
  if (type == protocol::event::kShadowShapes) readShapes(event);
  if (type != protocol::event::kShadowChanged) return;
  const auto shadow = readShadow(event.object(protocol::field::shadow_changed::kShadow));
  // Another window may have taken it away: that is not undone by the next status.
  if (!wish_ && !shadow) choice_.shape.clear();
  if (wish_) setChoice(*std::exchange(wish_, std::nullopt));
  if (shadow == shown_) Q_EMIT changed();  // an answer all the same
  show(shadow);
}

void ShadowModel::readShapes(JsonFields& event) {
  namespace field = protocol::field;
  const QJsonArray list = event.list(field::shadow_shapes::kShapes);
  shapes_.clear();
  for (qsizetype i = 0; i < list.size(); ++i) {
    JsonFields shape = event.entry(field::shadow_shapes::kShapes, list, i);
    const ShadowShape read{shape.text(field::shape::kName),
                           shape.integer(field::shape::kParameters).value_or(0),
                           shape.small(field::shape::kWafers), shape.boolean(field::shape::kGuess),
                           shape.text(field::shape::kSource)};
    if (!read.name.isEmpty()) shapes_.append(read);
  }
}

void ShadowModel::onFailed(const editor::Error& problem) {
  // A remembered shadow that cannot be had any more is not asked for again.
  const auto wish = std::exchange(wish_, std::nullopt);
  if (wish && wish->shape == choice_.shape && !shown_) setChoice({{}, choice_.placement});
  Q_EMIT failed(problem);
}

void ShadowModel::show(const std::optional<ShadowFacts>& shadow) {
  if (shadow == shown_) return;
  shown_ = shadow;
  Q_EMIT changed();
}

}  // namespace waferpair::gui
