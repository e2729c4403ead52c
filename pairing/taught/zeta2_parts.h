// SPDX-License-Identifier: GPL-3.0-or-later
// What the forms of Zeta 2 and 2.1 have in common: Seed-Coder's order, with what follows the region
// first, and the edits so far as a file of diffs.
//
//   <[fim-suffix]>what follows the region
//   <[fim-prefix]><filename>edit_history
//   --- a/src/a.py
//   +++ b/src/a.py
//   @@ -1,4 +1,4 @@
//   ...
//
//   <filename>src/a.py
//   what is above the region, and the region
//   <[fim-middle]>
//
// After github.com/zed-industries/zed, crates/zeta_prompt/src/zeta_prompt/seed_coder.rs: a region
// of up to 350 tokens, 150 around it, six edits, 4,096 tokens in all.
#pragma once

#include "pairing/taught/taught_format.h"

namespace waferpair::pairing::zeta2 {

inline constexpr char kCaret[] = "<|user_cursor|>";

struct Spans {
  LineSpan region, excerpt;
};
// Nothing where a line is too long for a region.
std::optional<Spans> spansOf(const EditQuestion& question);

// The region's lines as one text, each with its line end, and the caret's mark in it.
QByteArray regionWithCaret(const EditQuestion& question, LineSpan region);

// `region` is as the form marks it, with a line end at its end.
EditPrompt assemble(const EditQuestion& question, const Spans& spans, const QByteArray& region);

// The marks that a text may not hold.
QByteArrayList marksWith(const QByteArrayList& own);

}  // namespace waferpair::pairing::zeta2
