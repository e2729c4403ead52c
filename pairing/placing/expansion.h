// SPDX-License-Identifier: GPL-3.0-or-later
// What lines that stand for others ("// ... existing code ...") stand for. Lines compare without
// regard to blanks, and empty ones say nothing about a place.
#pragma once

#include <QByteArray>
#include <optional>

#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

// `answer` with the lines of `original` that its placeholders stand for. None: that is not certain.
// The lines between two placeholders begin and end with lines of the original. Where those run on
// in both for longer than anywhere else near each other, there is the place of what is between.
std::optional<QByteArray> expanded(const TextLines& answer, const TextLines& original);

// Both texts of a replacement, which leave out the same lines of `text`: from the first line that
// is changed to the last. None: the changed ones have no place among the others, or several.
struct ExpandedPair {
  QByteArray oldText;
  QByteArray newText;
};
std::optional<ExpandedPair> expandedPair(const TextLines& oldText, const TextLines& newText,
                                         const TextLines& text);

}  // namespace waferpair::pairing
