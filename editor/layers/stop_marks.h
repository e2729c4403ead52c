// SPDX-License-Identifier: GPL-3.0-or-later
// Where a program that is debugged stops: breakpoints as dots in a margin of their own, told apart
// by shape as well as by color, and an arrow at the line where it stands. Drawn by Scintilla's
// markers, so they move with the text by themselves until they are set anew. A second view shows
// the marks of the text that it mirrors. UI thread only.
#pragma once

#include <QObject>
#include <QVector>

namespace waferpair::editor {

class TextView;

struct StopMark {
  enum class Kind {
    kPlain,
    kConditional,  // it stops there at times
    kLog,          // it prints something there
    kOff,
    kUnbound,  // the program has no code there
  };
  Kind kind = Kind::kPlain;
  int line = 0;  // from 0

  bool operator==(const StopMark&) const = default;
};

class StopMarks : public QObject {
  Q_OBJECT
 public:
  // Those of an editor, which owns them; made when first asked for.
  static StopMarks* of(TextView* editor);

  // The margin has room for them, whether there are any or not.
  void setShown(bool shown);
  bool isShown() const { return isShown_; }
  // Replaces the breakpoints; what is beyond the text's end is left out.
  void set(const QVector<StopMark>& marks);
  // From the top, where they are by now.
  QVector<StopMark> marks() const;
  enum class Place {
    kHere,    // the program goes on there
    kCaller,  // it comes back there
  };
  // The line of the arrow; -1: there is none.
  void setPlace(int line, Place place = Place::kHere);
  int placeLine() const;

  // For a second view: it has room for them where `source`, the text's own, has.
  void follow(StopMarks* source);

 Q_SIGNALS:
  void changed();
  // A line was clicked in the margin.
  void clicked(int line);

 private:
  explicit StopMarks(TextView* editor);
  void applyLook();

  TextView* editor_;
  StopMarks* source_ = nullptr;  // that a second view follows
  bool isShown_ = false;
};

}  // namespace waferpair::editor
