// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures in a margin beside lines that can be run: a triangle, and how that went last, told apart
// by shape as well as by color. They are at anchors, which follow the text until they are set anew,
// and are painted by us over Scintilla's finished margin. A second view shows the marks of the text
// that it mirrors. UI thread only.
#pragma once

#include <QImage>
#include <QObject>
#include <QVector>

#include "editor/text/anchor.h"
#include "editor/view/view_part.h"

class QPainter;
class QRegion;

namespace waferpair::editor {

class TextView;

struct RunMark {
  enum class Kind { kReady, kRunning, kPassed, kSkipped, kFailed };
  int line = 0;  // from 0
  Kind kind = Kind::kReady;

  bool operator==(const RunMark&) const = default;
};

class RunMarks : public QObject, public ViewPart {
  Q_OBJECT
 public:
  // Those of an editor, which owns them; made when first asked for.
  static RunMarks* of(TextView* editor);

  // Replaces what is marked. There is room for marks as long as there are some; of a line the last
  // one counts.
  void set(const QVector<RunMark>& marks);
  bool isShown() const { return isShown_; }
  // From the top, where they are by now: one of a line.
  QVector<RunMark> marks() const;
  void paint(QPainter& painter, const QRegion& dirty) override;

  // For a second view: it has room for them where `source`, the text's own, has, and a click there
  // is one here.
  void follow(RunMarks* source);

 Q_SIGNALS:
  void changed();
  // The marks have followed edits.
  void moved();
  // A line that has a mark was clicked in the margin.
  void clicked(int line);

 private:
  struct Placed {
    Anchor at;  // its line's start
    RunMark::Kind kind;
  };

  explicit RunMarks(TextView* editor);
  void applyLook();
  QRect margin() const;

  TextView* editor_;
  RunMarks* source_ = nullptr;  // that a second view follows
  bool isShown_ = false;
  QVector<Placed> placed_;    // by line
  QVector<QImage> pictures_;  // by kind
};

}  // namespace waferpair::editor
