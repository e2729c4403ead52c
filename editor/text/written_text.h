// SPDX-License-Identifier: GPL-3.0-or-later
// Whether somebody wrote a text by hand, as far as its bytes tell: not so for what is binary, in
// another encoding, minified or generated.
#pragma once

#include <QByteArray>

namespace waferpair::editor {

// Nobody writes longer lines. In bytes.
inline constexpr qsizetype kLongestWrittenLine = 1'000;

bool isWrittenText(const QByteArray& bytes, qsizetype longestLine);

}  // namespace waferpair::editor
