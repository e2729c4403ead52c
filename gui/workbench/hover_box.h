// SPDX-License-Identifier: GPL-3.0-or-later
// A box over a text that says something about a place in it. It takes no keys: any key, a click,
// scrolling, or the focus elsewhere closes it. UI thread only.
#pragma once

#include <QTextEdit>

namespace waferpair::editor {
class CodeEditor;
}

namespace waferpair::gui {

class HoverBox : public QTextEdit {
  Q_OBJECT
 public:
  // The editor owns it.
  explicit HoverBox(editor::CodeEditor* editor);

  // Shows it above the line of this byte, or below where there is more room.
  void showAt(qint64 offset, const QString& markdown);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  editor::CodeEditor* editor_;
};

}  // namespace waferpair::gui
