// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of terminals. UI thread only.
#pragma once

#include <functional>

#include "gui/pairing/fix_error.h"

class QDockWidget;

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class FolderTree;
class TerminalPanel;

struct TerminalCommandParts {
  TerminalPanel* panel;
  QDockWidget* dock;
  FolderTree* tree;
  EditorTabs* tabs;
  std::function<void()> ask = {};  // a question about what the terminal printed
  ErrorSources errors = {};
};

// All outlive the registry's commands.
void addTerminalCommands(CommandRegistry& commands, const TerminalCommandParts& parts);

}  // namespace waferpair::gui
