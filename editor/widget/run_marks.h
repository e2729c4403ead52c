// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures in a margin beside lines that can be run: a triangle, and how that went last, told apart
// by shape as well as by color. Drawn by Scintilla's markers, so they move with the text by
// themselves until they are set anew. A second view shows the marks of the text that it mirrors. UI
// thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QVector>

namespace waferpair::editor {

class CodeEditor;

struct RunMark {
  enum class Kind { kReady, kRunning, kPassed, kSkipped, kFailed };
  int line = 0;  // from 0
  Kind kind = Kind::kReady;

  bool operator==(const RunMark&) const = default;
};

class RunMarks : public QObject {
  Q_OBJECT
 public:
  // Those of an editor, which owns them; made when first asked for.
  static RunMarks* of(CodeEditor* editor);

  // Replaces what is marked. There is room for marks as long as there are some; of a line the last
  // one counts.
  void set(const QVector<RunMark>& marks);
  bool isShown() const { return isShown_; }

  // For a second view: it has room for them where `source`, the text's own, has, and a click there
  // is one here.
  void follow(RunMarks* source);

 Q_SIGNALS:
  void changed();
  // A line that has a mark was clicked in the margin.
  void clicked(int line);

 private:
  explicit RunMarks(CodeEditor* editor);
  void applyLook();
  void draw(const QHash<int, int>& wanted);

  CodeEditor* editor_;
  RunMarks* source_ = nullptr;  // that a second view follows
  bool isShown_ = false;
};

}  // namespace waferpair::editor
