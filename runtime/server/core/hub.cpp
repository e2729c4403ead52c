// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/hub.h"

#include "runtime/protocol/messages.h"

namespace waferpair::server {

Hub::Hub(Baton baton, std::string token, Log& log)
    : baton_(std::move(baton)), token_(std::move(token)), log_(log) {}

void Hub::modelReady(std::unique_ptr<inference::Engine> engine) {
  engine_ = std::move(engine);
  log_.line("model ready: " + engine_->model().card().name);
  tellAll(&Member::modelChanged);
}

void Hub::modelFailed(base::Error error) {
  log_.line("model failed: " + error.message());
  failure_ = std::move(error);
  tellAll(&Member::modelChanged);
}

const std::shared_ptr<const inference::TokenTrie>& Hub::tokenTrie() {
  if (!tokenTrie_)
    tokenTrie_ = std::make_shared<const inference::TokenTrie>(engine_->model().tokenizer());
  return tokenTrie_;
}

Problem Hub::notReady() const {
  if (failure_) return {protocol::error_code::kNotReady, *failure_};
  return {protocol::error_code::kNotReady,
          {"The model is still being loaded.", "Wait for the status event with state ready."}};
}

std::string_view Hub::state() const {
  if (engine_) return protocol::state::kReady;
  return failure_ ? protocol::state::kFailed : protocol::state::kLoading;
}

void Hub::setShadow(std::shared_ptr<wafer::Program> shadow) {
  log_.line(shadow ? "shadow: " + shadow->plan().shape.name : "no shadow");
  engine_->model().setShadow(std::move(shadow));
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
  if (engine_) engine_->stop();
  tellAll(&Member::shutDown);
}

void Hub::tellAll(void (Member::*what)()) {
  // A copy, as a member may leave on hearing it; one that another one removed is not told.
  const std::set<Member*> now = members_;
  for (Member* member : now)
    if (members_.count(member)) (member->*what)();
}

}  // namespace waferpair::server
