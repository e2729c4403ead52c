// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of the user's trust in folders: an entry in the status bar while what is
// open is restricted, and a list of what can be said and taken back. UI thread only.
#pragma once

#include <QObject>

class QToolButton;

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class FolderTrust;
class Picker;
class StartGate;
class StatusRow;
class Workspace;

class TrustFlow : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  struct Parts {
    StartGate* gate;
    EditorTabs* tabs;
    Workspace* workspace;
    Picker* picker;
  };
  explicit TrustFlow(const Parts& parts, QObject* parent = nullptr);

  // The folder that is open; without one, that of the text in front. Empty: there is none.
  QString folder() const;
  // Has the user choose what to say of the folder, and of others.
  void manage(const QString& folder);
  void addStatus(StatusRow* row);

 private:
  void showStatus();

  Parts p_;
  FolderTrust* trust_;
  StatusRow* row_ = nullptr;
  QToolButton* status_ = nullptr;
};

// `flow` outlives the commands.
void addTrustCommands(CommandRegistry& commands, TrustFlow* flow);

}  // namespace waferpair::gui
