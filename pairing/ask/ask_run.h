// SPDX-License-Identifier: GPL-3.0-or-later
// A question on its way to its answer, as the files of AskSession share it.
#pragma once

#include <QTimer>
#include <chrono>
#include <memory>

#include "pairing/ask/ask_session.h"

namespace waferpair::pairing {

struct AskSession::Run : QObject {
  // An answer that is being written is kept as often as this, at most.
  static constexpr std::chrono::milliseconds kKeepEvery{300};

  QString threadId;
  QString questionId;
  QString answerId;  // empty until there is one
  AskPlan plan;
  qint64 contextTokens = -1;  // of the model for which that was made
  QString modelId;
  QString model;
  QString place;
  std::unique_ptr<ModelReply> reply;
  AgentTurn* turn = nullptr;  // the reply, where an agent writes it
  bool isAsked = false;       // the agent waits for the user
  QTimer keepSoon;
};

}  // namespace waferpair::pairing
