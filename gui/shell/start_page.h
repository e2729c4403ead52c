// SPDX-License-Identifier: GPL-3.0-or-later
// The page that the window shows when no file is open: how to begin, and the recent folders.
#pragma once

#include <QStringList>
#include <QWidget>

class QVBoxLayout;

namespace waferpair::gui {

class CommandRegistry;
struct Command;

class StartPage : public QWidget {
  Q_OBJECT
 public:
  // The links run the commands that have a place in "start", and show their keys. `commands`, to
  // which all have been added, outlives this.
  explicit StartPage(CommandRegistry* commands, QWidget* parent = nullptr);

  // Shows the recent folders. One that is gone is marked, and has a button that takes it off the
  // list.
  void setRecent(const QStringList& folders);
  // Shows what has gone or come back since.
  void lookAgain();

 Q_SIGNALS:
  void folderChosen(const QString& folder);
  void removeWanted(const QString& folder);

 private:
  void addCommandRow(const Command& command);
  void addRecentRow(const QString& folder, bool isThere);

  CommandRegistry* commands_;
  QVBoxLayout* begin_;
  QVBoxLayout* recent_;
  QWidget* recentPart_;
  QStringList folders_;
  QStringList there_;  // those of them that were when they were shown
};

}  // namespace waferpair::gui
