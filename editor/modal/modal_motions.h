// SPDX-License-Identifier: GPL-3.0-or-later
// Motions of modal keys, as Vim has them: where a key leads from a place, and what lies between for
// an operator. Pure functions of the text.
#pragma once

#include <QRegularExpression>
#include <optional>

#include "editor/modal/modal_text.h"

namespace waferpair::editor {

inline constexpr int kEndColumn = 1 << 30;  // wanted: the line's end, however long it is

// What an operator works on: from the one place to the other, in order.
struct ModalSpan {
  enum class Kind { kExclusive, kInclusive, kLines, kBlock };
  ModalPlace start;
  ModalPlace end;
  Kind kind = Kind::kExclusive;
};

// Where a motion ends.
struct ModalTarget {
  ModalPlace place;
  ModalSpan::Kind kind = ModalSpan::Kind::kExclusive;
  bool isJump = false;
  bool usesFirstRegister = false;  // what is deleted with it goes into "1, however short
  bool isShort = false;            // it leads less far than was asked for
};

// The characters of one line.
int nextColumn(const QByteArray& line, int column);  // behind the character; at the end it stays
int previousColumn(const QByteArray& line, int column);
int lastColumn(const QByteArray& line);  // of the last character; 0 in an empty line
int firstNonBlank(const QByteArray& line);
// On the last character at the most.
ModalPlace onCharacter(const ModalText& text, ModalPlace place);
// Display columns, with tabs, up to a byte; and back.
int displayColumn(const QByteArray& line, int column, int tabWidth);
int columnAtDisplay(const QByteArray& line, int display, int tabWidth);

enum class WordMotion { kNext, kEnd, kBack, kBackEnd };

// `forOperator` is what "dw" needs: the last word of a line ends with it. `stays`: "cw" at a word's
// end.
ModalTarget wordMotion(const ModalText& text, ModalPlace from, WordMotion motion, bool isBig,
                       int count, bool forOperator, bool stays = false);

// '}' and '{'.
std::optional<ModalTarget> paragraphMotion(const ModalText& text, ModalPlace from, int direction,
                                           int count);
// The partner of the first bracket at or behind the place.
std::optional<ModalPlace> bracketMotion(const ModalText& text, ModalPlace from);

struct CharacterSearch {
  QByteArray character;  // empty: none yet
  bool isForward = true;
  bool isTill = false;
};
std::optional<ModalPlace> findCharacter(const ModalText& text, ModalPlace from,
                                        const CharacterSearch& search, int count, bool isRepeated);

// The next match, round the end of the text.
std::optional<ModalPlace> findPattern(const ModalText& text, ModalPlace from,
                                      const QRegularExpression& pattern, bool isForward, int count);

}  // namespace waferpair::editor
