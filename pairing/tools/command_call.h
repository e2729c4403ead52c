// SPDX-License-Identifier: GPL-3.0-or-later
// A command that a model wants to be run: the user is asked, with all of it in sight, and what was
// shown is run, or nothing. UI thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "pairing/agents/agent_turn.h"
#include "pairing/commands/command_run.h"
#include "pairing/tools/project_tools.h"

namespace waferpair::pairing {

class CommandCall : public QObject {
  Q_OBJECT
 public:
  // `step` has the command and its folder. `mayRun` is asked once more when the user has agreed.
  CommandCall(const AgentStep& step, std::function<bool()> mayRun);

  // Why this command cannot even be asked about, in words for the model; empty: it can.
  static QString refusal(const QString& command);

  // Null: it was answered.
  const AgentQuestion* question() const { return question_ ? &*question_ : nullptr; }
  void answer(const QString& optionId);
  bool isRunning() const { return run_ != nullptr; }
  // The end of what it has printed so far.
  QString output() const;
  // Once it is over. Of a long output beginning and end are kept.
  ToolResult result(qsizetype mostBytes) const;

 Q_SIGNALS:
  // question() or output() is another.
  void changed();
  // The last signal; never within the constructor.
  void over();

 private:
  AgentStep step_;
  std::function<bool()> mayRun_;
  std::optional<AgentQuestion> question_;
  QString refused_;  // why it was not run, for the model
  std::unique_ptr<CommandRun> run_;
};

}  // namespace waferpair::pairing
