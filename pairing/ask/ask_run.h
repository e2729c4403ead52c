// SPDX-License-Identifier: GPL-3.0-or-later
// A question on its way to its answer, as the files of AskSession share it.
#pragma once

#include <QTimer>
#include <chrono>
#include <memory>

#include "pairing/ask/ask_session.h"
#include "pairing/tools/tool_turn.h"

namespace waferpair::pairing {

struct AskSession::Run : QObject {
  // An answer that is being written is kept as often as this, at most.
  static constexpr std::chrono::milliseconds kKeepEvery{300};

  // How far the reply of a model is, in words.
  QString progress() const;

  QString threadId;
  QString questionId;
  QString answerId;  // empty until there is one
  AskPlan plan;
  qint64 contextTokens = -1;  // of the model for which that was made
  qint64 toolTokens = 0;      // likewise: of what it is told of its tools
  QString modelId;
  QString model;
  QString place;
  std::unique_ptr<ModelReply> reply;
  WorkingReply* work = nullptr;  // the reply, where its writer works on the project
  AgentTurn* turn = nullptr;     // the same, where it is an agent
  ToolTurn* tools = nullptr;     // the same, where it is a model with tools
  bool isAsked = false;          // the user is waited for
  QTimer keepSoon;
};

}  // namespace waferpair::pairing
