// SPDX-License-Identifier: GPL-3.0-or-later
// Who has which of Scintilla's numbers in a view: markers, indicators and margins. Two owners of
// one number would draw and take away each other's marks, and Scintilla draws the markers of folds
// by itself, so each number is given once. What finds no number is drawn by us at anchors, as
// RunMarks and LineNotes are.
#pragma once

#include <Qsci/qsciscintillabase.h>

#include "editor/view/word.h"

namespace waferpair::editor {

// Of Scintilla's 32; where two have a ground for a line, that of the higher number is seen.
enum MarkerNumber : int {
  kChangedLineMarker = 0,  // lines that a proposed change touches
  kRowsMarker = 1,         // unseen: finds lines with rows of ours again
  kTargetMarker = 2,
  kBookmarkMarker = 3,
  kFirstStateMarker = 4,    // to 9: three kinds, settled and not
  kFirstStopMarker = 10,    // to 14: by kind of breakpoint
  kFirstArrowMarker = 15,   // and 16: by place of the debugged program
  kFirstGroundMarker = 17,  // and 18: likewise
  kGoneChangeMarker = 19,   // in comparisons
  kNewChangeMarker = 20,
  kOursMarker = 21,  // in conflicts
  kTheirsMarker = 22,
  kBaseMarker = 23,
  kConflictLineMarker = 24,
};

// Of those that are free for containers.
enum IndicatorNumber : int {
  kFindIndicator = 8,
  kRemovedGroundIndicator = 9,
  kRemovedStrikeIndicator = 10,
  kGoneWordsIndicator = 11,  // in comparisons
  kNewWordsIndicator = 12,
  kFirstSquiggleIndicator = 16,  // to 18: by kind
  kSnippetIndicator = 19,
  kReadIndicator = 20,  // uses of the name at the caret
  kWriteIndicator = 21,
  kTintIndicator = 22,
  kSpellingIndicator = 24,
  kHotIndicator = 25,
};

// From left to right; most are hidden.
enum MarginNumber : unsigned long {
  kLineNumberMargin = 0,
  kProposalMargin = 1,
  kFoldMargin = 2,
  kBookmarkMargin = 3,
  kStateMargin = 4,
  kStopMargin = 5,
  kRunMargin = 6,
  kWordsMargin = 7,
};

struct GivenNumbers {
  int first = 0;
  int count = 1;
};

inline constexpr GivenNumbers kGivenMarkers[] = {
    {kChangedLineMarker},   {kRowsMarker},         {kTargetMarker},        {kBookmarkMarker},
    {kFirstStateMarker, 6}, {kFirstStopMarker, 5}, {kFirstArrowMarker, 2}, {kFirstGroundMarker, 2},
    {kGoneChangeMarker},    {kNewChangeMarker},    {kOursMarker},          {kTheirsMarker},
    {kBaseMarker},          {kConflictLineMarker}};

inline constexpr GivenNumbers kGivenIndicators[] = {
    {kFindIndicator},      {kRemovedGroundIndicator}, {kRemovedStrikeIndicator},
    {kGoneWordsIndicator}, {kNewWordsIndicator},      {kFirstSquiggleIndicator, 3},
    {kSnippetIndicator},   {kReadIndicator},          {kWriteIndicator},
    {kTintIndicator},      {kSpellingIndicator},      {kHotIndicator}};

inline constexpr GivenNumbers kGivenMargins[] = {
    {kLineNumberMargin}, {kProposalMargin}, {kFoldMargin}, {kBookmarkMargin},
    {kStateMargin},      {kStopMargin},     {kRunMargin},  {kWordsMargin}};

// Returns whether each number is given once, from `first` to before `end`.
template <size_t kOwners>
constexpr bool areGivenOnce(const GivenNumbers (&given)[kOwners], int first, int end) {
  unsigned long long taken = 0;
  for (const GivenNumbers& one : given) {
    for (int number = one.first; number < one.first + one.count; ++number) {
      if (number < first || number >= end || ((taken >> number) & 1) != 0) return false;
      taken |= 1ULL << number;
    }
  }
  return true;
}

// From 25 on they are those of folds.
static_assert(areGivenOnce(kGivenMarkers, 0, QsciScintillaBase::SC_MARKNUM_FOLDEREND));
static_assert(areGivenOnce(kGivenIndicators, QsciScintillaBase::INDIC_CONTAINER,
                           QsciScintillaBase::INDIC_IME));
static_assert(areGivenOnce(kGivenMargins, 0, static_cast<int>(kMargins)));

}  // namespace waferpair::editor
