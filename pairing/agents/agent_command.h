// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that speak the Agent Client Protocol: how one is started, which of those that are known
// are installed here, and what each gets of this program's environment. Nothing here starts one.
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QVector>

#include "editor/text/result.h"

namespace waferpair::pairing {

struct AgentCommand {
  QString program;  // absolute, or a name to be found in PATH
  QStringList arguments;
  // "NAME=value" sets a variable; "NAME" lets one through that would be held back otherwise.
  QStringList environment;

  bool operator==(const AgentCommand&) const = default;

  // As it would be typed in a terminal, without the environment.
  QString text() const;
  // The same for the same program, arguments and environment.
  QString id() const;
};

// From what the user typed: "NAME=value ... PROGRAM ARGUMENT ...", with quotes as in a terminal.
// Fails on what names no program, and on a variable that is named as secrets are: the line is kept.
editor::Result<AgentCommand> agentCommandFrom(const QString& typed);

struct FoundAgent {
  QString name;   // "Codex"
  QString maker;  // "OpenAI": its service is where such an agent sends text unless told otherwise
  AgentCommand command;
};

// Returns the known agents whose programs are in the PATH of `environment`.
QVector<FoundAgent> findAgents(const QProcessEnvironment& environment);

// Returns what the agent gets of `ours`: all of it but this program's own variables, and those that
// are named as secrets are (a part of the name is TOKEN, SECRET, PASSWORD, KEY or the like), unless
// the command lets them through.
QProcessEnvironment agentEnvironment(const QProcessEnvironment& ours, const AgentCommand& command);

}  // namespace waferpair::pairing
