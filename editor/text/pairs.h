// SPDX-License-Identifier: GPL-3.0-or-later
// Brackets and quotes that come in pairs, and where typing the first of a pair brings the second.
// Pure functions.
#pragma once

#include <QByteArray>
#include <QString>

namespace waferpair::editor {

// A letter of a program is part of one of these.
enum class TextKind { kCode, kString, kComment };

// Returns the bracket or quote that closes `opener`; 0 where it opens nothing.
char closerOf(char opener);
bool isQuoteByte(char c);

// A place in a line where something is typed.
struct PairPlace {
  QString language;   // a name of languageNames(); empty: plain text
  QByteArray before;  // of the line, left of the place
  QByteArray after;   // right of it
  TextKind kind = TextKind::kCode;
  bool closerFollows = false;  // right of it is a closer that was put there, not typed
};

// Returns what belongs behind `typed`, so that it is closed; empty: nothing does.
QByteArray closerFor(char typed, const PairPlace& place);

// Returns how many of `closers`, which stand right of a place, text that is put there closes by
// itself: it takes their place. `before` is what was put there earlier and opened what `text` may
// close.
qsizetype closersTaken(const QByteArray& before, const QByteArray& text, const QByteArray& closers);

}  // namespace waferpair::editor
