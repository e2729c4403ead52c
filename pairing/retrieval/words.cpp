// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/retrieval/words.h"

#include <QByteArray>
#include <QSet>

#include "editor/text/word_byte.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kLongestPart = 64;  // what is longer is data

constexpr quint64 kFnvBasis = 0xcbf29ce484222325;
constexpr quint64 kFnvPrime = 0x100000001b3;

bool isUpperLetter(char c) { return c >= 'A' && c <= 'Z'; }
bool isLowerLetter(char c) { return c >= 'a' && c <= 'z'; }
char lowered(char c) { return isUpperLetter(c) ? static_cast<char>(c - 'A' + 'a') : c; }

WordHash fnv(QByteArrayView bytes, quint64 hash) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  return hash;
}

// Takes the commonest endings away, the same from a question's words as from a text's: "placing",
// "placed" and "places" are all "plac".
QByteArrayView withoutEnding(QByteArrayView word) {
  if (word.size() > 3 && word.endsWith('s') && word[word.size() - 2] != 's') word.chop(1);
  if (word.size() > 6 && word.endsWith("ing")) {
    word.chop(3);
  } else if (word.size() > 5 && word.endsWith("ed")) {
    word.chop(2);
  }
  if (word.size() > 4 && word.endsWith('e')) word.chop(1);
  return word;
}

WordHash partHash(QByteArrayView part) {
  char lower[kLongestPart];
  for (qsizetype i = 0; i < part.size(); ++i) lower[i] = lowered(part[i]);
  return fnv(withoutEnding({lower, part.size()}), kFnvBasis);
}

// Returns where the part that begins at `from` ends: before an underscore, a capital after a small
// letter, and the last capital of several before a small letter ("HTTPServer").
qsizetype partEnd(QByteArrayView word, qsizetype from) {
  qsizetype end = from + 1;
  for (; end < word.size(); ++end) {
    const char c = word[end];
    if (c == '_') break;
    if (!isUpperLetter(c)) continue;
    if (!isUpperLetter(word[end - 1])) break;
    if (end + 1 < word.size() && isLowerLetter(word[end + 1])) break;
  }
  return end;
}

}  // namespace

WordHash identifierHash(QByteArrayView identifier) {
  // Apart from the parts: "file" the part is not "file" the identifier.
  return fnv(identifier, fnv("=", kFnvBasis));
}

void forEachIdentifier(QByteArrayView utf8,
                       const std::function<void(QByteArrayView word, qsizetype at)>& use) {
  for (qsizetype at = 0; at < utf8.size();) {
    if (!editor::isWordByte(utf8[at])) {
      ++at;
      continue;
    }
    qsizetype end = at + 1;
    while (end < utf8.size() && editor::isWordByte(utf8[end])) ++end;
    use(utf8.sliced(at, end - at), at);
    at = end;
  }
}

void forEachPart(QByteArrayView utf8, const std::function<void(WordHash part)>& use) {
  forEachIdentifier(utf8, [&use](QByteArrayView word, qsizetype) {
    for (qsizetype at = 0; at < word.size();) {
      if (word[at] == '_') {
        ++at;
        continue;
      }
      const qsizetype end = partEnd(word, at);
      if (end - at > 1 && end - at <= kLongestPart) use(partHash(word.sliced(at, end - at)));
      at = end;
    }
  });
}

bool isFillWord(QByteArrayView word) {
  static const QSet<QByteArray> kFillWords = {
      "a",   "about", "all",   "an",    "and",   "any",     "are",   "as",     "at",    "be",
      "by",  "can",   "could", "do",    "does",  "explain", "find",  "for",    "from",  "get",
      "has", "have",  "how",   "i",     "if",    "in",      "into",  "is",     "it",    "its",
      "me",  "my",    "not",   "of",    "on",    "or",      "our",   "please", "show",  "should",
      "so",  "tell",  "that",  "the",   "their", "then",    "there", "these",  "they",  "this",
      "to",  "us",    "used",  "was",   "we",    "what",    "when",  "where",  "which", "who",
      "why", "will",  "with",  "would", "you",   "your"};
  return kFillWords.contains(word.toByteArray());
}

bool looksLikeCode(QByteArrayView word) {
  for (qsizetype i = 0; i < word.size(); ++i) {
    if (word[i] == '_' && word.size() > 1) return true;
    if (i == 0) continue;
    if (isUpperLetter(word[i]) && isLowerLetter(word[i - 1])) return true;
    if (editor::isDigitByte(word[i]) && !editor::isDigitByte(word[0])) return true;
  }
  return false;
}

}  // namespace waferpair::pairing
