// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/spell/prose_words.h"

#include <algorithm>

namespace waferpair::editor {

namespace {

constexpr QChar kCurlyApostrophe(u'\u2019');

bool isApostrophe(QChar c) { return c == u'\'' || c == kCurlyApostrophe; }

// Length in UTF-16 units of the letter, or of the mark that belongs to one, at `at`; 0: neither.
qsizetype letterAt(QStringView text, qsizetype at) {
  const QChar c = text[at];
  if (c.isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate()) {
    return QChar::isLetter(QChar::surrogateToUcs4(c, text[at + 1])) ? 2 : 0;
  }
  return c.isLetter() || c.isMark() ? 1 : 0;
}

// Code has these within or at the beginning of what stands between two blanks; prose has not.
bool isCodeMark(QChar c) {
  return QStringView(u"_/\\@$#%&*+=<>|~^{}[]").contains(c) || c.isDigit();
}

// "*word*", "__word__,": what markup puts around words that it stresses belongs to neither.
QStringView withoutStress(QStringView chunk) {
  while (!chunk.isEmpty() && QStringView(u".,;:!?").contains(chunk.back())) chunk.chop(1);
  while (chunk.size() > 2 && chunk.front() == chunk.back() &&
         (chunk.front() == u'*' || chunk.front() == u'_'))
    chunk = chunk.mid(1, chunk.size() - 2);
  return chunk;
}

// "main()", "a.b", "std::sort", "key:value", "--option": no sentence has letters about these.
bool isWrittenLikeCode(QStringView chunk) {
  if (chunk.startsWith(u'-') && chunk.size() > 1 && chunk[1] != u'-' && chunk[1].isLetter())
    return true;
  if (chunk.startsWith(u"--") && chunk.size() > 2 && chunk[2].isLetter()) return true;
  for (qsizetype i = 0; i < chunk.size(); ++i) {
    const QChar c = chunk[i];
    if (isCodeMark(c)) return true;
    const bool isInside = i > 0 && i + 1 < chunk.size();
    if (!isInside) continue;
    const bool followsLetter = chunk[i - 1].isLetter(), beforeLetter = chunk[i + 1].isLetter();
    if ((c == u'.' || c == u':') && followsLetter && beforeLetter) return true;
    if (c == u':' && chunk[i + 1] == u':') return true;
    if (c == u'(' && followsLetter) return true;
  }
  return false;
}

// "camelCase", "HTML": a dictionary has words in small letters, or with a capital in front. A word
// in capitals of which all letters are the same case is taken for an abbreviation.
bool hasCapitalInside(QStringView word) {
  return std::any_of(word.begin() + 1, word.end(), [](QChar c) { return c.isUpper(); });
}

void appendWords(QStringView text, qsizetype begin, qsizetype end, QVector<ProseWord>* words) {
  for (qsizetype at = begin; at < end;) {
    if (letterAt(text, at) == 0) {
      ++at;
      continue;
    }
    const qsizetype start = at;
    while (at < end) {
      if (const qsizetype units = letterAt(text, at)) {
        at += units;
      } else if (isApostrophe(text[at]) && at + 1 < end && letterAt(text, at + 1) > 0) {
        ++at;
      } else {
        break;
      }
    }
    const QStringView word = text.mid(start, at - start);
    if (word.size() > 1 && word.size() <= kLongestWord && !hasCapitalInside(word))
      words->append({start, at - start});
  }
}

}  // namespace

QVector<ProseWord> proseWords(QStringView text) {
  QVector<ProseWord> words;
  bool inCode = false;  // between backticks
  for (qsizetype at = 0; at < text.size();) {
    if (text[at].isSpace()) {
      ++at;
      continue;
    }
    const qsizetype start = at;
    qsizetype ticks = 0;
    for (; at < text.size() && !text[at].isSpace(); ++at)
      if (text[at] == u'`') ++ticks;
    const QStringView chunk = text.mid(start, at - start);
    const bool wasInCode = inCode;
    if (ticks % 2 == 1) inCode = !inCode;
    if (wasInCode || ticks > 0 || isWrittenLikeCode(withoutStress(chunk))) continue;
    appendWords(text, start, at, &words);
  }
  return words;
}

QString dictionaryForm(QStringView word) {
  QString form = word.toString();
  return form.replace(kCurlyApostrophe, u'\'');
}

}  // namespace waferpair::editor
