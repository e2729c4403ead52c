// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of grammars as text, in the notation that waferd and llama-server read (GBNF:
// runtime/grammar/gbnf.h): what stands on the right of a rule.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace waferpair::pairing::gbnf {

// waferd reads no longer grammar (runtime/grammar/gbnf.h), in bytes of UTF-8.
inline constexpr qsizetype kMostBytes = 64 << 10;

// Exactly this text.
QString literal(const QString& text);

// One of these, as a tree of their common beginnings: a reader that goes on character by character
// has few ways open at a time. `texts` is not empty.
QString oneOf(QStringList texts);

struct NumberRange {
  qint64 first = 1;  // 0 <= first <= last
  qint64 last = 1;

  bool operator==(const NumberRange&) const = default;
};

// A number of one of these ranges, in decimal digits, without zeros in front. `ranges` is not
// empty.
QString numberIn(const QVector<NumberRange>& ranges);

}  // namespace waferpair::pairing::gbnf
