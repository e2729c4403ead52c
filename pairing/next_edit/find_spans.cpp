// SPDX-License-Identifier: GPL-3.0-or-later
// Some words and marks were replaced by others, or put in, or taken out: wherever the same stand.
#include <algorithm>

#include "pairing/next_edit/search.h"

namespace waferpair::pairing {

namespace {

constexpr int kOldestSource = 8;  // edits ago
constexpr int kMostPlacesOfSpan = 200;
constexpr int kMostTokensOfSpan = 40;

class SpanSearch {
 public:
  SpanSearch(Search& search, int source, const ChangedSpan& span)
      : search_(search), source_(source), span_(span) {
    const ChangedLine& change = search_.sources()[source_].change;
    old_ = change.before().tokens(0).subspan(span.oldFirst, span.oldLast - span.oldFirst);
    for (const Token& token : old_) hasWord_ = hasWord_ || token.kind != TokenKind::kMark;
  }

  void run() {
    for (int t = 0; t < search_.situation().texts.size(); ++t) {
      if (search_.isCancelled()) return;
      const CodeText& text = search_.code(t);
      for (int line = 0; line < text.lineCount(); ++line) lookAt(t, line);
      if (static_cast<int>(found_.size()) > kMostPlacesOfSpan) return;
    }
    search_.addAll(std::move(found_));
  }

 private:
  const ChangedLine& change() const { return search_.sources()[source_].change; }

  // Tells whether the token `offset` from the span's end (or, negative, its start) is the same.
  bool sameNear(const CodeText& text, std::span<const Token> tokens, int first, int offset) const {
    const std::span<const Token> all = change().before().tokens(0);
    const int last = first + static_cast<int>(old_.size());
    const int mine = offset < 0 ? first + offset : last + offset - 1;
    const int other = offset < 0 ? span_.oldFirst + offset : span_.oldLast + offset - 1;
    const bool none = mine < 0 || mine >= static_cast<int>(tokens.size());
    const bool otherNone = other < 0 || other >= static_cast<int>(all.size());
    if (none || otherNone) return none && otherNone;
    return text.view(tokens[mine]) == change().before().view(all[other]);
  }

  bool isWordNear(std::span<const Token> tokens, int first, int offset) const {
    const int last = first + static_cast<int>(old_.size());
    const int at = offset < 0 ? first + offset : last + offset - 1;
    return at >= 0 && at < static_cast<int>(tokens.size()) && tokens[at].kind != TokenKind::kMark;
  }

  bool matches(const CodeText& text, std::span<const Token> tokens, int first) const {
    const std::size_t count = old_.size();
    if (first + count > tokens.size()) return false;
    for (std::size_t i = 0; i < count; ++i)
      if (!text.is(tokens[first + i], change().before().view(old_[i]), old_[i].hash)) return false;
    if (hasWord_ && !span_.isOneSided()) return true;
    if (hasWord_ && count > 0 &&
        (sameNear(text, tokens, first, -1) || sameNear(text, tokens, first, 1)))
      return true;
    // Marks alone, or a gap: what stands around it has to say which.
    if (!sameNear(text, tokens, first, -1) || !sameNear(text, tokens, first, 1)) return false;
    return isWordNear(tokens, first, -1) || isWordNear(tokens, first, 1) ||
           (sameNear(text, tokens, first, -2) && isWordNear(tokens, first, -2));
  }

  void lookAt(int t, int line) {
    const CodeText& text = search_.code(t);
    const std::span<const Token> tokens = text.tokens(line);
    if (tokens.size() < std::max<std::size_t>(1, old_.size())) return;
    QByteArray result;
    qint64 copied = text.lineStart(line);
    int inLine = 0, at = -1;
    const int last = static_cast<int>(tokens.size() - old_.size());
    for (int first = 0; first <= last; ++first) {
      if (!matches(text, tokens, first)) continue;
      const int end = first + static_cast<int>(old_.size());
      const ByteRange range = bytesOfTokens(text, line, first, end, span_.isOneSided());
      if (range.start < copied) continue;  // it overlaps the one before
      result += QByteArrayView(text.bytes()).sliced(copied, range.start - copied);
      result += change().newBytes(span_);
      copied = range.end;
      if (inLine++ == 0) at = first;
    }
    if (inLine == 0) return;
    result += QByteArrayView(text.bytes()).sliced(copied, text.lineEnd(line) - copied);
    add(t, line, at, inLine, result);
  }

  void add(int t, int line, int first, int inLine, const QByteArray& result) {
    const CodeText& text = search_.code(t);
    const std::span<const Token> tokens = text.tokens(line);
    const QByteArray oldBytes = change().oldBytes(span_).toByteArray();
    const QByteArray newBytes = change().newBytes(span_).toByteArray();
    // Where what came stands already, nothing is left to do.
    if (span_.oldFirst == span_.oldLast && text.line(line).contains(newBytes.trimmed())) return;
    Candidate candidate;
    candidate.text = t;
    candidate.line = line;
    candidate.lines = {result};
    candidate.finder = Finder::kSpan;
    candidate.change = changeName(change(), span_);
    candidate.source = source_;
    Features& f = candidate.features;
    f.flag(Feature::kOnlyChange, change().spans().size() == 1);
    f.flag(Feature::kInComment,
           tokens[std::min<std::size_t>(first, tokens.size() - 1)].region == Region::kComment);
    f.flag(Feature::kInString,
           tokens[std::min<std::size_t>(first, tokens.size() - 1)].region == Region::kString);
    f.flag(Feature::kLeft1, sameNear(text, tokens, first, -1));
    f.flag(Feature::kLeft2, sameNear(text, tokens, first, -1) && sameNear(text, tokens, first, -2));
    f.flag(Feature::kRight1, sameNear(text, tokens, first, 1));
    f.flag(Feature::kRight2, sameNear(text, tokens, first, 1) && sameNear(text, tokens, first, 2));
    f.flag(Feature::kShort, oldBytes.size() <= 2);
    f.flag(Feature::kLong, oldBytes.size() >= 8);
    f.flag(Feature::kAffix, oldBytes.contains(newBytes) || newBytes.contains(oldBytes));
    f.flag(Feature::kRemoves, span_.newFirst == span_.newLast);
    f.flag(Feature::kInserts, span_.oldFirst == span_.oldLast);
    f.flag(Feature::kSeveralInLine, inLine > 1);
    found_.push_back(std::move(candidate));
  }

  Search& search_;
  int source_;
  ChangedSpan span_;
  std::span<const Token> old_;
  bool hasWord_ = false;
  std::vector<Candidate> found_;
};

}  // namespace

void findSpans(Search& search) {
  QByteArrayList done;
  for (std::size_t s = 0; s < search.sources().size(); ++s) {
    const SourceLine& source = search.sources()[s];
    if (source.age > kOldestSource) return;
    for (const ChangedSpan& span : source.change.spansAndWhole()) {
      if (span.oldLast - span.oldFirst > kMostTokensOfSpan) continue;
      const QByteArray change = changeName(source.change, span);
      if (done.contains(change)) continue;
      done += change;
      const std::span<const Token> before = source.change.before().tokens(0);
      const std::span<const Token> after = source.change.after().tokens(0);
      const bool isName = span.oldLast - span.oldFirst == 1 && span.newLast - span.newFirst == 1 &&
                          before[span.oldFirst].kind == TokenKind::kWord &&
                          after[span.newFirst].kind == TokenKind::kWord;
      if (isName) continue;  // find_names.cpp does those
      SpanSearch(search, static_cast<int>(s), span).run();
    }
  }
}

}  // namespace waferpair::pairing
