// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/code_definitions.h"

#include <algorithm>

#include "editor/text/translate.h"
#include "pairing/placing/code_hints.h"
#include "pairing/placing/expansion.h"
#include "pairing/placing/import_lines.h"
#include "pairing/placing/indent_shift.h"
#include "pairing/placing/soundness.h"

namespace waferpair::pairing {
namespace {

// Words that a function and what is to take its place have in common, and those of another one.
constexpr double kAlike = 0.7;
constexpr double kUnlike = 0.4;

}  // namespace

PutCode CodeDefinitions::notOfText() const {
  return {PutCode::Outcome::kForeign,
          {},
          {},
          {translate("%1 is not code of this file, nor has it a place there.")
               .arg(quotedLine(codeBytes_.trimmed().split('\n').first())),
           translate("Copy it, and put it where it belongs.")}};
}

PutCode CodeDefinitions::byDefinition() {
  if (const auto fault = faultInBrackets(codeBytes_, family_))
    return unclear(translate("The answer's code is not whole: %1.").arg(fault->what));
  // Ruby's blocks are told too loosely to say what is left out of them.
  if (family_.indented && !family_.tripleQuotes && hasPlaceholder(code_, text_))
    return unclear(translate("Which lines the answer leaves out is not clear."));
  if (!takeLevel(-1, -1, 0, code_.count())) {
    if (failed_.isEmpty()) return notOfText();
    return unclear(failed_);
  }
  PutCode made = finished();
  made.isImports = childrenOf(fresh_, -1).isEmpty();
  return made;
}

int CodeDefinitions::matchOf(int fresh, int oldParent) {
  const Outlined& entry = fresh_[fresh];
  QVector<int> found;
  for (int i = 0; i < old_.size(); ++i) {
    const Outlined& other = old_[i];
    if (!entry.isAlike(other)) continue;
    if (!entry.owner.isEmpty() && !other.owner.isEmpty() && entry.owner != other.owner) continue;
    if (oldParent >= 0 && other.parent != oldParent) continue;
    if (entry.kind == Outlined::Kind::kValue && entry.parent < 0 && other.parent >= 0) continue;
    found.append(i);
  }
  const auto narrow = [&found](auto fits) {
    QVector<int> fitting;
    for (const int i : found)
      if (fits(i)) fitting.append(i);
    if (found.size() > 1 && !fitting.isEmpty()) found = fitting;
  };
  narrow([&](int i) { return overlapsTarget(old_[i]); });
  narrow([&](int i) { return old_[i].headText == entry.headText; });
  // Of several that have its name one is like it, and no other is.
  const QByteArray whole = joinedLines(code_.list(entry.head, entry.last + 1));
  const auto isLike = [&](int i, double least) {
    return likeness(joinedLines(text_.list(old_[i].head, old_[i].last + 1)), whole) >= least;
  };
  const auto alike = std::count_if(found.cbegin(), found.cend(),
                                   [&](int i) { return found.size() > 1 && isLike(i, kUnlike); });
  if (alike == 1) narrow([&](int i) { return isLike(i, kAlike); });
  // A function within another one is meant where it is spoken of alone.
  narrow([&](int i) {
    return old_[i].parent < 0 || old_[old_[i].parent].kind != Outlined::Kind::kFunction;
  });
  if (found.isEmpty()) return -1;
  if (found.size() > 1) {
    fail(translate("The file has %1 definitions of %2, and the answer does not "
                   "say which one it "
                   "means.")
             .arg(found.size())
             .arg(quotedLine(entry.name)));
    return -2;
  }
  return found.first();
}

bool CodeDefinitions::takeLevel(int freshParent, int oldParent, qint64 first, qint64 end) {
  const QVector<int> entries = childrenOf(fresh_, freshParent);
  QVector<std::pair<int, int>> siblings;  // of the code, of the text; -1: it is new
  QVector<qint64> rest;
  qint64 line = first;
  bool any = false;
  for (const int entry : entries) {
    const int old = matchOf(entry, oldParent);
    if (old == -2) return false;
    siblings.append({entry, old});
    any = any || old >= 0;
    for (; line < fresh_[entry].comments; ++line) rest.append(line);
    line = std::max<qint64>(line, fresh_[entry].last + 1);
  }
  for (; line < end; ++line) rest.append(line);
  // Imports alone are a change, too.
  bool imports = false;
  if (freshParent < 0) {
    imports = std::any_of(rest.cbegin(), rest.cend(),
                          [this](qint64 at) { return isImportLine(code_.line(at), family_); });
  }
  if (!any && (freshParent < 0 && !(imports && entries.isEmpty()))) return false;
  if (target_.lines && freshParent < 0 && any) {
    const bool meant = std::any_of(siblings.cbegin(), siblings.cend(), [this](const auto& pair) {
      return pair.second >= 0 && overlapsTarget(old_[pair.second]);
    });
    if (!meant)
      return fail(translate("The answer rewrites %1, and not the lines that it "
                            "was asked about.")
                      .arg(quotedLine(fresh_[siblings.first().first].name)));
  }
  if (!saysAllBetween(siblings, rest, oldParent))
    return fail(translate("The answer leaves definitions out without saying so."));
  if (freshParent < 0 && seemsWhole(siblings))
    return fail(translate("The answer is much of the file, and not all of it."));
  for (const auto& [entry, old] : std::as_const(siblings)) {
    if (!fresh_[entry].alone)
      return fail(translate("%1 shares its lines with something else.")
                      .arg(quotedLine(fresh_[entry].name)));
    if (old >= 0 ? !takeEntry(entry, old) : !takeNew(entry, siblings, oldParent)) return false;
  }
  return takeRest(rest, oldParent);
}

// Somewhere in the text one line follows the other, empty ones aside.
bool CodeDefinitions::areNeighbors(const QByteArray& line, const QByteArray& next) const {
  for (qsizetype i = 0; i < text_.count(); ++i) {
    if (text_.squeezed(i) != line) continue;
    qsizetype behind = i + 1;
    while (behind < text_.count() && text_.squeezed(behind).isEmpty()) ++behind;
    if (behind < text_.count() && text_.squeezed(behind) == next) return true;
  }
  return false;
}

// Code that begins as the text does and defines much of what that does was to
// be the text, so that what it lacks was to go.
bool CodeDefinitions::seemsWhole(const QVector<std::pair<int, int>>& siblings) const {
  // Any code of PHP begins with its tag.
  const auto firstOf = [](const TextLines& lines) {
    for (qsizetype i = 0; i < lines.count(); ++i)
      if (!lines.squeezed(i).isEmpty() && lines.squeezed(i) != "<?php") return lines.squeezed(i);
    return QByteArray();
  };
  if (firstOf(code_) != firstOf(text_) || hasPlaceholder(code_, text_)) return false;
  const QVector<int> all = childrenOf(old_, -1);
  const auto known = std::count_if(siblings.cbegin(), siblings.cend(),
                                   [](const auto& pair) { return pair.second >= 0; });
  if (2 * known < all.size()) return false;
  // Where the text begins with a definition, so does code that is no more than
  // that.
  for (const auto& pair : siblings)
    if (pair.second >= 0 && firstOf(code_) == text_.squeezed(old_[pair.second].attributes))
      return false;
  const int head = all.isEmpty() ? 0 : old_[all.first()].comments;
  for (int line = 0; line < head; ++line)
    if (!text_.squeezed(line).isEmpty() && !codeLines_.contains(text_.squeezed(line))) return true;
  return known < all.size();
}

// Code that says where it leaves lines out leaves none out elsewhere: what
// stands between two of its definitions in the text, and is not in it, was to
// go.
bool CodeDefinitions::saysAllBetween(const QVector<std::pair<int, int>>& siblings,
                                     const QVector<qint64>& rest, int oldParent) const {
  const bool elides = std::any_of(rest.cbegin(), rest.cend(),
                                  [this](qint64 line) { return isPlaceholderLine(line); });
  if (!elides) return true;
  // What stands together here does so in the text: lines of it, and definitions
  // that it has.
  struct Unit {
    qint64 first, last;  // in the code
    qint64 oldFirst,
        oldLast;  // in the text; -1: the line may stand in several places
  };
  QVector<Unit> units;
  for (const qint64 line : rest)
    if (isPlaceholderLine(line) || textLines_.contains(code_.squeezed(line)))
      if (!code_.squeezed(line).isEmpty()) units.append({line, line, -1, -1});
  for (const auto& [entry, old] : siblings)
    if (old >= 0)
      units.append(
          {fresh_[entry].comments, fresh_[entry].last, old_[old].comments, old_[old].last});
  std::sort(units.begin(), units.end(),
            [](const Unit& one, const Unit& other) { return one.first < other.first; });
  const auto beside = [this](qint64 line, int step) {
    for (line += step; line >= 0 && line < text_.count(); line += step)
      if (!text_.squeezed(line).isEmpty()) return line;
    return qint64{-1};
  };
  for (qsizetype i = 1; i < units.size(); ++i) {
    const Unit& one = units[i - 1];
    const Unit& next = units[i];
    if (isPlaceholderLine(one.first) || isPlaceholderLine(next.first)) continue;
    if (one.oldLast < 0 && next.oldFirst < 0) {
      if (!areNeighbors(code_.squeezed(one.first), code_.squeezed(next.first))) return false;
    } else if (one.oldLast < 0) {
      const qint64 above = beside(next.oldFirst, -1);
      if (above < 0 || text_.squeezed(above) != code_.squeezed(one.first)) return false;
    } else {
      const qint64 below = beside(one.oldLast, 1);
      if (below < 0) return false;
      if (next.oldFirst >= 0 ? below != next.oldFirst
                             : text_.squeezed(below) != code_.squeezed(next.first))
        return false;
    }
  }
  const QVector<int> all = childrenOf(old_, oldParent);
  qint64 shown = 0;  // the code up to here was looked at
  qint64 last = -1;  // the text's line that it has come to
  for (const auto& [entry, old] : siblings) {
    const bool leavesOut = hasPlaceholderIn(shown, fresh_[entry].comments);
    if (old >= 0 && !leavesOut && old_[old].parent == oldParent) {
      for (const int each : all)
        if (old_[each].head > last && old_[each].head < old_[old].head) return false;
      if (last < 0 && oldParent < 0) {
        for (int line = 0; line < old_[old].comments; ++line)
          if (isImportLine(oldText_.line(line), family_) &&
              !codeLines_.contains(text_.squeezed(line)))
            return false;
      }
    }
    if (old >= 0) last = old_[old].last;
    shown = fresh_[entry].last + 1;
  }
  return true;
}

bool CodeDefinitions::takeEntry(int fresh, int old) {
  const Outlined& entry = fresh_[fresh];
  const Outlined& other = old_[old];
  const QString name = quotedLine(entry.name);
  if (!other.alone) return fail(translate("%1 shares its lines with something else.").arg(name));
  const QVector<int> held = childrenOf(fresh_, fresh);
  const bool elides = hasPlaceholderIn(entry.body + 1, entry.last + 1);
  const bool container = entry.kind != Outlined::Kind::kFunction && !held.isEmpty();
  if (container && (elides || isNamespace(entry))) return takeContainer(fresh, old);
  if (losesBodies(fresh, old) && !elides)
    return fail(translate("The answer leaves out what %1 does.").arg(name));
  if (container && !elides) {
    // What a type holds and the answer does not name would be lost.
    QVector<int> left = childrenOf(old_, old);
    for (const int child : held) {
      const auto at = std::find_if(left.cbegin(), left.cend(),
                                   [&](int each) { return fresh_[child].isAlike(old_[each]); });
      if (at != left.cend()) left.removeAt(at - left.cbegin());
    }
    if (!left.isEmpty())
      return fail(translate("The answer writes %1 without %2, and does not say "
                            "that it is to go.")
                      .arg(name, quotedLine(old_[left.first()].name)));
  }
  if (entry.attributes == entry.head && other.attributes < other.head && family_.indented)
    return fail(translate("The answer writes %1 without %2.")
                    .arg(name, quotedLine(text_.squeezed(other.attributes))));
  // Comments above it are replaced by comments above it.
  qint64 freshFirst = entry.attributes, oldFirst = other.attributes;
  const bool hasComments = entry.comments < entry.attributes;
  const bool remark =
      entry.comments + 1 == entry.attributes && isRemark(code_.line(entry.comments).toByteArray());
  if (hasComments && !(remark && other.comments == other.attributes) &&
      !hasPlaceholderIn(entry.comments, entry.attributes)) {
    freshFirst = entry.comments;
    oldFirst = other.comments;
  }
  QByteArrayList lines = adopted(entry, freshFirst, other, oldFirst);
  if (elides) {
    const TextLines made(joinedLines(lines));
    const TextLines original(joinedLines(text_.list(oldFirst, other.last + 1)));
    const auto whole = expanded(made, original);
    if (!whole)
      return fail(translate("Which lines of %1 the answer leaves out is not clear.").arg(name));
    const TextLines all(*whole);
    lines = all.list(0, all.count());
  }
  names_.append(QString::fromUtf8(entry.owner + '.' + entry.name));
  replaced_.append({oldFirst, other.last + 1, lines});
  return true;
}

// A type or namespace of which the answer shows a part: what it shows is
// replaced.
bool CodeDefinitions::takeContainer(int fresh, int old) {
  const Outlined& entry = fresh_[fresh];
  const Outlined& other = old_[old];
  for (int line = entry.comments; line < entry.attributes; ++line) {
    const bool isKnown = textLines_.contains(code_.squeezed(line)) || isPlaceholderLine(line) ||
                         isRemark(code_.line(line).toByteArray());
    if (!isKnown)
      return fail(translate("The answer changes what is said of %1, which it shows in part.")
                      .arg(quotedLine(entry.name)));
  }
  if (entry.headText != other.headText && !isNamespace(entry)) {
    Outlined head = entry, otherHead = other;
    head.last = entry.body;
    otherHead.last = other.body;
    replaced_.append(
        {other.head, other.body + 1, adopted(head, entry.head, otherHead, other.head)});
  }
  const bool closes = !family_.indented;
  return takeLevel(fresh, old, entry.body + 1, closes ? entry.last : entry.last + 1);
}

// What the code defines beside a member of a type can be nothing but another one: it takes the
// object, has a form that only members have, or is indented as that is, which is not at the margin.
bool CodeDefinitions::mustBeMember(const Outlined& entry, const Outlined& sibling) const {
  if (entry.columns != sibling.columns) return false;
  if (entry.columns > 0) return true;
  const QByteArray& head = entry.headText;
  const bool takesObject = head.contains("(self") || head.contains("(cls");
  if (family_.indented) return family_.tripleQuotes && takesObject;
  if (entry.kind != Outlined::Kind::kFunction || !entry.owner.isEmpty()) return false;
  for (const char* word :
       {"function ", "fun ", "func ", "fn ", "async ", "const ", "let ", "export "})
    if (head.startsWith(word) || head.contains(QByteArray(" ") + word)) return false;
  // A function of C or C++ may stand alone.
  return family_.dollars || (family_.tripleQuotes && !family_.indented);
}

// A definition that the text does not have goes beside one that stands beside
// it in the answer.
bool CodeDefinitions::takeNew(int fresh, const QVector<std::pair<int, int>>& siblings,
                              int oldParent) {
  const Outlined& entry = fresh_[fresh];
  const auto at = std::find_if(siblings.cbegin(), siblings.cend(),
                               [fresh](const auto& pair) { return pair.first == fresh; });
  const bool hasBefore = at != siblings.cbegin(), hasAfter = at + 1 != siblings.cend();
  const auto nearby = [&](qint64 from, qint64 to) { return !hasPlaceholderIn(from, to); };
  int before = -1, after = -1;
  if (hasBefore && nearby(fresh_[(at - 1)->first].last + 1, entry.comments))
    before = (at - 1)->second;
  if (hasAfter && nearby(entry.last + 1, fresh_[(at + 1)->first].comments))
    after = (at + 1)->second;
  const QString name = quotedLine(entry.name);
  qint64 line = -1;
  int beside = before >= 0 ? before : after;
  if (before >= 0) {
    line = old_[before].last + 1;
  } else if (after >= 0) {
    line = old_[after].comments;
  } else if (hasPlaceholderIn(0, entry.comments)) {
    const QVector<int> there = childrenOf(old_, oldParent);
    if (there.isEmpty()) return fail(translate("Where %1 is to stand is not clear.").arg(name));
    beside = there.last();
    line = old_[beside].last + 1;
  }
  // Beside what stands in a type it would be another thing than beside what
  // stands alone.
  const bool isMember =
      beside >= 0 && oldParent < 0 && old_[beside].parent >= 0 &&
      old_[old_[beside].parent].kind == Outlined::Kind::kType &&
      mustBeMember(entry, fresh_[beside == before ? (at - 1)->first : (at + 1)->first]);
  if (beside < 0 || (old_[beside].parent != oldParent && !isMember))
    return fail(translate("Where %1 is to stand is not clear.").arg(name));
  IndentShift shift;
  shift.text = &text_;
  shift.code = &code_;
  shift.textFirst = shift.textEnd = line;
  shift.codeFirst = entry.comments;
  shift.codeEnd = entry.last + 1;
  shift.textBase = old_[beside].head;
  shift.codeBase = entry.head;
  shift.closes = !family_.indented;
  QByteArrayList lines = shifted(shift);
  const bool isPython = family_.indented && family_.tripleQuotes;
  // One line of several that stand together.
  const bool joins =
      entry.comments == entry.last && old_[beside].comments == old_[beside].last &&
      (beside == before ? fresh_[(at - 1)->first].last + 1 == entry.comments
                        : beside == after && entry.last + 1 == fresh_[(at + 1)->first].comments);
  const int blanks = joins ? 0 : isPython && old_[beside].parent < 0 ? 2 : 1;
  for (int i = 0; i < blanks; ++i) {
    if (line == old_[beside].last + 1) {
      lines.prepend(QByteArray());
    } else {
      lines.append(QByteArray());
    }
  }
  replaced_.append({line, line, lines});
  return true;
}

// Lines of the code that define nothing.
bool CodeDefinitions::takeRest(const QVector<qint64>& rest, int oldParent) {
  QVector<qint64> imports;
  bool inImport = false;
  for (const qint64 line : rest) {
    const QByteArray& here = code_.squeezed(line);
    if (here.isEmpty() || isPlaceholderLine(line)) continue;
    if (announcesExample(QString::fromUtf8(here)) &&
        (here.startsWith('#') || here.startsWith("//")))
      break;  // what follows shows how it is used
    const auto tokens = newText_.tokens(static_cast<int>(line));
    if (tokens.front().region == Region::kComment &&
        (textLines_.contains(here) || isRemark(code_.line(line).toByteArray())))
      continue;
    if (oldParent < 0 && isImportLine(code_.line(line), family_)) {
      inImport = here.contains('(') && !here.contains(')');
      inImport = inImport || (here.contains('{') && !here.contains('}'));
      imports.append(line);
      continue;
    }
    if (inImport) {
      imports.append(line);
      inImport = !here.contains(')') && !here.contains('}');
      continue;
    }
    if (textLines_.contains(here)) continue;
    return fail(translate("Where %1 is to stand is not clear.").arg(quotedLine(here)));
  }
  return takeImports(imports);
}

// Imports that are missing go behind those that are there.
bool CodeDefinitions::takeImports(const QVector<qint64>& lines) {
  QByteArrayList missing;
  QByteArray whole;  // one over several lines
  QByteArrayList pending;
  for (const qint64 line : lines) {
    pending.append(code_.line(line).toByteArray());
    whole += code_.squeezed(line) + ' ';
    const bool open = whole.count('(') > whole.count(')') || whole.count('{') > whole.count('}');
    if (open) continue;
    const auto plan = planImport(oldText_, whole);
    if (!plan)
      return fail(
          translate("Another line of the file brings in what %1 does.").arg(quotedLine(whole)));
    if (plan->instead >= 0) {
      replaced_.append({plan->instead, plan->behind, pending});
    } else if (!plan->isThere) {
      missing += pending;
    }
    pending.clear();
    whole.clear();
  }
  if (!pending.isEmpty()) return fail(translate("An import of the answer is not whole."));
  if (missing.isEmpty()) return true;
  // Beside a placeholder they would stand among those that it stands for.
  const qint64 last = lines.last();
  qint64 next = last + 1;
  while (next < code_.count() && code_.squeezed(next).isEmpty()) ++next;
  if (hasPlaceholderIn(0, last) || (next < code_.count() && isPlaceholderLine(next)))
    return fail(translate("Where the imports of the answer are to stand is not clear."));
  const qint64 at = importPlace(oldText_);
  replaced_.append({at, at, missing});
  return true;
}

}  // namespace waferpair::pairing
