// SPDX-License-Identifier: GPL-3.0-or-later
// A name came that stands nowhere else in the file, and other files of the project bring it in: the
// line that does so, put where such lines stand, in order; or the name, added to the line that
// brings in others from the same module.
#include <QSet>
#include <algorithm>
#include <utility>

#include "editor/text/indentation.h"
#include "pairing/next_edit/project_facts.h"
#include "pairing/next_edit/search.h"

namespace waferpair::pairing {
namespace {

constexpr int kOldestUse = 6;  // edits ago
constexpr std::size_t kMostNames = 12;

struct NewName {
  QByteArray name;
  int age = 0;
  bool hasDot = false;  // behind it
};

bool holdsWord(const QByteArrayList& lines, const CodeText& code, QByteArrayView word) {
  return std::any_of(lines.begin(), lines.end(), [&](const QByteArray& line) {
    return line.contains(word.toByteArray()) && CodeText(line, code.family()).count(word) > 0;
  });
}

// The names of the edited lines of a text that stand nowhere else in it.
std::vector<NewName> newNames(const Search& search, int text) {
  const CodeText& code = search.code(text);
  const QVector<LineEdit>& edits = search.situation().edits;
  std::vector<NewName> found;
  QHash<QByteArray, int> times;  // in edited lines
  for (int age = 0; age < edits.size(); ++age) {
    const LineEdit& edit = edits[edits.size() - 1 - age];
    if (search.textOf(edit.document) != text) continue;
    const int end = std::min(edit.line + static_cast<int>(edit.after.size()), code.lineCount());
    for (int at = edit.line; at < end; ++at) {
      const std::span<const Token> line = code.tokens(at);
      const bool isImport = mayImport(code.family(), code.line(at));
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i].kind != TokenKind::kWord) continue;
        const QByteArray word = code.view(line[i]).toByteArray();
        ++times[word];
        const bool isKnown = std::any_of(found.begin(), found.end(),
                                         [&](const NewName& one) { return one.name == word; });
        if (isImport || age > kOldestUse || isKnown || found.size() >= kMostNames) continue;
        if (!isImportable(code, line, i) || holdsWord(edit.before, code, word)) continue;
        const bool hasDot = i + 1 < line.size() && code.view(line[i + 1]) == ".";
        found.push_back({word, age, hasDot});
      }
    }
  }
  if (found.empty()) return found;
  QSet<QByteArray> imported;  // by some line, in a function, too
  for (int at = 0; at < code.lineCount(); ++at) {
    if (!mayImport(code.family(), code.line(at))) continue;
    for (const Token& token : code.tokens(at)) imported.insert(code.view(token).toByteArray());
  }
  std::erase_if(found, [&](const NewName& one) {
    return code.count(one.name) > times[one.name] || imported.contains(one.name);
  });
  return found;
}

// "from", "import", "use": lines of one kind are in order among themselves.
QByteArrayView kindOf(QByteArrayView line) {
  const qsizetype blank = line.indexOf(' ');
  return blank < 0 || line.endsWith('"') ? QByteArrayView() : line.first(blank);
}

qsizetype commonLength(QByteArrayView a, QByteArrayView b) {
  const qsizetype most = std::min(a.size(), b.size());
  return std::mismatch(a.begin(), a.begin() + most, b.begin()).first - a.begin();
}

// By what lines are in order: scripts by the module, all others as they are.
QByteArrayView orderOf(QByteArrayView line) {
  const qsizetype from = line.indexOf(" from ");
  return line.startsWith("import ") && from >= 0 ? line.sliced(from) : line;
}

struct ImportPlace {
  int line = -1;          // before which it is to stand; -1: there are no imports
  bool isSorted = false;  // its neighbors are in order
};

