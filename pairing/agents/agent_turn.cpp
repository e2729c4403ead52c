// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/agents/agent_turn.h"

#include <algorithm>

#include "pairing/agents/agent_session.h"

namespace waferpair::pairing {
int AgentQuestion::safest() const {
  for (const AgentOption::Kind kind :
       {AgentOption::Kind::kRejectOnce, AgentOption::Kind::kRejectAlways})
    for (qsizetype i = 0; i < options.size(); ++i)
      if (options[i].kind == kind) return static_cast<int>(i);
  return -1;
}

AgentTurn::AgentTurn(AgentSession* owner) : WorkingReply(ReplyPatience()), owner_(owner) {
  static int last = 0;
  number_ = ++last;
  // A command, or a question to the user, may take hours.
  leaveDeadlines();
}

AgentTurn::~AgentTurn() { hangUp(); }

AgentTurn::Stage AgentTurn::stage() const {
  if (!questions_.isEmpty()) return Stage::kAsking;
  return isPrompted_ ? Stage::kWorking : Stage::kStarting;
}

const AgentQuestion* AgentTurn::question() const {
  return questions_.isEmpty() ? nullptr : &questions_.constFirst();
}

void AgentTurn::answer(int number, const QString& optionId) {
  const auto at = std::find_if(questions_.cbegin(), questions_.cend(),
                               [number](const auto& each) { return each.number == number; });
  if (at == questions_.cend() || !owner_) return;
  const AgentQuestion question = *at;
  questions_.erase(at);
  owner_->answered(this, question, optionId);
  Q_EMIT progressed();
}

bool AgentTurn::canSteer() const {
  return owner_ && isPrompted_ && owner_->connection().canSteer();
}

void AgentTurn::steer(const ShownText& text) {
  if (canSteer()) owner_->steer(text);
}

void AgentTurn::hangUp() {
  activity_.close();
  questions_.clear();
  if (AgentSession* owner = std::exchange(owner_, nullptr)) owner->turnEnded(this);
}

}  // namespace waferpair::pairing
