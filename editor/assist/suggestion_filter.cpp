// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/suggestion_filter.h"

#include <algorithm>
#include <utility>

#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

// A longer suggestion cannot be read at a glance: it helps nobody and only moves the text around.
constexpr qsizetype kMostBytes = 16 * 1024;
constexpr int kMostLines = 10;

QByteArray rightTrimmed(QByteArray text) {
  while (!text.isEmpty() && (isBlankByte(text.back()) || text.back() == '\r')) text.chop(1);
  return text;
}

bool hasWord(const QByteArray& text) { return std::any_of(text.begin(), text.end(), isWordByte); }

// Returns how many brackets of the kind that `close` closes are open at the end of `text`.
int openBrackets(QByteArrayView text, char close) {
  const char open = close == ')' ? '(' : close == ']' ? '[' : '{';
  int depth = 0;
  for (const char c : text) {
    if (c == open) ++depth;
    // A bracket that was open before the suggestion began is not ours to count.
    if (c == close && depth > 0) --depth;
  }
  return depth;
}

// Returns whether `mark`, found after `before` in the suggestion, doubles text of the document.
// Words do; a closing bracket or quote does unless the suggestion itself opened it.
bool doubles(QByteArrayView before, const QByteArray& mark) {
  if (hasWord(mark)) return true;
  const char first = mark.front();
  if (first == ')' || first == ']' || first == '}') return openBrackets(before, first) == 0;
  if (first == '"' || first == '\'' || first == '`')
    return std::count(before.begin(), before.end(), first) % 2 == 0;
  return true;
}

// A line that draws something: "// -------", "========". Not what closes brackets.
bool isOrnament(const QByteArray& line) {
  constexpr qsizetype kShortest = 8;
  return line.trimmed().size() >= kShortest && !hasWord(line);
}

// Returns whether the line begins as what stands right of the caret does, and then goes another
// way:
// "(order.name)" before "(order.address)". Unless it leads on to what stands there, that is another
// text for the place, not one to put in.
// Two words or marks in common, one of them a word, are no accident.
bool rewritesRest(QByteArrayView line, QByteArrayView rest) {
  qsizetype common = 0;
  while (common < line.size() && common < rest.size() && line[common] == rest[common]) ++common;
  const auto splitsWord = [&](QByteArrayView text) {
    return common < text.size() && common > 0 && isWordByte(text[common]) &&
           isWordByte(text[common - 1]);
  };
  if (splitsWord(line) || splitsWord(rest))
    while (common > 0 && isWordByte(line[common - 1])) --common;
  int tokens = 0;
  bool word = false;
  for (qsizetype at = 0; at < common; ++at) {
    const bool goesOn = at > 0 && isWordByte(line[at]) && isWordByte(line[at - 1]);
    word = word || isWordByte(line[at]);
    if (!isBlankByte(line[at]) && !goesOn) ++tokens;
  }
  return word && tokens >= 2;
}

// Returns whether something has to follow: "self.a + " before "self.b".
bool leadsOn(QByteArrayView line) {
  return !line.isEmpty() && QByteArrayView("+-*/%,&|=<>?:([{!~^").contains(line.back());
}

// The length of the longest end of `text` with which `pattern` begins.
qsizetype overlap(QByteArrayView text, const QByteArray& pattern) {
  for (qsizetype n = std::min(text.size(), pattern.size()); n > 0; --n) {
    if (pattern.startsWith(text.last(n))) return n;
  }
  return 0;
}

}  // namespace

SuggestionFilter::SuggestionFilter(const QByteArray& linePrefix, QByteArray restOfLine,
                                   QByteArray nextLine)
    : rest_(restOfLine.trimmed()),
      restHasBlank_(!restOfLine.isEmpty() && isBlankByte(restOfLine.front())),
      next_(rightTrimmed(std::move(nextLine))),
      // Words right of the caret would go behind the last line: only the gap is to be filled.
      mostLines_(hasWord(rest_) ? 1 : kMostLines),
      block_(linePrefix) {}

void SuggestionFilter::append(const QByteArray& utf8) {
  if (finished_ || ended_) return;
  for (const char c : utf8)
    if (c != '\r') raw_.append(c);
  decide();
}

