// SPDX-License-Identifier: GPL-3.0-or-later
// A name became another one: its other places, in all texts that are searched.
#include <algorithm>

#include "pairing/next_edit/definition.h"
#include "pairing/next_edit/search.h"

namespace waferpair::pairing {

namespace {

constexpr std::size_t kMostPlaces = 200;

struct Renaming {
  QByteArray from, to;
  int source = 0;
  bool onlyChange = false;
  bool definition = false;
};

bool isNameToken(const CodeText& line, const Token& token) {
  if (token.kind == TokenKind::kWord) return true;
  return token.kind == TokenKind::kNumber && line.view(token).contains('.');  // a version
}

std::vector<Renaming> renamingsOf(const Search& search) {
  std::vector<Renaming> renamings;
  for (std::size_t s = 0; s < search.sources().size(); ++s) {
    const ChangedLine& change = search.sources()[s].change;
    const std::span<const Token> before = change.before().tokens(0);
    const std::span<const Token> after = change.after().tokens(0);
    for (const ChangedSpan& span : change.spans()) {
      if (span.oldLast - span.oldFirst != 1 || span.newLast - span.newFirst != 1) continue;
      const Token& was = before[span.oldFirst];
      const Token& is = after[span.newFirst];
      if (!isNameToken(change.before(), was) || !isNameToken(change.after(), is)) continue;
      const QByteArray from = change.before().view(was).toByteArray();
      const QByteArray to = change.after().view(is).toByteArray();
      // The name's last renaming counts, and none does where it was brought back.
      const bool known = std::any_of(renamings.begin(), renamings.end(), [&](const Renaming& one) {
        return one.from == from || (one.from == to && one.to == from);
      });
      if (known) continue;
      bool all = true;  // what changed is this name, if perhaps more than once
      for (const ChangedSpan& other : change.spans()) {
        all = all && other.oldLast - other.oldFirst == 1 && other.newLast - other.newFirst == 1 &&
              change.before().view(before[other.oldFirst]) == from;
      }
      renamings.push_back({from, to, static_cast<int>(s), all,
                           isDefinition(change.before(), before, span.oldFirst)});
    }
  }
  return renamings;
}

// The line with all of `renamings` done in it.
QByteArray renamed(const CodeText& text, int line, std::span<const Renaming* const> renamings) {
  const QByteArrayView old = text.line(line);
  const qint64 start = text.lineStart(line);
  QByteArray result;
  qint64 copied = 0;
  for (const Token& token : text.tokens(line)) {
    const QByteArrayView word = text.view(token);
    const auto one = std::find_if(renamings.begin(), renamings.end(),
                                  [&](const Renaming* r) { return r->from == word; });
    if (one == renamings.end()) continue;
    result += old.sliced(copied, token.start - start - copied);
    result += (*one)->to;
    copied = token.end() - start;
  }
  return result += old.sliced(copied);
}

// Tells whether a function other than the edit's has a thing of its own by this name.
bool isDefinedIn(const CodeText& text, int function, int line, QByteArrayView name, quint32 hash) {
  if (function < 0) return false;
  for (int l = function; l <= line; ++l) {
    const std::span<const Token> tokens = text.tokens(l);
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (text.is(tokens[i], name, hash) && isDefinition(text, tokens, i)) return true;
  }
  return false;
}

}  // namespace

void findNames(Search& search) {
  const std::vector<Renaming> renamings = renamingsOf(search);
  for (const Renaming& renaming : renamings) {
    if (search.isCancelled()) return;
    const quint32 hash = tokenHash(renaming.from);
    struct Place {
      int text, line, inLine;
      std::size_t index;  // of the name's first token in its line
    };
    std::vector<Place> places;
    int newKnown = 0;
    for (int t = 0; t < search.situation().texts.size(); ++t) {
      const CodeText& text = search.code(t);
      newKnown += text.count(renaming.to);
      if (!QByteArrayView(text.bytes()).contains(renaming.from)) continue;
      for (const Token& token : text.tokens()) {
        if (!text.is(token, renaming.from, hash)) continue;
        const int line = text.lineOf(token);
        if (!places.empty() && places.back().text == t && places.back().line == line) {
          ++places.back().inLine;
          continue;
        }
        const std::span<const Token> tokens = text.tokens(line);
        places.push_back({t, line, 1, static_cast<std::size_t>(&token - tokens.data())});
      }
    }
    for (const LineEdit& edit : search.situation().edits) {
      for (const QByteArray& line : edit.after) newKnown -= line.count(renaming.to);
    }
    const SourceLine& source = search.sources()[renaming.source];
    const std::span<const Token> sourceTokens = source.change.before().tokens(0);
    std::size_t at = 0;
    while (source.change.before().view(sourceTokens[at]) != renaming.from) ++at;
    const int sourceFunction =
        source.text < 0
            ? -1
            : search.code(source.text)
                  .functionAt(std::min(source.edit.line, search.code(source.text).lineCount() - 1));
    if (places.size() > kMostPlaces) continue;
    std::vector<Candidate> found;
    for (const Place& place : places) {
      const CodeText& text = search.code(place.text);
      const std::span<const Token> tokens = text.tokens(place.line);
      // The tokens around, the line's end being like any other.
      const auto equal = [&](int offset) {
        const auto mine = static_cast<qint64>(place.index) + offset;
        const auto other = static_cast<qint64>(at) + offset;
        const bool none = mine < 0 || mine >= static_cast<qint64>(tokens.size());
        const bool otherNone = other < 0 || other >= static_cast<qint64>(sourceTokens.size());
        if (none || otherNone) return none && otherNone;
        return text.view(tokens[mine]) == source.change.before().view(sourceTokens[other]);
      };
      Candidate candidate;
      candidate.text = place.text;
      candidate.line = place.line;
      candidate.finder = Finder::kName;
      candidate.change = changeName(renaming.from, renaming.to);
      candidate.source = renaming.source;
      Features& f = candidate.features;
      f.flag(Feature::kName, true);
      f.flag(Feature::kOnlyChange, renaming.onlyChange);
      f.flag(Feature::kDefinition, renaming.definition);
      f.flag(Feature::kNewKnown, newKnown > 0);
      f.flag(Feature::kInComment, tokens[place.index].region == Region::kComment);
      f.flag(Feature::kInString, tokens[place.index].region == Region::kString);
      f.flag(Feature::kLeft1, equal(-1));
      f.flag(Feature::kLeft2, equal(-1) && equal(-2));
      f.flag(Feature::kRight1, equal(1));
      f.flag(Feature::kRight2, equal(1) && equal(2));
      f.flag(Feature::kShort, renaming.from.size() <= 2);
      f.flag(Feature::kLong, renaming.from.size() >= 8);
      f.flag(Feature::kAffix,
             renaming.from.contains(renaming.to) || renaming.to.contains(renaming.from));
      f.flag(Feature::kSeveralInLine, place.inLine > 1);
      const int function = text.functionAt(place.line);
      if (place.text != source.text || function != sourceFunction)
        f.flag(Feature::kDefinedThere,
               isDefinedIn(text, function, place.line, renaming.from, hash));
      // Names that changed in one line change together elsewhere, too.
      std::vector<const Renaming*> together;
      for (const Renaming& other : renamings)
        if (other.source == renaming.source) together.push_back(&other);
      candidate.lines = {renamed(text, place.line, together)};
      found.push_back(std::move(candidate));
    }
    search.addAll(std::move(found));
  }
}

}  // namespace waferpair::pairing
