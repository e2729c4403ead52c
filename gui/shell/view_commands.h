// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for the window itself: what of it is shown, how it looks, the way round in it, help.
#pragma once

#include <QString>
#include <functional>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace waferpair::gui {

class BannerStack;
class ChangesPanel;
class CommandPalette;
class CommandRegistry;
class CrashNews;
class DockStrip;
class DebugPanel;
class EditorTabs;
class FolderTree;
class PairDock;
class ProblemsPanel;
class TerminalPanel;
class Notices;
class Picker;
class Settings;
class SettingsFiles;
class StatusLine;
class WaferDock;

// All that is passed to these outlives the commands.
void addViewCommands(CommandRegistry& commands, QMainWindow* window, CommandPalette* palette,
                     Settings* settings);
void addFilesDockCommand(CommandRegistry& commands, QDockWidget* dock);
void addWaferDockCommand(CommandRegistry& commands, WaferDock* waferDock, DockStrip* waferStrip);
void addPairDockCommand(CommandRegistry& commands, PairDock* pairDock, DockStrip* pairStrip);
void addFormatCommands(CommandRegistry& commands, StatusLine* statusLine);
// The list of what was said, and the end of what is still in sight.
void addNoticeCommands(CommandRegistry& commands, Notices* notices, Picker* picker);
// Adds the list of color themes, which shows each as one goes through it.
void addThemeCommands(CommandRegistry& commands, Settings* settings, Picker* picker);
void addSettingsCommands(CommandRegistry& commands, QMainWindow* window, Settings* settings,
                         SettingsFiles* files);
// Opens the dialog with this in its search field.
void showSettings(QMainWindow* window, Settings* settings, SettingsFiles* files,
                  const QString& wanted);
void addHelpCommands(CommandRegistry& commands, QMainWindow* window, CrashNews* crashes,
                     std::function<void(const QString& id)> showSetting);

// The window's parts in the order in which F6 goes through them.
struct Panes {
  QWidget* text;  // the window's middle: the files, or the start page
  EditorTabs* tabs;
  PairDock* pair;
  WaferDock* wafer;  // may be null
  QDockWidget* filesDock;
  FolderTree* tree;
  ProblemsPanel* problems;
  TerminalPanel* terminals;
  ChangesPanel* changes;
  BannerStack* notices;
  DebugPanel* debug;
};
// Call after the window has been laid out.
void addPaneCommands(CommandRegistry& commands, QMainWindow* window, const Panes& panes);

}  // namespace waferpair::gui
