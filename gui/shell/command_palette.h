// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+Shift+P: every command by a few letters of its name, the ones used last on top.
#pragma once

#include <QObject>
#include <QStringList>

namespace waferpair::gui {

class CommandRegistry;
class EditorKeys;
class EditorTabs;
class Picker;

class CommandPalette : public QObject {
  Q_OBJECT
 public:
  // Also offers the editor's own actions while a text is open. All outlive this.
  CommandPalette(CommandRegistry* commands, const EditorKeys* editorKeys, EditorTabs* tabs,
                 Picker* picker);

  void open();

 private:
  void run(const QString& id);

  CommandRegistry* commands_;
  const EditorKeys* editorKeys_;
  EditorTabs* tabs_;
  Picker* picker_;
  QStringList used_;  // ids run from here, latest first
};

}  // namespace waferpair::gui
