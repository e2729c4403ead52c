// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the window that the debugger acts on; all outlive it.
#pragma once

#include <QString>

class QDockWidget;
class QMainWindow;

namespace waferpair::editor {
class DocumentSync;
}

namespace waferpair::gui {

class BannerStack;
class EditorTabs;
class InputPrompt;
class LanguageGuide;
class Picker;
class Settings;
class StartGate;
class TaskRunner;
class TerminalPanel;
class Workspace;

struct DebugParts {
  QMainWindow* window = nullptr;
  EditorTabs* tabs = nullptr;
  Workspace* workspace = nullptr;
  Settings* settings = nullptr;
  Picker* picker = nullptr;
  InputPrompt* prompt = nullptr;
  BannerStack* notices = nullptr;
  StartGate* gate = nullptr;
  TerminalPanel* terminals = nullptr;
  QDockWidget* terminalDock = nullptr;
  TaskRunner* tasks = nullptr;
  editor::DocumentSync* sync = nullptr;
  LanguageGuide* guide = nullptr;  // shows what is known of the place under the mouse
  QString memoryFile;              // what is kept of each project
};

}  // namespace waferpair::gui
