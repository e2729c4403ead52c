// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/file_mark.h"

#include "gui/kit/theme.h"

namespace waferpair::gui {

QColor FileMark::color() const {
  const WindowColors& colors = Theme::instance().colors();
  switch (tone) {
    case Tone::kNew:
      return colors.success;
    case Tone::kChanged:
      return colors.warning;
    case Tone::kProblem:
      return colors.danger;
    case Tone::kFaint:
      return colors.muted;
    case Tone::kNone:
      break;
  }
  return colors.text;
}

}  // namespace waferpair::gui