// The files that have the line tell what they have before it, and what behind it. Returns in front
// of which of the lines it stands most as it does there; -1: they tell nothing.
int placeByOthers(const std::vector<ImportedName>& imports, const ProjectFacts::Found& found) {
  std::vector<int> balance;  // files that have that line before it, less those that have it behind
  std::vector<int> at;
  for (const ImportedName& import : imports) {
    if (!at.empty() && at.back() == import.at) continue;
    at.push_back(import.at);
    balance.push_back(0);
    for (const auto& file : found.having) {
      const auto place = [&](const ImportedName& wanted) {
        const auto same =
            std::find_if(file->names().begin(), file->names().end(), [&](const ImportedName& one) {
              return wanted.module.isEmpty() ? one.line == wanted.line
                                             : one.module == wanted.module;
            });
        return same == file->names().end() ? -1 : same->at;
      };
      const int other = place(import), own = place(found.import);
      if (other >= 0 && other != own) balance.back() += other < own ? 1 : -1;
    }
  }
  if (std::all_of(balance.begin(), balance.end(), [](int one) { return one == 0; })) return -1;
  int score = 0;  // of standing before all
  for (const int one : balance) score -= one;
  int best = at.front(), bestScore = score;
  for (std::size_t i = 0; i < at.size(); ++i) {
    score += 2 * balance[i];
    if (score < bestScore || (score == bestScore && balance[i] <= 0)) continue;
    bestScore = score;
    best = at[i] + 1;
  }
  return best;
}

// The line before which `line` is to stand: in the group of imports that is most like it, in order
// if that is.
ImportPlace placeFor(const CodeText& code, const std::vector<ImportedName>& imports,
                     const ProjectFacts::Found& found) {
  const QByteArrayView line = found.import.line;
  std::vector<int> at;
  for (const ImportedName& import : imports)
    if (at.empty() || at.back() != import.at) at.push_back(import.at);
  if (at.empty()) return {};
  const auto text = [&](std::size_t index) { return code.line(at[index]).trimmed(); };
  std::size_t best = 0;
  for (std::size_t i = 1; i < at.size(); ++i)
    if (commonLength(text(i), line) > commonLength(text(best), line)) best = i;
  std::size_t first = best, last = best;
  while (first > 0 && at[first - 1] == at[first] - 1) --first;
  while (last + 1 < at.size() && at[last + 1] == at[last] + 1) ++last;
  // Only those of its kind are compared.
  while (first < best && kindOf(text(first)) != kindOf(text(best))) ++first;
  while (last > best && kindOf(text(last)) != kindOf(text(best))) --last;
  const bool isSameKind = kindOf(text(best)) == kindOf(line) || line.startsWith('"');
  const int byOthers = placeByOthers(imports, found);
  const int end = byOthers >= 0 ? byOthers : at[last] + 1;
  if (!isSameKind) return {kindOf(line) < kindOf(text(best)) ? at[last] + 1 : at[first], false};
  const auto order = [&](std::size_t index) { return orderOf(text(index)); };
  for (std::size_t i = first; i < last; ++i)
    if (order(i).compare(order(i + 1)) > 0) return {end, byOthers >= 0};
  for (std::size_t i = first; i <= last; ++i)
    if (orderOf(line).compare(order(i)) < 0) return {at[i], first < last};
  return {at[last] + 1, first < last};
}

// The line with one more name in its list, in order if the others are; empty: it has no list.
QByteArray joined(QByteArrayView line, const std::vector<ImportedName>& imports, int at,
                  const QByteArray& name) {
  QByteArrayList there;
  for (const ImportedName& import : imports)
    if (import.at == at) there += import.name;
  QByteArray result = line.toByteArray();
  const bool isSorted = std::is_sorted(there.begin(), there.end());
  const auto next = std::find_if(there.begin(), there.end(),
                                 [&](const QByteArray& other) { return isSorted && name < other; });
  const qsizetype list = std::max<qsizetype>(result.indexOf(" import "), result.indexOf('{'));
  if (there.isEmpty() || list < 0) return {};
  if (next != there.end()) {
    const qsizetype before = result.indexOf(*next, list);
    return before < 0 ? QByteArray() : result.insert(before, name + ", ");
  }
  const qsizetype last = result.lastIndexOf(there.last());
  return last < list ? QByteArray() : result.insert(last + there.last().size(), ", " + name);
}

