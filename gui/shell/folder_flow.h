// SPDX-License-Identifier: GPL-3.0-or-later
// Opening and closing folders as conversations: which one, what of unsaved texts, what if it is
// gone. Nothing blocks; each call returns at once.
#pragma once

#include <QObject>

class QMainWindow;

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class EditorTabs;
class FolderTrust;
class FolderTree;
class InputPrompt;
class Picker;
class QuickOpen;
class SaveFlow;
class SessionKeeper;
class Workspace;

class FolderFlow : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    QMainWindow* window;
    EditorTabs* tabs;
    Workspace* workspace;
    SaveFlow* saveFlow;
    SessionKeeper* session;
    InputPrompt* prompt;
    BannerStack* notices;
    FolderTrust* trust;
    Picker* picker;
  };
  // All parts outlive this; the window owns it.
  explicit FolderFlow(const Parts& parts);

  // Brings another window to the front that has this folder open; false: none has.
  using ShowElsewhere = std::function<bool(const QString& folder)>;
  void setShowElsewhere(ShowElsewhere show) { showElsewhere_ = std::move(show); }
  // Whether another window has it open, which stays where it is.
  using IsElsewhere = std::function<bool(const QString& folder)>;
  void setIsElsewhere(IsElsewhere is) { isElsewhere_ = std::move(is); }

  // Asks about unsaved texts first, as close() does. `then` is called once it is open here.
  void open(const QString& folder, std::function<void()> then = {});
  // Opens a recent folder; if it is gone by now, that is said, and it can be taken off the list.
  void openRecent(const QString& folder);
  void close();
  // Adds a folder to the window; without any it is opened. What speaks against it is said. Nothing
  // that is open changes.
  void add(const QString& folder);
  // The same for one that a command line names: that it is there already is no news.
  void addNamed(const QString& folder);
  // Takes it out of the window; of the only one this is close(). Texts stay open.
  void remove(const QString& folder);
  // Opens files and folders alike.
  void openPaths(const QStringList& paths);

  void askForFiles();
  void askForFolder();
  void askForFolderToAdd();
  // Of several, by a list.
  void askForFolderToRemove();
  // Asks where to copy the project in `sample`, and opens the copy. `then` is called once it is
  // open.
  void askForSamplePlace(const QString& sample, std::function<void()> then = {});

 private:
  QString startFolder() const;
  void closeTexts(std::function<void()> then);

  Parts p_;
  ShowElsewhere showElsewhere_;
  IsElsewhere isElsewhere_;
};

// All that is passed outlives the commands.
void addFolderCommands(CommandRegistry& commands, FolderFlow* flow, QuickOpen* quickOpen,
                       EditorTabs* tabs, Workspace* workspace, FolderTree* tree);

}  // namespace waferpair::gui
