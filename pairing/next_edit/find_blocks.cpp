// SPDX-License-Identifier: GPL-3.0-or-later
// Whole lines came or went: the same lines elsewhere go, too; where the lines around are the same,
// the same lines come, indented as it is there.
#include "editor/text/indentation.h"
#include "pairing/next_edit/search.h"

namespace waferpair::pairing {

namespace {

constexpr int kOldestBlock = 4;        // edits ago
constexpr int kFewestBlockTokens = 3;  // else a line says too little
constexpr qsizetype kMostBlockLines = 20;
constexpr std::size_t kMostBlocks = 60;

bool isSame(const CodeText& text, int line, const QByteArray& other) {
  return line >= 0 && line < text.lineCount() &&
         text.line(line).trimmed() == QByteArrayView(other).trimmed();
}

int tokensIn(const QByteArrayList& lines) {
  int count = 0;
  for (const QByteArray& line : lines)
    count += static_cast<int>(CodeText(line, languageFamily({})).tokens().size());
  return count;
}

// `lines` with `from` at their left replaced by `to`.
QByteArrayList reindented(const QByteArrayList& lines, const QByteArray& from,
                          const QByteArray& to) {
  QByteArrayList result;
  for (const QByteArray& line : lines)
    result +=
        line.startsWith(from) && !line.trimmed().isEmpty() ? to + line.mid(from.size()) : line;
  return result;
}

// Finds where else the lines that went stand.
std::vector<Candidate> placesToRemove(const Search& search, const LineEdit& part) {
  std::vector<Candidate> found;
  const auto count = static_cast<int>(part.before.size());
  for (int t = 0; t < search.situation().texts.size(); ++t) {
    const CodeText& text = search.code(t);
    for (int line = 0; line + count <= text.lineCount() && found.size() < kMostBlocks; ++line) {
      int same = 0;
      while (same < count && isSame(text, line + same, part.before[same])) ++same;
      if (same < count) continue;
      Candidate candidate;
      candidate.text = t;
      candidate.line = line;
      candidate.count = count;
      found.push_back(std::move(candidate));
    }
  }
  return found;
}

// Finds where else the lines above and below are those around what came.
std::vector<Candidate> placesToInsert(const Search& search, const LineEdit& part) {
  std::vector<Candidate> found;
  const int home = search.textOf(part.document);
  if (home < 0) return found;
  const CodeText& here = search.code(home);
  const int aboveLine = part.line - 1;
  const int belowLine = part.line + static_cast<int>(part.after.size());
  if (aboveLine < 0 || belowLine >= here.lineCount()) return found;
  const QByteArray above = here.line(aboveLine).toByteArray();
  const QByteArray below = here.line(belowLine).toByteArray();
  if (tokensIn({above}) + tokensIn({below}) < kFewestBlockTokens + 1) return found;
  for (int t = 0; t < search.situation().texts.size(); ++t) {
    const CodeText& text = search.code(t);
    for (int line = 1; line < text.lineCount() && found.size() < kMostBlocks; ++line) {
      if (!isSame(text, line - 1, above) || !isSame(text, line, below)) continue;
      Candidate candidate;
      candidate.text = t;
      candidate.line = line;
      candidate.count = 0;
      candidate.lines = reindented(part.after, editor::leadingBlanks(above),
                                   editor::leadingBlanks(text.line(line - 1).toByteArray()));
      found.push_back(std::move(candidate));
    }
  }
  return found;
}

}  // namespace

void findBlocks(Search& search) {
  const QVector<LineEdit>& edits = search.situation().edits;
  for (int age = 0; age <= kOldestBlock && age < edits.size(); ++age) {
    for (const LineEdit& part : partsOf(edits[edits.size() - 1 - age])) {
      if (search.isCancelled()) return;
      const bool removes = part.after.isEmpty();
      if (!removes && !part.before.isEmpty()) continue;
      const QByteArrayList& lines = removes ? part.before : part.after;
      if (lines.size() > kMostBlockLines || tokensIn(lines) < kFewestBlockTokens) continue;
      std::vector<Candidate> found =
          removes ? placesToRemove(search, part) : placesToInsert(search, part);
      for (Candidate& candidate : found) {
        candidate.finder = Finder::kBlock;
        candidate.change =
            removes ? changeName(lines.join('\n'), {}) : changeName({}, lines.join('\n'));
        candidate.source = -1;
        Features& f = candidate.features;
        f.flag(Feature::kRemoves, removes);
        f.flag(Feature::kInserts, !removes);
        f.flag(Feature::kLatest, age == 0);
        f.flag(Feature::kOld, age >= 3);
        f.flag(Feature::kLong, lines.size() >= 3);
        f.flag(Feature::kShort, lines.size() == 1);
      }
      search.addAll(std::move(found));
    }
  }
}

}  // namespace waferpair::pairing
