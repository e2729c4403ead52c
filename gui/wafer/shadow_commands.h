// SPDX-License-Identifier: GPL-3.0-or-later
// "Shadow Model" chooses which other model the tokens of the one that runs step; "Machine" tells of
// the wafer that it does so on.
#pragma once

class QWidget;

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class Picker;
class RuntimeService;
class WaferDock;

// All of them outlive the commands.
struct ShadowParts {
  QWidget* window;  // dialogs belong to it
  RuntimeService* runtime;
  WaferDock* dock;
  Picker* picker;        // shows the shapes to choose from
  BannerStack* notices;  // where failures are said
};
void addShadowCommands(CommandRegistry& commands, const ShadowParts& use);

}  // namespace waferpair::gui
