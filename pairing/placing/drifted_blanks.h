// SPDX-License-Identifier: GPL-3.0-or-later
// Quotes whose lines have blanks where the text has none, or none where it has some.
#pragma once

#include <optional>

#include "pairing/placing/repairs.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

// Both texts of a change, with the lines that stay as the text has them but for their indentation.
// None: the quote does not stand in the text but for blanks within its lines, or stands there
// several times.
std::optional<RepairedChange> withTextsBlanks(const QByteArray& oldText, const QByteArray& newText,
                                              const TextLines& text);

}  // namespace waferpair::pairing
