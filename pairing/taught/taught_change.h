// SPDX-License-Identifier: GPL-3.0-or-later
// The first change that a model's rewrite makes, told as soon as it is whole: a model copies what
// is as it was, which takes most of the time, and what comes behind the change is another
// question's. Values; any thread.
#pragma once

#include "pairing/taught/taught_format.h"

namespace waferpair::pairing {

struct TaughtChange {
  int line = 0;                  // of the text
  QByteArrayList before, after;  // never both empty
  qsizetype end = 0;             // bytes of the answer up to the change's end
};

// Nothing while that is not known: before it ends, an answer has to be back at the text for two
// lines.
std::optional<TaughtChange> firstChange(const EditPrompt& prompt, const Rewrite& rewrite);

// Whether nobody wants the change: only blanks differ, it is longer than can be read at a glance,
// or it takes back one of these edits of the same text.
bool isIdle(const TaughtChange& change, const QVector<LineEdit>& edits);

}  // namespace waferpair::pairing
