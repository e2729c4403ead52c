// SPDX-License-Identifier: GPL-3.0-or-later
// "Open Sample Recording": what the wafer did while the default model wrote a few lines, for
// whoever has no model at hand.
#pragma once

#include <QString>

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class DockStrip;
class WaferDock;

// All of them outlive the command. A copy is kept in the folder `state`: recordings are files.
struct SampleTraceParts {
  WaferDock* dock;
  DockStrip* strip;      // it is opened
  BannerStack* notices;  // where failures are said
  QString state;
};
void addSampleTraceCommand(CommandRegistry& commands, const SampleTraceParts& use);

}  // namespace waferpair::gui
