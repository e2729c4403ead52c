// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for traces: recording what the wafer does, and replaying it.
#pragma once

class QString;
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
// Shows the recording in the wafer view, or says why it cannot be shown.
void openTrace(const TraceParts& use, const QString& path);
void addTraceCommands(CommandRegistry& commands, const TraceParts& use);

}  // namespace waferpair::gui
