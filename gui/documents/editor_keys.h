// SPDX-License-Identifier: GPL-3.0-or-later
// The editors' own keys (accept a suggestion, comment a line ...) as the user has them, kept in
// keys.json beside the commands' keys: {"editor.accept-word": ["Ctrl+Right"]}. UI thread only.
#pragma once

#include <QObject>
#include <QString>

#include "editor/widget/key_table.h"

namespace waferpair::gui {

class EditorKeys : public QObject {
  Q_OBJECT
 public:
  explicit EditorKeys(QString keysFile, QObject* parent = nullptr);

  const editor::KeyTable& table() const { return table_; }
  static QKeySequence defaultKey(editor::EditorAction action);

  // Returns what is wrong with the file, if anything.
  QString load();
  // Saved at once. An empty key unbinds. Another action with this key keeps it: which of the two
  // applies is written in the table that Help shows. Returns what went wrong.
  QString setKey(editor::EditorAction action, const QKeySequence& key);

 Q_SIGNALS:
  void changed();

 private:
  QString keysFile_;
  editor::KeyTable table_;
};

}  // namespace waferpair::gui
