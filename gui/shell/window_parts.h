// SPDX-License-Identifier: GPL-3.0-or-later
// What a window is made of, for the functions that give it commands and menus. Everything belongs
// to the window; only `runtime` may be null (the program runs without a model then), and with it
// `runtimeStatus`, `waferDock` and `waferStrip`.
#pragma once

class QDockWidget;
class QMainWindow;

namespace waferpair::gui {

class BannerStack;
class CommandPalette;
class CommandRegistry;
class DockStrip;
class EditorKeys;
class EditorTabs;
class FileIndex;
class FolderTree;
class InputPrompt;
class Picker;
class QuickOpen;
class RecoveryKeeper;
class RuntimeService;
class RuntimeStatus;
class SaveFlow;
class SessionKeeper;
class Settings;
class StartPage;
class StatusLine;
class WaferDock;
class Workspace;

struct WindowParts {
  QMainWindow* window = nullptr;
  Settings* settings = nullptr;
  CommandRegistry* commands = nullptr;
  EditorKeys* editorKeys = nullptr;
  EditorTabs* tabs = nullptr;
  Workspace* workspace = nullptr;
  SaveFlow* saveFlow = nullptr;
  RecoveryKeeper* recovery = nullptr;
  SessionKeeper* session = nullptr;
  FileIndex* fileIndex = nullptr;
  Picker* picker = nullptr;
  InputPrompt* prompt = nullptr;
  QuickOpen* quickOpen = nullptr;
  CommandPalette* palette = nullptr;
  BannerStack* notices = nullptr;
  FolderTree* tree = nullptr;
  StatusLine* statusLine = nullptr;
  QDockWidget* filesDock = nullptr;
  WaferDock* waferDock = nullptr;
  DockStrip* waferStrip = nullptr;
  RuntimeService* runtime = nullptr;
  RuntimeStatus* runtimeStatus = nullptr;
};

}  // namespace waferpair::gui
