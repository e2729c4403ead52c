// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the window that git's tools act on; all outlive them.
#pragma once

#include <QString>
#include <functional>

namespace waferpair::gui {

class BannerStack;
class EditorTabs;
class FolderTree;
class InputPrompt;
class Picker;
class SaveFlow;
class Settings;
class Workspace;

struct GitParts {
  EditorTabs* tabs = nullptr;
  Workspace* workspace = nullptr;
  FolderTree* tree = nullptr;
  Picker* picker = nullptr;
  InputPrompt* prompt = nullptr;
  BannerStack* notices = nullptr;
  SaveFlow* saves = nullptr;
  Settings* settings = nullptr;
  QString state = {};  // the folder for what is remembered
  // Whether the user trusts a repository's work folder.
  std::function<bool(const QString& folder)> isTrusted = {};
  // Asks the user to, and calls `then` once that is so.
  std::function<void(const QString& folder, const std::function<void()>& then)> trust = {};
};

}  // namespace waferpair::gui
