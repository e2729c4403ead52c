// SPDX-License-Identifier: GPL-3.0-or-later
// The last use of a name was taken out: the import that brought it in goes, too.
#include <QHash>
#include <algorithm>

#include "pairing/next_edit/project_facts.h"
#include "pairing/next_edit/search.h"

namespace waferpair::pairing {

namespace {

constexpr int kOldestRemoval = 6;  // edits ago

// The words of the code that recent edits of the text took out, and how many edits ago.
QHash<QByteArray, int> wordsGone(const Search& search, int text) {
  const QVector<LineEdit>& edits = search.situation().edits;
  QHash<QByteArray, int> gone;
  for (int age = 0; age <= kOldestRemoval && age < edits.size(); ++age) {
    const LineEdit& edit = edits[edits.size() - 1 - age];
    if (search.textOf(edit.document) != text) continue;
    const CodeText before(edit.before.join('\n'), search.code(text).family());
    for (const Token& token : before.tokens()) {
      if (token.kind != TokenKind::kWord || token.region != Region::kCode) continue;
      const QByteArray word = before.view(token).toByteArray();
      if (!gone.contains(word)) gone.insert(word, age);
    }
  }
  return gone;
}

// Tells whether the code holds the name in any line but that of its import.
bool isUsed(const CodeText& code, const ImportedName& import) {
  const quint32 hash = tokenHash(import.name);
  return std::any_of(code.tokens().begin(), code.tokens().end(), [&](const Token& token) {
    return token.region == Region::kCode && code.is(token, import.name, hash) &&
           code.lineOf(token) != import.at;
  });
}

// The line without one item of its list: "A, B as C" is "A" without C. Empty: it has no such item.
QByteArray withoutItem(const CodeText& code, int line, const QByteArray& name) {
  const std::span<const Token> tokens = code.tokens(line);
  const auto is = [&](std::size_t i, QByteArrayView mark) {
    return i < tokens.size() && code.view(tokens[i]) == mark;
  };
  std::size_t last = tokens.size();
  while (last > 0 && !is(last - 1, name)) --last;
  if (last-- == 0) return {};
  std::size_t first = last;
  while (first > 0 && tokens[first - 1].kind == TokenKind::kWord && !is(first - 1, "import"))
    --first;
  qint64 from = tokens[first].start, to = tokens[last].end();
  if (is(last + 1, ",") && last + 2 < tokens.size()) {
    to = tokens[last + 2].start;
  } else if (first > 0 && is(first - 1, ",")) {
    from = tokens[first - 1].start;
  } else {
    return {};
  }
  return code.line(line).toByteArray().remove(from - code.lineStart(line), to - from);
}

}  // namespace

void findUnused(Search& search) {
  for (int t = 0; t < search.situation().texts.size(); ++t) {
    const QHash<QByteArray, int> gone = wordsGone(search, t);
    if (gone.isEmpty()) continue;
    const CodeText& code = search.code(t);
    const std::vector<ImportedName> imports = importedNames(code);
    for (const ImportedName& import : imports) {
      if (search.isCancelled()) return;
      const auto age = gone.find(import.name);
      if (age == gone.end() || isUsed(code, import)) continue;
      const bool isOneOfSeveral =
          std::any_of(imports.begin(), imports.end(), [&](const ImportedName& other) {
            return other.at == import.at && other.name != import.name && isUsed(code, other);
          });
      Candidate candidate;
      candidate.text = t;
      candidate.line = import.at;
      if (isOneOfSeveral) {
        const QByteArray shorter = withoutItem(code, import.at, import.name);
        if (shorter.isEmpty()) continue;
        candidate.lines = {shorter};
      }
      candidate.finder = Finder::kUnused;
      candidate.change = changeName(import.line, {});
      candidate.source = -1;
      Features& f = candidate.features;
      f.flag(Feature::kSameLine, isOneOfSeveral);
      f.flag(Feature::kName, import.name.front() >= 'A' && import.name.front() <= 'Z');
      f.flag(Feature::kLatest, *age == 0);
      f.flag(Feature::kOld, *age >= 3);
      f.flag(Feature::kNewKnown, code.count(import.name) > 1);  // in a string or a comment
      f.flag(Feature::kRemoves, true);
      search.addAll({std::move(candidate)});
    }
  }
}

}  // namespace waferpair::pairing