void SuggestionFilter::finish(bool complete) {
  if (finished_) return;
  finished_ = true;
  complete_ = complete;
  if (!ended_) decide();
}

bool SuggestionFilter::endsLine() const {
  if (ended_) return true;
  for (qsizetype at = shown_; at < raw_.size(); ++at) {
    if (raw_[at] == '\n') return true;
    if (!isBlankByte(raw_[at])) return false;
  }
  return complete_;
}

// Returns where the first line, complete at `lineEnd`, must be cut because it ends with the rest of
// the line; -1 when it does not.
qsizetype SuggestionFilter::firstLineCut(qsizetype lineEnd) const {
  if (rest_.isEmpty()) return -1;
  const QByteArray line = rightTrimmed(raw_.left(lineEnd));
  if (rewritesRest(line, rest_) && !leadsOn(line)) return 0;
  const qsizetype repeated = repeatedStart(line);
  if (repeated == 0) return -1;
  qsizetype cut = line.size() - repeated;
  while (restHasBlank_ && cut > 0 && isBlankByte(line[cut - 1])) --cut;
  return cut;
}

// Returns how many bytes at the end of the line, of which nothing more will come, are those that
// the rest of the document's line begins with.
qsizetype SuggestionFilter::repeatedStart(const QByteArray& line) const {
  for (qsizetype n = std::min(line.size(), rest_.size()); n > 0; --n) {
    const QByteArray end = line.last(n);
    if (!rest_.startsWith(end)) continue;
    const qsizetype cut = line.size() - n;
    // Nothing but a repetition, be it in the middle of a word.
    if (cut == 0) return n;
    // "foo" before "foobar" is no repetition of "bar", nor is "b" of "bar".
    if (isWordByte(rest_.front()) && isWordByte(line[cut - 1])) continue;
    if (n < rest_.size() && isWordByte(end.back()) && isWordByte(rest_[n])) continue;
    if (doubles(QByteArrayView(line).first(cut), end)) return n;
  }
  return 0;
}

bool SuggestionFilter::repeatsNextLine(const QByteArray& line, qsizetype lineStart) const {
  // Indentation counts: the same words at another depth are another statement.
  if (next_.isEmpty() || rightTrimmed(line) != next_) return false;
  return doubles(QByteArrayView(raw_).first(lineStart), next_.trimmed());
}

// Returns how many bytes of a line that has not ended may be shown.
qsizetype SuggestionFilter::free(const QByteArray& line, bool first) const {
  const QByteArray solid = rightTrimmed(line);
  if (first && rewritesRest(solid, rest_)) return 0;  // where it leads is not known yet
  if (first) return solid.size() - overlap(solid, rest_);
  if (!hasWord(solid)) return 0;  // may become an ornament
  const bool likeNext = !next_.isEmpty() && (next_.startsWith(line) || solid == next_);
  return likeNext ? 0 : solid.size();
}

void SuggestionFilter::decide() {
  // Everything before `safe` may be shown; a cut makes it final.
  qsizetype safe = 0;
  qsizetype cut = -1;
  int lines = 0;
  SuggestedBlock block = block_;
  for (qsizetype start = 0; cut < 0;) {
    const qsizetype newline = raw_.indexOf('\n', start);
    const bool complete = newline >= 0 || finished_;
    const qsizetype end = newline >= 0 ? newline : raw_.size();
    const QByteArray line = raw_.mid(start, end - start);
    const bool first = start == 0;
    if (complete && first) cut = firstLineCut(end);
    if (!first && block.isBeyond(line)) cut = safe;
    if (complete && !first && (isOrnament(line) || repeatsNextLine(line, start))) cut = safe;
    if (cut >= 0) break;
    if (!complete) {
      if (const auto part = free(line, first); part > 0)
        safe = start + rightTrimmed(raw_.mid(start, part)).size();
      break;
    }
    if (const auto text = rightTrimmed(line); !text.isEmpty()) safe = start + text.size();
    if (newline < 0) break;
    start = newline + 1;
    if (!first) block.take(line);
    if (++lines >= mostLines_) cut = safe;
  }
  if (cut < 0 && raw_.size() >= kMostBytes) cut = safe;
  if (cut >= 0) {
    ended_ = true;
    safe = cut;
  }
  shown_ = std::max(shown_, safe);
}

}  // namespace waferpair::editor
