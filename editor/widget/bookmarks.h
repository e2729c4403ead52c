// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of an editor that the user marked to come back to. The marks move with their lines. Owned
// by its CodeEditor, which tells of changes (bookmarksChanged()).
#pragma once

#include <QVector>

namespace waferpair::editor {

class CodeEditor;

class Bookmarks {
 public:
  explicit Bookmarks(CodeEditor* editor);

  // From the top.
  QVector<int> lines() const;
  // Replaces them; lines that are not there are left out.
  void setLines(const QVector<int>& lines);

  // Sets or takes away marks of the lines of the carets: takes them away where all have one.
  bool toggle();
  // Goes to the next one (1), or the one before (-1), round the end; false: there is none.
  bool go(int direction);
  bool clear();

  // The editor calls this.
  void applyLook();

 private:
  bool isSet(int line) const;
  void changed();

  CodeEditor* editor_;
};

}  // namespace waferpair::editor
