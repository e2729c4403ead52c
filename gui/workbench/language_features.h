// SPDX-License-Identifier: GPL-3.0-or-later
// All that a window has of language servers: made and put together in one place. UI thread only.
#pragma once

#include <QObject>

#include "gui/workbench/language_commands.h"
#include "gui/workbench/language_guide.h"
#include "gui/workbench/language_panel_commands.h"
#include "pairing/changes/change_set.h"

class QMainWindow;

namespace waferpair::editor {
class DocumentSync;
}

namespace waferpair::gui {

class FileIndex;
class InputPrompt;
class SaveFlow;
class StatusRow;

class LanguageFeatures : public QObject {
  Q_OBJECT
 public:
  // All outlive this but for the window, which owns it.
  struct Parts {
    QMainWindow* window = nullptr;
    LanguageTools* tools = nullptr;
    EditorTabs* tabs = nullptr;
    Settings* settings = nullptr;
    Picker* picker = nullptr;
    InputPrompt* prompt = nullptr;
    BannerStack* notices = nullptr;
    SaveFlow* saves = nullptr;
    editor::DocumentSync* sync = nullptr;
    FileIndex* files = nullptr;
    std::function<QString()> folder = {};  // of the text in front, absolute; empty: none is open
    // The open folder that a path lies in; empty: none.
    std::function<QString(const QString& path)> folderOf = {};
  };
  explicit LanguageFeatures(const Parts& parts);

  DiagnosticMarks* marks() const { return commands_.marks; }
  QDockWidget* problemsDock() const { return commands_.problemsDock; }
  ProblemsPanel* problems() const { return commands_.problems; }
  LanguageGuide* guide() const { return commands_.guide; }
  void addCommands(CommandRegistry& commands) const;
  // Puts the docks into the window, hidden. Returns those below the text.
  QList<QDockWidget*> layOut();
  void addStatus(StatusRow* row) const;
  // To the list of problems.
  void showProblems() const { gui::showProblems(commands_); }

 Q_SIGNALS:
  // These changes of files are to be looked at and decided about.
  void reviewWanted(const QString& folder, const waferpair::pairing::ChangeSet& changes);
  // A file or folder was given another name by what a server answered.
  void renamed(const QString& from, const QString& to);

 private:
  QMainWindow* window_;
  LanguageCommandParts commands_;
  LanguagePanels panels_;
};

}  // namespace waferpair::gui
