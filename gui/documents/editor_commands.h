// SPDX-License-Identifier: GPL-3.0-or-later
// The editor's own actions (editor/widget/editor_actions.h) as commands: "editor.accept-word". The
// editors take their keys themselves, from the table that is kept here as the user has it.
#pragma once

#include <QObject>

#include "editor/widget/key_table.h"

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;

class EditorCommands : public QObject {
  Q_OBJECT
 public:
  // `commands` outlives this.
  explicit EditorCommands(CommandRegistry* commands, QObject* parent = nullptr);

  // They are for the text in front; `tabs` outlives this. Without `suggestions` no menu shows what
  // is done with one.
  void add(EditorTabs* tabs, bool suggestions);

  const editor::KeyTable& keys() const { return keys_; }

 Q_SIGNALS:
  void keysChanged();

 private:
  void takeKeys();

  CommandRegistry* commands_;
  editor::KeyTable keys_;
};

}  // namespace waferpair::gui
