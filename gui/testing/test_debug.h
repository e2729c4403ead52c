// SPDX-License-Identifier: GPL-3.0-or-later
// Turns what would run a test into what debugs it: the program of Qt Test, GoogleTest and Cargo
// itself, pytest by debugpy, Go's by Delve. Values.
#pragma once

#include "editor/text/result.h"
#include "workbench/debug/debug_launch.h"
#include "workbench/testing/test_plan.h"

namespace waferpair::gui {

// A step of kind kRun; of kCargo's with the program that was built in place of Cargo. The error
// names the program whose tests are not debugged from here.
editor::Result<workbench::DebugLaunch> debugLaunchOf(const workbench::TestStep& step);

}  // namespace waferpair::gui
