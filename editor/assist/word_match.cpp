// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/word_match.h"

namespace waferpair::editor {

namespace {

bool isUpperByte(char c) { return c >= 'A' && c <= 'Z'; }
char lowerByte(char c) { return isUpperByte(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// A part begins behind an underscore, at a capital after something else, and at the front.
bool beginsPart(QByteArrayView word, qsizetype at) {
  if (word[at] == '_') return false;
  if (at == 0 || word[at - 1] == '_') return true;
  return isUpperByte(word[at]) && !isUpperByte(word[at - 1]);
}

// Each letter goes on in the part that it is in, or begins a later one.
bool matchesParts(QByteArrayView word, qsizetype at, QByteArrayView typed) {
  if (typed.isEmpty()) return true;
  if (at < word.size() && lowerByte(word[at]) == lowerByte(typed[0]) &&
      matchesParts(word, at + 1, typed.sliced(1)))
    return true;
  for (qsizetype part = at + 1; part < word.size(); ++part) {
    if (beginsPart(word, part) && lowerByte(word[part]) == lowerByte(typed[0]) &&
        matchesParts(word, part + 1, typed.sliced(1)))
      return true;
  }
  return false;
}

}  // namespace

WordMatch matchWord(QByteArrayView word, QByteArrayView typed) {
  if (word.size() < typed.size()) return WordMatch::kNone;
  if (word.startsWith(typed)) return WordMatch::kExact;
  qsizetype same = 0;
  while (same < typed.size() && lowerByte(word[same]) == lowerByte(typed[same])) ++same;
  if (same == typed.size()) return WordMatch::kIgnoreCase;
  // The first letter must be the word's: anything else is found by chance.
  if (lowerByte(word[0]) != lowerByte(typed[0])) return WordMatch::kNone;
  return matchesParts(word, 1, typed.sliced(1)) ? WordMatch::kParts : WordMatch::kNone;
}

}  // namespace waferpair::editor