std::optional<Candidate> candidateFor(const CodeText& code, const std::vector<ImportedName>& here,
                                      const ProjectFacts::Found& found) {
  const ImportedName& wanted = found.import;
  Candidate candidate;
  if (wanted.joins) {
    const auto isSame = [&](const ImportedName& one) {
      return one.joins && one.module == wanted.module;
    };
    const auto same = std::find_if(here.begin(), here.end(), isSame);
    // Where each name has a line of its own, so has this one.
    const bool isSpread = std::any_of(here.begin(), here.end(), [&](const ImportedName& one) {
      return isSame(one) && one.at != same->at;
    });
    if (same != here.end() && !isSpread) {
      const QByteArray line = joined(code.line(same->at), here, same->at, wanted.name);
      if (line.isEmpty()) return {};
      candidate.line = same->at;
      candidate.lines = {line};
      return candidate;
    }
  }
  const ImportPlace place = placeFor(code, here, found);
  candidate.line = place.line;
  candidate.features.flag(Feature::kSameShape, place.isSorted);
  if (candidate.line < 0 || candidate.line >= code.lineCount()) return {};
  const QByteArray indent = editor::leadingBlanks(code.line(here.front().at).toByteArray());
  candidate.count = 0;
  candidate.lines = {indent + wanted.line};
  return candidate;
}

}  // namespace

void findImports(Search& search) {
  const ProjectFacts* known = search.situation().facts.get();
  if (known == nullptr) return;
  for (int text = 0; text < search.situation().texts.size(); ++text) {
    const std::vector<NewName> names = newNames(search, text);
    if (names.empty()) continue;
    const CodeText& code = search.code(text);
    const QString path = search.situation().pathOf(search.situation().texts[text].document);
    const std::vector<ImportedName> here = importedNames(code);
    for (const NewName& name : names) {
      if (search.isCancelled()) return;
      const bool isHere = std::any_of(
          here.begin(), here.end(), [&](const ImportedName& one) { return one.name == name.name; });
      if (isHere) continue;
      const auto found = known->find(path, code.family(), name.name);
      if (!found || (found->import.isModule && !name.hasDot)) continue;
      // Who does not want it in one file wants it in no other.
      const QByteArray change = changeName({}, found->import.line);
      if (search.timesDismissed(change) > 0) continue;
      auto candidate = candidateFor(code, here, *found);
      if (!candidate) continue;
      candidate->text = text;
      candidate->finder = Finder::kImport;
      candidate->change = change;
      candidate->imported = found->import.line;
      candidate->source = -1;
      Features& f = candidate->features;
      f.set(Feature::kLikeness,
            static_cast<double>(std::min(found->bring, found->use)) / std::max(1, found->use));
      f.flag(Feature::kSameLine, found->agree == found->bring);
      f.flag(Feature::kSeveralInLine, found->agree >= 3);
      f.flag(Feature::kSameRegion, found->isNear);
      f.flag(Feature::kNewKnown, found->use >= 3);
      f.flag(Feature::kDefinition, candidate->count == 1);
      f.flag(Feature::kName, name.name.front() >= 'A' && name.name.front() <= 'Z');
      f.flag(Feature::kLatest, name.age == 0);
      f.flag(Feature::kOld, name.age >= 3);
      f.flag(Feature::kLong, name.name.size() >= 8);
      f.flag(Feature::kShort, name.name.size() <= 3);
      f.flag(Feature::kInserts, true);
      search.addAll({std::move(*candidate)});
    }
  }
}

}  // namespace waferpair::pairing
