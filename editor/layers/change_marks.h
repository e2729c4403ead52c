// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a text that differ from another text: a ground behind them, and a stronger one behind
// the words in which they differ. Drawn by Scintilla, so they move with the text by themselves
// until they are set anew. UI thread only.
#pragma once

#include <QObject>
#include <QVector>

#include "editor/text/word_diff.h"

namespace waferpair::editor {

class TextView;

struct ChangeMark {
  enum class Kind { kRemoved, kAdded };
  Kind kind = Kind::kAdded;
  int line = 0;  // from 0
  int lines = 0;
  QVector<ByteRange> words = {};  // of the text
};

class ChangeMarks : public QObject {
  Q_OBJECT
 public:
  // The editor must outlive what is set here. What is marked stays marked when this goes.
  explicit ChangeMarks(TextView* editor, QObject* parent = nullptr);

  // Replaces what is marked.
  void set(const QVector<ChangeMark>& marks);

 private:
  void defineLook();

  TextView* editor_;
};

}  // namespace waferpair::editor
