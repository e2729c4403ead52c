// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a text that the user marked to come back to. The marks move with their lines. UI thread
// only.
#pragma once

#include <QObject>
#include <QVector>

namespace waferpair::editor {

class TextView;

class Bookmarks : public QObject {
  Q_OBJECT
 public:
  // Owned by the editor.
  explicit Bookmarks(TextView* editor);

  // From the top.
  QVector<int> lines() const;
  // Replaces them; lines that are not there are left out.
  void setLines(const QVector<int>& lines);

  // Sets or takes away marks of the lines of the carets: takes them away where all have one.
  bool toggle();
  // Goes to the next one (1), or the one before (-1), round the end; false: there is none.
  bool go(int direction);
  bool clear();

 Q_SIGNALS:
  // They were set or taken away, other than by an edit.
  void changed();

 private:
  void applyLook();
  bool isSet(int line) const;

  TextView* editor_;
};

}  // namespace waferpair::editor
