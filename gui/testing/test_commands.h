// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of tests. UI thread only.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class TestTools;

// `tools` outlive the registry's commands.
void addTestCommands(CommandRegistry& commands, TestTools* tools);

}  // namespace waferpair::gui
