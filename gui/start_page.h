// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows when no file is open: how to begin, and the folders of late.
#pragma once

#include <QStringList>
#include <QWidget>

class QVBoxLayout;

namespace waferpair::gui {

class CommandRegistry;

class StartPage : public QWidget {
  Q_OBJECT
 public:
  // The links run these commands and show their keys. `commands` outlives this.
  StartPage(CommandRegistry* commands, const QStringList& ids, QWidget* parent = nullptr);

  void setRecent(const QStringList& folders);

 Q_SIGNALS:
  void folderChosen(const QString& folder);

 private:
  void addCommandRow(const QString& id);

  CommandRegistry* commands_;
  QVBoxLayout* begin_;
  QVBoxLayout* recent_;
  QWidget* recentPart_;
};

}  // namespace waferpair::gui
