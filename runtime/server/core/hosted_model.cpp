// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/hosted_model.h"

#include <cassert>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

const std::string& HostedModel::name() const {
  if (!source_.name.empty()) return source_.name;
  return preview_ ? preview_->card.name : source_.file;
}

bool HostedModel::answersTo(std::string_view name) const {
  return name == source_.file || name == this->name() || (preview_ && name == preview_->card.name);
}

std::string_view HostedModel::stateName() const {
  switch (state_) {
    case State::kReady:
      return protocol::state::kReady;
    case State::kIdle:
      return protocol::state::kIdle;
    case State::kFailed:
      return protocol::state::kFailed;
    case State::kLoading:
      break;
  }
  return protocol::state::kLoading;
}

const std::shared_ptr<const inference::TokenTrie>& HostedModel::tokenTrie() {
  assert(engine_);
  if (!tokenTrie_)
    tokenTrie_ = std::make_shared<const inference::TokenTrie>(engine_->model().tokenizer());
  return tokenTrie_;
}

void HostedModel::setShadow(std::shared_ptr<wafer::Program> shadow) {
  assert(engine_);
  shadow_ = shadow;
  engine_->model().setShadow(std::move(shadow));
}

std::shared_ptr<void> HostedModel::use() {
  const auto note = [](Uses& uses) { uses.last = inference::Clock::now().time_since_epoch(); };
  ++uses_->count;
  note(*uses_);
  return {uses_.get(), [uses = uses_, note](void*) {
            note(*uses);
            --uses->count;
          }};
}

inference::Clock::time_point HostedModel::lastUse() const {
  return inference::Clock::time_point(uses_->last.load());
}

}  // namespace waferpair::server
