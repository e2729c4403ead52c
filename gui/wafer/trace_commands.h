// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for traces: recording what the wafer does, and replaying it.
#pragma once

class QWidget;

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class DockStrip;
class TraceControl;
class WaferDock;

// All of them outlive the commands.
struct TraceParts {
  QWidget* window;  // dialogs belong to it
  TraceControl* trace;
  WaferDock* dock;
  DockStrip* strip;      // it is opened for a replay
  BannerStack* notices;  // where news of recordings is said
};
void addTraceCommands(CommandRegistry& commands, const TraceParts& use);

}  // namespace waferpair::gui
