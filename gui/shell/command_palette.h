// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+Shift+P: every command by a few letters of its name, the ones used last on top.
#pragma once

#include <QObject>
#include <QStringList>

namespace waferpair::gui {

class CommandRegistry;
class Picker;

class CommandPalette : public QObject {
  Q_OBJECT
 public:
  // Offers what can be run just then. Both outlive this.
  CommandPalette(CommandRegistry* commands, Picker* picker);

  void open();

 private:
  CommandRegistry* commands_;
  Picker* picker_;
  QStringList used_;  // ids run from here, latest first
};

}  // namespace waferpair::gui
