// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/hub.h"

#include <boost/asio/post.hpp>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

Hub::Hub(Baton baton, std::string token, Log& log)
    : baton_(std::move(baton)),
      token_(std::move(token)),
      log_(log),
      models_(std::make_shared<Models>(
          baton_, log_, [this](HostedModel& model, Models::News news) { onNews(model, news); })),
      responses_(std::make_shared<StoredResponses>(
          baton_.executor(),
          [models = models_.get()](const std::string& file, std::size_t bytes) {
            for (const auto& model : models->all())
              if (model->engine() && model->source().file == file)
                model->engine()->keepBeside(bytes);
          })),
      aside_(baton_.executor()) {}

void Hub::onNews(HostedModel& model, Models::News news) {
  switch (news) {
    case Models::News::kLoaded:
      shareMemory(model);
      tellAll(&Member::modelLoaded, model);
      break;
    case Models::News::kLeaving:
      return tellAll(&Member::modelLeaves, model);
    case Models::News::kChanged:
      break;
  }
  tellAll(&Member::modelChanged, model);
}

// A model's stored responses live on the memory for its KV caches: on half of it at most, as more
// would be gone on from with nothing cached, and less where a job needs it. One that gives its
// memory back takes none of them with it.
void Hub::shareMemory(const HostedModel& model) {
  const std::string& file = model.source().file;
  inference::Engine& engine = *model.engine();
  responses_->limit(file, engine.stats().kvBytes / 2);
  engine.keepBeside(responses_->bytes(file));
  engine.whenShort([executor = executor(), file,
                    weak = std::weak_ptr<StoredResponses>(responses_)](std::size_t left) {
    boost::asio::post(executor, [weak, file, left] {
      if (const auto responses = weak.lock()) responses->shrink(file, left);
    });
  });
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
  responses_->stop();
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
