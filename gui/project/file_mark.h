// SPDX-License-Identifier: GPL-3.0-or-later
// A mark stands beside a file's name in the tree: a letter, its color, and the same as a word.
#pragma once

#include <QColor>
#include <QString>
#include <functional>

namespace waferpair::gui {

struct FileMark {
  enum class Tone { kNone, kFaint, kNew, kChanged, kProblem };

  QString letter;  // at the end of the row
  QString word;    // for tool tips and screen readers
  Tone tone = Tone::kNone;

  // In the colors of the window as they are now; not of kNone.
  QColor color() const;
};

// By the absolute path of a file or a folder. It is asked for each row that is painted.
using FileMarker = std::function<FileMark(const QString& path)>;

}  // namespace waferpair::gui
