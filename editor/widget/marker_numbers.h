// SPDX-License-Identifier: GPL-3.0-or-later
// Who has which of Scintilla's 32 markers in a view: two owners of one number would take away each
// other's marks. From 25 on they are those of folds, of which some are drawn for nothing.
#pragma once

#include <Qsci/qsciscintillabase.h>

namespace waferpair::editor {

enum MarkerNumber : int {
  kChangedLineMarker = 0,  // lines that a proposed change touches
  kRowsMarker = 1,         // unseen: finds lines with rows of ours again
  kTargetMarker = 2,
  kBookmarkMarker = 3,
  kFirstStateMarker = 4,    // to 9: three kinds, settled and not
  kFirstStopMarker = 10,    // to 14: by kind of breakpoint
  kFirstArrowMarker = 15,   // and 16: by place of the debugged program
  kFirstGroundMarker = 17,  // and 18: likewise
  kOursMarker = 19,
  kTheirsMarker = 22,
  kBaseMarker = 23,
  kConflictLineMarker = QsciScintillaBase::SC_MARKNUM_FOLDERSUB,
  kReadyTestMarker = 20,
  kRunningTestMarker = 21,
  kPassedTestMarker = 24,
  kSkippedTestMarker = QsciScintillaBase::SC_MARKNUM_FOLDERMIDTAIL,
  kFailedTestMarker = QsciScintillaBase::SC_MARKNUM_FOLDERTAIL,
  // In comparisons, which have no tests and no conflicts.
  kGoneChangeMarker = 20,
  kNewChangeMarker = 21,
  kGoneSignMarker = 22,
  kNewSignMarker = 23,
};

}  // namespace waferpair::editor
