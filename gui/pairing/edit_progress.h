// SPDX-License-Identifier: GPL-3.0-or-later
// How far the answer to an edit in place is, in words for the user.
#pragma once

#include <QString>

#include "pairing/edits/edit_run.h"

namespace waferpair::gui {

// "2 changes (first token 56 ms, 900 tokens/s, host)", the figures as far as they are known.
QString broughtBy(const pairing::EditRun& run);
// What the bar says of it; `model` is the name of the one that was asked, and so many lines came of
// a change that is not whole.
QString progressOf(const pairing::EditRun& run, const QString& model, qint64 lines);
// Why changes have no place, a line for each of the first ones, with a line end before it; empty:
// all have one.
QString unplacedIn(const pairing::EditRun& run);

}  // namespace waferpair::gui
