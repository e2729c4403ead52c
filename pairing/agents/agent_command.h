// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that speak the Agent Client Protocol: how one is started, and which of those that are
// known are installed here. Nothing here starts one.
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QVector>

#include "editor/text/result.h"
#include "programs/program_command.h"

namespace waferpair::pairing {

using AgentCommand = programs::ProgramCommand;

// The same for the same program, arguments and environment.
QString agentId(const AgentCommand& command);

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

}  // namespace waferpair::pairing
