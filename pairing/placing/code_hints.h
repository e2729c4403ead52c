// SPDX-License-Identifier: GPL-3.0-or-later
// What the words in and around a block of code tell of what it is for.
#pragma once

#include <QByteArray>
#include <QString>

namespace waferpair::pairing {

// The language that a fence names is that of commands, output or diffs.
bool isOfShell(const QByteArray& language);
// A line of prose, or a comment, announces an example rather than a change.
bool announcesExample(const QString& text);
// It announces code as it was before the change.
bool announcesOld(const QString& text);
// Of two pieces, each behind its line of prose, the first is to be replaced by the second: "Replace
// this:" and "with:", "Before:" and "After:".
bool announceReplacement(const QString& ofOld, const QString& ofNew);
// A comment that a model adds to say what it did, or which file this is.
bool isRemark(const QByteArray& line);
// The share of words that two pieces have in common: 0 to 1.
double likeness(const QByteArray& a, const QByteArray& b);
// Code with "12 | " or "12: " before each of its lines, without that.
QByteArray withoutNumbers(const QByteArray& code);

}  // namespace waferpair::pairing
