// SPDX-License-Identifier: GPL-3.0-or-later
// Grounds behind the uses of one name; where it is written they have an outline, too, so that these
// are told apart without color. Drawn by Scintilla, so they move with the text by themselves. UI
// thread only.
#pragma once

#include <QObject>
#include <QVector>

namespace waferpair::editor {

class TextView;

struct UseMark {
  qint64 start = 0;
  qint64 end = 0;
  bool isWrite = false;

  bool operator==(const UseMark&) const = default;
};

class UseMarks : public QObject {
  Q_OBJECT
 public:
  // Owned by the editor.
  explicit UseMarks(TextView* editor);

  // Replaces what is drawn.
  void set(const QVector<UseMark>& marks);
  // As they were set; they are taken away before an edit could move them.
  const QVector<UseMark>& marks() const { return marks_; }

 private:
  void defineLook();

  TextView* editor_;
  QVector<UseMark> marks_;
};

}  // namespace waferpair::editor
