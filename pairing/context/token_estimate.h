// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates a text's tokens where no tokenizer is at hand: models' vocabularies take 3 to 4 bytes
// of code or English for one. Whoever shows such a figure says that it is an estimate.
#pragma once

#include <QByteArrayView>
#include <QStringView>

namespace waferpair::pairing {

inline qint64 estimatedTokens(QByteArrayView utf8) { return (2 * utf8.size() + 6) / 7; }
inline qint64 estimatedTokens(QStringView text) { return estimatedTokens(text.toUtf8()); }

// The bytes that are estimated to be so many tokens.
inline qsizetype bytesOfTokens(qint64 tokens) { return tokens * 7 / 2; }

}  // namespace waferpair::pairing
