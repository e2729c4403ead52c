// SPDX-License-Identifier: GPL-3.0-or-later
// Bars in a margin beside lines of a text that differ from another version of it, told apart by
// shape as well as by color. Drawn by Scintilla's markers, so they move with the text by themselves
// until they are set anew. A second view shows the marks of the text that it mirrors. UI thread
// only.
#pragma once

#include <QColor>
#include <QObject>
#include <QVector>

namespace waferpair::editor {

class TextView;
struct ThemeColors;

struct LineState {
  enum class Kind {
    kAdded,
    kChanged,
    kRemoved,  // lines were taken out above `line`, whose count is 0
  };
  Kind kind = Kind::kAdded;
  bool isSettled = false;  // drawn hollow: it is on its way into the other version already
  int line = 0;            // from 0
  int lines = 0;

  bool operator==(const LineState&) const = default;
};

class LineStates : public QObject {
  Q_OBJECT
 public:
  // Those of an editor, which owns them; made when first asked for.
  static LineStates* of(TextView* editor);

  // Replaces what is marked, and makes room for it, also where nothing is marked: text does not
  // move when the first mark comes. What is beyond the text's end is left out.
  void set(const QVector<LineState>& states);
  // There are none to be expected: the room is given back.
  void clear();
  bool isShown() const { return isShown_; }
  // The color of such marks in a theme, to be seen on its margin.
  static QColor color(LineState::Kind kind, const ThemeColors& colors);

  // For a second view: it has room for them where `source`, the text's own, has.
  void follow(LineStates* source);

 Q_SIGNALS:
  void changed();
  // A line was clicked in the margin.
  void clicked(int line);

 private:
  explicit LineStates(TextView* editor);
  void applyLook();
  void draw(const QVector<LineState>& states);

  TextView* editor_;
  LineStates* source_ = nullptr;  // that a second view follows
  bool isShown_ = false;
};

}  // namespace waferpair::editor
