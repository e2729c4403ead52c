// SPDX-License-Identifier: GPL-3.0-or-later
// A box above the caret that says what the call there takes. It gives way to the list of what could
// stand at the caret, and stands below ghost text where there is no room above. Up and Down choose
// between several signatures, Esc closes it; all other keys are the text's. Owned by the editor. UI
// thread only.
#pragma once

#include <QLabel>

#include "workbench/language/signature_help.h"

namespace waferpair::editor {
class CodeEditor;
}

namespace waferpair::gui {

class SignatureBox : public QLabel {
  Q_OBJECT
 public:
  explicit SignatureBox(editor::CodeEditor* editor);

  // Shows it, or what there is instead of what is shown; the signature that the user chose stays.
  // Without signatures it closes.
  void showHelp(const workbench::SignatureHelp& help);
  void dismiss();
  // It is open, though the list may cover it meanwhile.
  bool isOpen() const { return open_; }
  // The index of the signature that is shown.
  qsizetype current() const { return current_; }

 Q_SIGNALS:
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool takesKey(int key, Qt::KeyboardModifiers modifiers) const;
  void step(qsizetype by);
  void showCurrent();
  void place();

  editor::CodeEditor* editor_;
  workbench::SignatureHelp help_;
  qsizetype current_ = 0;
  bool open_ = false;
  bool chosen_ = false;  // by the user
  int x_ = 0;            // pixels; it stays where it was opened while the line is typed on
  int line_ = -1;
};

}  // namespace waferpair::gui
