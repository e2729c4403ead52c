// SPDX-License-Identifier: GPL-3.0-or-later
// The suggestion as a text of its own, which can be read line by line and letter by letter, by
// screen reader, Braille or eye: ghost text itself is only painted. UI thread only.
#pragma once

#include <QPlainTextEdit>

namespace waferpair::editor {

class CodeEditor;

// A pop-up below the caret. Esc closes it, the key that accepts suggestions accepts this one; the
// focus is back in the editor then.
class GhostReader : public QPlainTextEdit {
  Q_OBJECT
 public:
  // Shows what is left of the editor's ghost, which must be shown. Deletes itself when closed.
  explicit GhostReader(CodeEditor* editor);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  CodeEditor* editor_;
};

}  // namespace waferpair::editor
