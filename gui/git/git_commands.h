// SPDX-License-Identifier: GPL-3.0-or-later
// Commands for git repositories.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class GitTools;

// Both outlive the commands.
void addGitCommands(CommandRegistry& commands, GitTools* tools);

}  // namespace waferpair::gui
