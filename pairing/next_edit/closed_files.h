// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the project that are not open may have a place for the latest edits. This tells which:
// those that hold the words that changed, by the facts about the project, without reading them.
#pragma once

#include <QStringList>

#include "pairing/next_edit/next_edit.h"

namespace waferpair::pairing {

// A change of words that stand in more files than these is nobody's next edit there.
inline constexpr qsizetype kMostClosedFiles = 24;

// Paths in the project, those that hold the words of the latest edit first. None of them is among
// the situation's texts.
QStringList closedFiles(const Situation& situation);

}  // namespace waferpair::pairing
