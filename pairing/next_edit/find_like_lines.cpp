// SPDX-License-Identifier: GPL-3.0-or-later
// A line was changed: lines of the same shape are changed alike, with the names that they have in
// the places of the edited line's own. `a.x = old(x)` became `a.set(x)`; so `a.y = old(y)` becomes
// `a.set(y)`.
#include <algorithm>

#include "editor/text/indentation.h"
#include "pairing/next_edit/search.h"

namespace waferpair::pairing {

namespace {

constexpr int kOldestShape = 4;      // edits ago
constexpr int kLikeLinesRange = 80;  // lines from the edit
constexpr std::size_t kFewestTokens = 3;
constexpr qsizetype kShortestPart = 3;  // bytes of a name that is found inside another

// A line's tokens with each string as one.
std::vector<Token> coarseTokens(const CodeText& text, int line) {
  std::vector<Token> coarse;
  for (const Token& token : text.tokens(line)) {
    const bool joins = token.region == Region::kString && !coarse.empty() &&
                       coarse.back().region == Region::kString;
    if (!joins) {
      coarse.push_back(token);
      if (token.region == Region::kString) coarse.back().kind = TokenKind::kWord;
      continue;
    }
    Token& last = coarse.back();
    last.size = token.end() - last.start;
    last.hash = tokenHash(text.view(last));
  }
  return coarse;
}

class Template {
 public:
  explicit Template(const ChangedLine& change)
      : change_(change),
        before_(coarseTokens(change.before(), 0)),
        after_(coarseTokens(change.after(), 0)),
        from_(commonTokens(change.before(), before_, change.after(), after_)) {
    kept_.resize(before_.size(), false);
    for (const int old : from_)
      if (old >= 0) kept_[old] = true;
  }

  std::size_t size() const { return before_.size(); }

  // Returns what the line becomes; null: it is not of that shape, or it is not clear.
  QByteArray applied(const CodeText& text, int line) const {
    const std::vector<Token> tokens = coarseTokens(text, line);
    if (tokens.size() != before_.size()) return {};
    std::vector<bool> used(tokens.size(), false);
    std::vector<bool> differs(tokens.size(), false);
    std::size_t same = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& mine = tokens[i];
      const Token& other = before_[i];
      const bool equal = text.view(mine) == change_.before().view(other);
      if (!equal &&
          (mine.kind != other.kind || mine.region != other.region || mine.kind == TokenKind::kMark))
        return {};
      differs[i] = !equal;
      if (equal && mine.kind != TokenKind::kMark) ++same;
    }
    if (same == 0) return {};
    QByteArray result = editor::leadingBlanks(text.line(line).toByteArray());
    for (std::size_t j = 0; j < after_.size(); ++j) {
      if (j > 0) result += blanksBefore(text, tokens, j);
      if (const int old = from_[j]; old >= 0) {
        result += text.view(tokens[old]);
        continue;
      }
      QByteArray word = change_.after().view(after_[j]).toByteArray();
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!differs[i]) continue;
        const QByteArray theirs = change_.before().view(before_[i]).toByteArray();
        const QByteArray mine = text.view(tokens[i]).toByteArray();
        if (word == theirs || (theirs.size() >= kShortestPart && word.contains(theirs))) {
          word.replace(theirs, mine);
          used[i] = true;
          break;
        }
      }
      result += word;
    }
    // Tokens that were taken out must have been the same, or have gone into what came.
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (differs[i] && !kept_[i] && !used[i]) return {};
    return result;
  }

 private:
  // Returns those of the line itself where both tokens stood there side by side.
  QByteArray blanksBefore(const CodeText& text, const std::vector<Token>& tokens,
                          std::size_t j) const {
    const int left = from_[j - 1], right = from_[j];
    if (left >= 0 && right == left + 1) {
      const quint32 start = tokens[left].end();
      return text.bytes().mid(start, tokens[right].start - start);
    }
    const quint32 start = after_[j - 1].end();
    return change_.after().bytes().mid(start, after_[j].start - start);
  }

  const ChangedLine& change_;
  std::vector<Token> before_, after_;
  std::vector<int> from_;
  std::vector<bool> kept_;  // by old token
};

}  // namespace

void findLikeLines(Search& search) {
  for (std::size_t s = 0; s < search.sources().size(); ++s) {
    const SourceLine& source = search.sources()[s];
    if (source.age > kOldestShape || search.isCancelled()) return;
    if (source.text < 0) continue;
    const Template like(source.change);
    if (like.size() < kFewestTokens) continue;
    const CodeText& text = search.code(source.text);
    const int first = std::max(0, source.edit.line - kLikeLinesRange);
    const int last = std::min(text.lineCount() - 1, source.edit.line + kLikeLinesRange);
    std::vector<Candidate> found;
    const ChangedSpan whole = source.change.whole();
    const QByteArray change = changeName(source.change, whole);
    for (int line = first; line <= last; ++line) {
      if (line == source.edit.line || text.tokens(line).empty()) continue;
      const QByteArray result = like.applied(text, line);
      if (result.isNull() || result == text.line(line)) continue;
      Candidate candidate;
      candidate.text = source.text;
      candidate.line = line;
      candidate.lines = {result};
      candidate.finder = Finder::kLikeLine;
      candidate.change = change;
      candidate.source = static_cast<int>(s);
      Features& f = candidate.features;
      f.flag(Feature::kSameShape, true);
      f.flag(Feature::kOnlyChange, source.change.spans().size() == 1);
      f.flag(Feature::kInComment, text.tokens(line).front().region == Region::kComment);
      f.flag(Feature::kRemoves, whole.newFirst == whole.newLast);
      f.flag(Feature::kInserts, whole.oldFirst == whole.oldLast);
      f.flag(Feature::kLong, like.size() >= 8);
      found.push_back(std::move(candidate));
    }
    search.addAll(std::move(found));
  }
}

}  // namespace waferpair::pairing
