// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the window that tests act on; all outlive them.
#pragma once

#include <QString>
#include <functional>

namespace waferpair::pairing {
struct ErrorPlace;
}
namespace waferpair::workbench {
class DiagnosticStore;
struct DebugLaunch;
}  // namespace waferpair::workbench

namespace waferpair::gui {

class BannerStack;
class EditorTabs;
class FileIndex;
class Picker;
class Settings;
class StartGate;
class Workspace;

struct TestParts {
  EditorTabs* tabs = nullptr;
  Workspace* workspace = nullptr;
  FileIndex* index = nullptr;
  Picker* picker = nullptr;
  BannerStack* notices = nullptr;
  StartGate* gate = nullptr;
  Settings* settings = nullptr;
  workbench::DiagnosticStore* found = nullptr;
  std::function<void()> showProblems = {};
  // Has it fixed in the file (relative to the folder) that it is in.
  std::function<void(const QString& path, const pairing::ErrorPlace& error)> fix = {};
  QString buildsFile = {};  // which build folders were chosen last
  std::function<void(const workbench::DebugLaunch& launch)> debug = {};
};

}  // namespace waferpair::gui
