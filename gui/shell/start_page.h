// SPDX-License-Identifier: GPL-3.0-or-later
// The page that the window shows when no file is open: how to begin, the recent folders, and, while
// no folder is open, things to try. Up and Down go from link to link.
#pragma once

#include <QStringList>
#include <QWidget>

#include "gui/shell/things_to_try.h"

class QGridLayout;
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
  // Shows these, each with its key as it is by then; none hides the part.
  void setThings(const QList<ThingToTry>& things);
  // Shows what has gone or come back since.
  void lookAgain();

 Q_SIGNALS:
  void thingChosen(const QString& id);
  void folderChosen(const QString& folder);
  void removeWanted(const QString& folder);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addThing(const ThingToTry& thing);
  void placeParts();
  void addCommandRow(const Command& command);
  void addRecentRow(const QString& folder, bool isThere);

  CommandRegistry* commands_;
  QVBoxLayout* begin_;
  QVBoxLayout* recent_;
  QWidget* recentPart_;
  QVBoxLayout* try_;
  QWidget* tryPart_;
  QWidget* left_;  // of the two, where there is room for both side by side
  QGridLayout* columns_;
  QList<ThingToTry> things_;
  QStringList folders_;
  QStringList there_;  // those of them that were when they were shown
};

}  // namespace waferpair::gui
