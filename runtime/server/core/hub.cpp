// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/hub.h"

#include <algorithm>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

Hub::Hub(Baton baton, std::string token, Log& log)
    : baton_(std::move(baton)),
      token_(std::move(token)),
      log_(log),
      models_(std::make_shared<Models>(
          baton_, log_, [this](HostedModel& model, Models::News news) { onNews(model, news); })),
      responses_(baton_.executor()),
      aside_(baton_.executor()) {}

void Hub::onNews(HostedModel& model, Models::News news) {
  switch (news) {
    case Models::News::kLoaded:
      limitResponses();
      tellAll(&Member::modelLoaded, model);
      break;
    case Models::News::kLeaving:
      return tellAll(&Member::modelLeaves, model);
    case Models::News::kChanged:
      break;
  }
  tellAll(&Member::modelChanged, model);
}

// A turn that goes on from a stored one is quick for what its caches keep. Texts beyond that are
// not worth the memory. A model that gives its memory back takes no response with it.
void Hub::limitResponses() {
  std::size_t caches = 0;
  for (const auto& model : models_->all())
    if (model->engine()) caches += model->engine()->stats().kvBytes;
  responses_.limitTo(std::min(caches, StoredResponses::kMostBytes));
}

inference::Engine* Hub::engine() const {
  const HostedModel* first = models_->first().get();
  return first ? first->engine() : nullptr;
}

Problem Hub::notReady() const { return Models::notInMemory(models_->first().get()); }

std::string_view Hub::state() const {
  const HostedModel* first = models_->first().get();
  return first ? first->stateName() : protocol::state::kLoading;
}

void Hub::setShadow(std::shared_ptr<wafer::Program> shadow) {
  log_.line(shadow ? "shadow: " + shadow->plan().shape.name : "no shadow");
  models_->first()->setShadow(std::move(shadow));
  tellAll(&Member::shadowChanged);
}

void Hub::join(Member* member, bool session) {
  members_.insert(member);
  if (!session) return;
  sessions_.insert(member);
  if (sessionsChanged_) sessionsChanged_();
}

void Hub::leave(Member* member) {
  members_.erase(member);
  if (sessions_.erase(member) && sessionsChanged_) sessionsChanged_();
}

void Hub::shutDown() {
  ending_ = true;
  models_->stop();
  responses_.stop();
  aside_.stop();
  tellAll(&Member::shutDown);
}

template <typename... About>
void Hub::tellAll(void (Member::*what)(About&...), About&... about) {
  // A copy, as a member may leave on hearing it; one that another one removed is not told.
  const std::set<Member*> now = members_;
  for (Member* member : now)
    if (members_.count(member)) (member->*what)(about...);
}

}  // namespace waferpair::server
