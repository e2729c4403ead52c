// SPDX-License-Identifier: GPL-3.0-or-later
// The plainest renaming: a name became another one where it is defined, nothing else was edited
// since, and no other definition of it is left, so that its uses name nothing. They are proposed in
// the definition's scope, within the same text. find_names.cpp proposes them, too, as the name's
// other places; what is known here is that the text does not work without them.
#include <algorithm>

#include "pairing/next_edit/definition.h"
#include "pairing/next_edit/search.h"

namespace waferpair::pairing {

namespace {

constexpr std::size_t kMostUses = 100;

// A renaming that is all that its line's edit did.
struct PlainRename {
  QByteArray from, to;
  std::size_t index = 0;  // of the new name's first token in its line
  bool operator==(const PlainRename& other) const { return from == other.from && to == other.to; }
};

std::optional<PlainRename> renamingOf(const ChangedLine& change) {
  std::optional<PlainRename> renaming;
  for (const ChangedSpan& span : change.spans()) {
    if (span.oldLast - span.oldFirst != 1 || span.newLast - span.newFirst != 1) return {};
    const Token& was = change.before().tokens(0)[span.oldFirst];
    const Token& is = change.after().tokens(0)[span.newFirst];
    if (was.kind != TokenKind::kWord || is.kind != TokenKind::kWord) return {};
    const PlainRename one{change.before().view(was).toByteArray(),
                          change.after().view(is).toByteArray(),
                          static_cast<std::size_t>(span.newFirst)};
    if (renaming && !(*renaming == one)) return {};
    if (!renaming) renaming = one;
  }
  return renaming;
}

// The source line of the definition that was renamed, with nothing since but the same in other
// lines; null: the last edits are something else.
const SourceLine* renamedDefinition(const Search& search, PlainRename* renaming, Defined* defined) {
  const Situation& now = search.situation();
  std::optional<PlainRename> last;
  int age = 0;
  qsizetype parts = 0;  // of the edit of that age, as far as they were seen
  for (const SourceLine& source : search.sources()) {
    if (source.age != age) {
      // Parts that are no source lines: lines that came or went.
      if (source.age != age + 1 || parts != partsOf(now.edits[now.edits.size() - 1 - age]).size())
        return nullptr;
      age = source.age;
      parts = 0;
    }
    ++parts;
    const std::optional<PlainRename> one = renamingOf(source.change);
    if (!one || (last && !(*last == *one)) || source.text < 0) return nullptr;
    last = one;
    const CodeText& text = search.code(source.text);
    if (source.edit.line >= text.lineCount() ||
        text.line(source.edit.line) != QByteArrayView(source.edit.after.first()))
      return nullptr;
    *defined = definedAt(text, source.edit.line, one->index);
    if (*defined == Defined::kNothing) continue;
    *renaming = *one;
    return &source;
  }
  return nullptr;
}

bool isMarkAt(const CodeText& text, std::span<const Token> tokens, std::size_t index, char mark) {
  return index < tokens.size() && text.view(tokens[index]) == QByteArrayView(&mark, 1);
}

// A use of the name itself, and not a member, a key or a named argument of the same name.
bool isUse(const CodeText& text, std::span<const Token> tokens, std::size_t index) {
  if (tokens[index].region != Region::kCode) return false;
  if (index == 0) return !isMarkAt(text, tokens, 1, ':') || isMarkAt(text, tokens, 2, ':');
  const bool isMember = isMarkAt(text, tokens, index - 1, '.') ||
                        (index >= 2 && isMarkAt(text, tokens, index - 1, '>') &&
                         isMarkAt(text, tokens, index - 2, '-')) ||
                        (index >= 2 && isMarkAt(text, tokens, index - 1, ':') &&
                         isMarkAt(text, tokens, index - 2, ':'));
  if (isMember) return false;
  const bool isListed = isMarkAt(text, tokens, index - 1, '(') ||
                        isMarkAt(text, tokens, index - 1, ',') ||
                        isMarkAt(text, tokens, index - 1, '{');
  const bool isNamed =
      isMarkAt(text, tokens, index + 1, ':') ||
      (isMarkAt(text, tokens, index + 1, '=') && !isMarkAt(text, tokens, index + 2, '='));
  return !(isListed && isNamed);
}

}  // namespace

void findPlainRename(Search& search) {
  PlainRename renaming;
  Defined defined = Defined::kNothing;
  const SourceLine* source = renamedDefinition(search, &renaming, &defined);
  if (source == nullptr) return;
  const CodeText& text = search.code(source->text);
  const int home = text.functionAt(source->edit.line);
  const int scope =
      defined == Defined::kDeclaration ? -1 : home;  // a function's line; -1: the file
  const quint32 hash = tokenHash(renaming.from), newHash = tokenHash(renaming.to);

  // The places of the new name that this renaming made.
  std::vector<int> renamedLines;
  for (const SourceLine& one : search.sources())
    if (one.text == source->text && one.age <= source->age) renamedLines.push_back(one.edit.line);

  struct Use {
    int line = 0;
    std::vector<std::size_t> indexes;
  };
  std::vector<Use> uses;
  std::vector<int> ownDefinitions;  // functions that have a name of their own like that
  for (const Token& token : text.tokens()) {
    const bool isOld = text.is(token, renaming.from, hash);
    if (!isOld && !text.is(token, renaming.to, newHash)) continue;
    const int line = text.lineOf(token);
    const std::span<const Token> tokens = text.tokens(line);
    const auto index = static_cast<std::size_t>(&token - tokens.data());
    const int function = text.functionAt(line);
    const bool isInScope = scope < 0 || function == scope;
    if (!isOld) {
      // Whoever writes a name that is there already may mean that.
      const bool isOurs =
          std::find(renamedLines.begin(), renamedLines.end(), line) != renamedLines.end();
      if (!isOurs && token.region == Region::kCode && isInScope) return;
      continue;
    }
    if (definedAt(text, line, index) != Defined::kNothing) {
      // Its uses may mean that one.
      if (function < 0 || function == scope || function == home) return;
      ownDefinitions.push_back(function);
      continue;
    }
    if (!isInScope || !isUse(text, tokens, index)) continue;
    if (uses.empty() || uses.back().line != line) uses.push_back({line, {}});
    uses.back().indexes.push_back(index);
  }
  std::vector<Candidate> found;
  for (const Use& use : uses) {
    const int function = text.functionAt(use.line);
    if (std::find(ownDefinitions.begin(), ownDefinitions.end(), function) != ownDefinitions.end())
      continue;
    if (found.size() == kMostUses) return;  // more than anybody goes through
    const std::span<const Token> tokens = text.tokens(use.line);
    const qint64 start = text.lineStart(use.line);
    QByteArray line = text.line(use.line).toByteArray();
    for (auto it = use.indexes.rbegin(); it != use.indexes.rend(); ++it)
      line.replace(tokens[*it].start - start, tokens[*it].size, renaming.to);
    Candidate candidate;
    candidate.text = source->text;
    candidate.line = use.line;
    candidate.lines = {line};
    candidate.finder = Finder::kRename;
    candidate.change = changeName(renaming.from, renaming.to);
    candidate.source = static_cast<int>(source - search.sources().data());
    Features& f = candidate.features;
    f.flag(Feature::kOnlyChange, true);
    f.flag(Feature::kDefinition, true);
    f.flag(Feature::kName, defined != Defined::kDeclaration);
    f.flag(Feature::kShort, renaming.from.size() <= 2);
    f.flag(Feature::kLong, renaming.from.size() >= 8);
    f.flag(Feature::kAffix,
           renaming.from.contains(renaming.to) || renaming.to.contains(renaming.from));
    f.flag(Feature::kSeveralInLine, use.indexes.size() > 1);
    found.push_back(std::move(candidate));
  }
  search.addAll(std::move(found));
}

}  // namespace waferpair::pairing
