// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/git_marks.h"

#include "gui/translate.h"

namespace waferpair::gui {

using workbench::GitState;
using Tone = FileMark::Tone;

FileMark gitMark(GitState state) {
  switch (state) {
    case GitState::kModified:
      return {QStringLiteral("M"), tr("modified"), Tone::kChanged};
    case GitState::kAdded:
      return {QStringLiteral("A"), tr("added"), Tone::kNew};
    case GitState::kDeleted:
      return {QStringLiteral("D"), tr("deleted"), Tone::kChanged};
    case GitState::kUntracked:
      return {QStringLiteral("?"), tr("untracked"), Tone::kNew};
    case GitState::kConflict:
      return {QStringLiteral("!"), tr("in conflict"), Tone::kProblem};
    case GitState::kIgnored:
      return {{}, tr("ignored"), Tone::kFaint};
    case GitState::kUnchanged:
      break;
  }
  return {};
}

FileMark gitFolderMark(GitState state) {
  const bool isConflict = state == GitState::kConflict;
  return {isConflict ? QStringLiteral("!") : QStringLiteral("\u2022"),
          isConflict ? tr("with conflicts") : tr("with changes"),
          isConflict ? Tone::kProblem : Tone::kChanged};
}

}  // namespace waferpair::gui
