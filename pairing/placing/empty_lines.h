// SPDX-License-Identifier: GPL-3.0-or-later
// Empty lines that a text has and a quote of it leaves out.
#pragma once

#include <optional>

#include "pairing/placing/repairs.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

// Both texts of a change with those lines. None: the quote leaves none out, or stands elsewhere,
// too; or it cannot be told where they are among lines that are inserted, which is told only where
// these bring as many of their own: then as many stand on both sides.
std::optional<RepairedChange> withEmptyLines(const QByteArray& oldText, const QByteArray& newText,
                                             const TextLines& text);

}  // namespace waferpair::pairing
