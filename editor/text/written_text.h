// SPDX-License-Identifier: GPL-3.0-or-later
// Tells by a text's bytes whether somebody wrote it by hand: not so for what is binary, in
// another encoding, minified or generated.
#pragma once

#include <QByteArray>

namespace waferpair::editor {

// Nobody writes longer lines. In bytes.
inline constexpr qsizetype kLongestWrittenLine = 1'000;

bool isWrittenText(const QByteArray& bytes, qsizetype longestLine);

}  // namespace waferpair::editor
