// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/answer_placement.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>
#include <algorithm>

#include "editor/text/text_codec.h"

#include "editor/text/translate.h"
#include "pairing/answers/answer_reader.h"
#include "pairing/answers/thoughts.h"
#include "pairing/placing/answer_habits.h"
#include "pairing/placing/code_hints.h"
#include "pairing/placing/lost_marks.h"
#include "pairing/placing/placeholders.h"
#include "pairing/placing/soundness.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

using editor::Error;
using editor::Snapshot;
using editor::TextEdit;

namespace {

using Kind = ProposedChange::Kind;

// Where the lines of a text are after edits that came since its lines were numbered.
class MovedLines {
 public:
  // Lines from `line` on of the text as it was are so many further down.
  void add(qint64 line, qint64 delta) {
    if (delta != 0) moves_.append({line, delta});
  }
  qint64 now(qint64 line) const {
    qint64 moved = line;
    for (const auto& [from, delta] : moves_)
      if (from <= line) moved += delta;
    return std::max<qint64>(0, moved);
  }

 private:
  QVector<std::pair<qint64, qint64>> moves_;
};

Snapshot edited(Snapshot text, const QVector<TextEdit>& edits) {
  for (const TextEdit& edit : edits) text = text.edited(edit);
  return text;
}

// A line that is inserted where a number alone says.
bool standsByNumberAlone(const ProposedChange& change, const Snapshot& text) {
  return change.kind == Kind::kReplace && change.oldText.isEmpty() && !text.isEmpty();
}

// A number that is wrong is so by fewer lines, as a rule.
constexpr qint64 kMostWrong = 50;

// Lines [from, to) with LF at their ends, and one before them.
QByteArray linesBetween(const Snapshot& text, qint64 from, qint64 to) {
  const qint64 end = to < text.lineCount() ? text.lineStart(to) : text.size();
  return '\n' + editor::withLf(text.slice(text.lineStart(std::max<qint64>(0, from)), end));
}

// The quote, which stands at the line that the answer says, stands nowhere else near it, or nowhere
// else behind the line that the hunk's head names.
bool isNumberShown(const Snapshot& text, const ProposedChange& change) {
  const QByteArray quote = '\n' + change.oldText;
  const qint64 line = change.hintLine, behind = line + change.oldText.count('\n');
  if (linesBetween(text, line - kMostWrong, behind + kMostWrong).count(quote) == 1) return true;
  const QByteArray heading = change.heading.simplified();
  if (heading.size() < 4) return false;
  qint64 found = -1;
  const TextLines lines(text.toByteArray());
  for (qint64 i = 0; i < lines.count(); ++i) {
    if (!lines.squeezed(i).startsWith(heading)) continue;
    if (found >= 0) return false;
    found = i;
  }
  return found >= 0 && found < line && linesBetween(text, found, behind).count(quote) == 1;
}

// The line numbers of an answer are right, as far as the lines that it quotes tell: there are some,
// and all of them stand where it says, one at least not by chance.
bool hasRightNumbers(const QVector<ProposedChange>& changes, const Snapshot& text) {
  bool any = false;
  for (const ProposedChange& change : changes) {
    if (change.kind != Kind::kReplace || change.hintLine < 0) continue;
    if (change.oldText.trimmed().isEmpty()) continue;
    const qint64 start = text.lineStart(change.hintLine);
    const QByteArray there = editor::withLf(text.slice(start, start + 2 * change.oldText.size()));
    if (!there.startsWith(change.oldText)) return false;
    any = any || isNumberShown(text, change);
  }
  return any;
}

// A line that stands for others is in the text now: the first such line; null: none is.
QByteArray placeholderLeft(const Snapshot& before, const Snapshot& after) {
  const TextLines old(before.toByteArray()), now(after.toByteArray());
  QSet<QByteArray> there;
  for (qsizetype i = 0; i < old.count(); ++i) there.insert(old.squeezed(i));
  for (qsizetype i = 0; i < now.count(); ++i)
    if (isLeftOut(now, i, there)) return now.squeezed(i);
  return {};
}

// The path that a change names, be it one of Windows.
QString pathIn(const ProposedChange& change) {
  return QDir::cleanPath(QString(change.path).replace(u'\\', u'/'));
}

// The changes of an answer that are for the file at `path`: they name no file, or this one by the
// end of its path, or, as models shorten paths and lengthen them, one of its name, if only one is.
class OfFile {
 public:
  OfFile(const QVector<ProposedChange>& changes, const QString& path)
      : path_(QDir::cleanPath(path)), name_(QFileInfo(path_).fileName()) {
    QSet<QString> alike;
    for (const ProposedChange& change : changes) {
      const QString named = pathIn(change);
      if (!change.path.isEmpty() && QFileInfo(named).fileName() == name_) alike.insert(named);
    }
    if (alike.size() == 1) only_ = *alike.cbegin();
  }

  bool has(const ProposedChange& change) const {
    if (change.path.isEmpty()) return true;
    const QString named = pathIn(change);
    return path_ == named || path_.endsWith(u'/' + named) || named == only_;
  }

 private:
  QString path_;
  QString name_;
  QString only_;
};

// It begins with the line that the text begins with, and ends with the text's last line or with one
// that is indented: nothing is said around it.
bool isBare(const TextLines& lines, const TextLines& text) {
  const auto isEmpty = [](const TextLines& of, qsizetype i) { return of.squeezed(i).isEmpty(); };
  qsizetype first = 0, last = lines.count() - 1, textFirst = 0, textLast = text.count() - 1;
  while (first <= last && isEmpty(lines, first)) ++first;
  while (last > first && isEmpty(lines, last)) --last;
  while (textFirst <= textLast && isEmpty(text, textFirst)) ++textFirst;
  while (textLast > textFirst && isEmpty(text, textLast)) --textLast;
  if (first > last || textFirst > textLast) return false;
  return lines.squeezed(first) == text.squeezed(textFirst) &&
         (lines.squeezed(last) == text.squeezed(textLast) || !lines.indent(last).isEmpty());
}

// Some of its new lines are indented by tabs and some by blanks, in a text without tabs.
bool mixesBlanks(const ProposedChange& change, const TextLines& text) {
  const auto countOf = [](const TextLines& lines, const char* blanks) {
    qsizetype found = 0;
    for (qsizetype i = 0; i < lines.count(); ++i)
      found += !lines.squeezed(i).isEmpty() && lines.indent(i).startsWith(blanks);
    return found;
  };
  if (!change.newText.contains('\t') || countOf(text, "\t") > 0) return false;
  const TextLines fresh(change.newText);
  return countOf(fresh, "\t") > 0 && countOf(fresh, "  ") > 0 && countOf(text, "  ") > 0;
}

// Its quote is brackets, which stand elsewhere at other indentations.
bool isOnlyBrackets(const ProposedChange& change) {
  const TextLines old(change.oldText);
  for (qsizetype i = 0; i < old.count(); ++i)
    if (old.squeezed(i).size() > 2) return false;
  return old.count() > 0;
}

// Other quotes of the answer stand in the text only without regard to blanks.
bool driftsInBlanks(const QVector<ProposedChange>& changes, const Snapshot& text) {
  const QByteArray there = '\n' + editor::withLf(text.toByteArray());
  const QByteArray squeezed = there.simplified();
  return std::any_of(changes.cbegin(), changes.cend(), [&](const ProposedChange& change) {
    return change.kind == Kind::kReplace && !change.verbatim && !isOnlyBrackets(change) &&
           !there.contains('\n' + change.oldText) && squeezed.contains(change.oldText.simplified());
  });
}

QString withText(const QString& problem, const ProposedChange& change) {
  return problem + u'\n' + QString::fromUtf8(change.newText);
}

QString pathOf(const QVector<ProposedChange>& changes, const CodeTarget& target) {
  return target.path.isEmpty() ? changes.value(0).path : target.path;
}

// The text with a block in the place of the one before it, which stands there, and which the prose
// around both says is to be replaced.
std::optional<Snapshot> withReplaced(const Snapshot& text, const ProposedChange& before,
                                     const ProposedChange& after, const CodeTarget& target) {
  const QString ofOld = QString::fromUtf8(before.lead), ofNew = QString::fromUtf8(after.lead);
  if (!announceReplacement(ofOld, ofNew) || before.newText == after.newText) return {};
  ProposedChange change;
  change.oldText = before.newText;
  change.newText = after.newText;
  const auto at = place(text, change, target);
  if (!at || at->fit == Fit::kMerged) return {};
  return edited(text, at->edits);
}

Error byNumberAlone() {
  return {translate("Only a line number says where the change is to be inserted."),
          translate("Ask for it with the lines around it.")};
}

Error oddSigns() {
  return {translate("The answer has signs that the text has nowhere, like “&lt;” or typographic "
                    "quotes."),
          translate("Put the change in by hand.")};
}

Error otherBlanks() {
  return {translate("The answer is indented otherwise than the text, and how is not clear."),
          translate("Put the change in by hand.")};
}

Error changesNothing() {
  return {translate("The answer changes nothing."), translate("Ask for the change again.")};
}

}  // namespace

std::optional<Error> brokenBy(const Snapshot& before, const Snapshot& after, const QString& path) {
  const LanguageFamily& family = familyOfFile(path);
  if (const QByteArray left = placeholderLeft(before, after); !left.isNull()) {
    return Error{translate("The answer leaves lines out: “%1”.").arg(QString::fromUtf8(left)),
                 translate("Ask for the change with all of its lines.")};
  }
  const auto fault = faultMade(before.toByteArray(), after.toByteArray(), family);
  if (!fault) return {};
  return Error{translate("With the change in it the text would be broken: in line %1 %2.")
                   .arg(fault->line + 1)
                   .arg(fault->what),
               translate("Ask for the change again.")};
}

editor::Result<ProposedChange> readied(const ProposedChange& change,
                                       const QVector<ProposedChange>& others, const Snapshot& text,
                                       const QString& path) {
  ProposedChange ready = withoutHabits({change}, text, path).first();
  if (TextSigns(text).areOddIn(ready)) return tl::unexpected(oddSigns());
  if (ready.hintLine >= 0 && !hasRightNumbers(others + QVector{ready}, text)) ready.hintLine = -1;
  return ready;
}

AnswerPlacement placeCodes(const Snapshot& text, const QVector<ProposedChange>& given,
                           const CodeTarget& target) {
  const QVector<ProposedChange> codes = withoutHabits(given, text, pathOf(given, target));
  AnswerPlacement placed{text, {}};
  QVector<RefusedChange> foreign;
  QSet<QString> replaced;
  bool any = false, unchanged = false;
  for (qsizetype i = 0; i < codes.size(); ++i) {
    const ProposedChange& code = codes[i];
    if (i + 1 < codes.size()) {
      if (auto replacedHere = withReplaced(placed.text, code, codes[i + 1], target)) {
        placed.text = *std::move(replacedHere);
        any = true;
        ++i;
        continue;
      }
    }
    const PutCode put = placeCode(placed.text, code, target);
    switch (put.outcome) {
      case PutCode::Outcome::kForeign:
        foreign.append({code, put.why});
        break;
      case PutCode::Outcome::kUnclear:
        placed.refused.append({code, put.why});
        break;
      case PutCode::Outcome::kUnchanged:
        unchanged = true;
        break;
      case PutCode::Outcome::kPut: {
        const bool again =
            std::any_of(put.replaced.cbegin(), put.replaced.cend(),
                        [&](const QString& name) { return replaced.contains(name); });
        if (again || (any && put.replaced.isEmpty() && !put.isImports)) {
          placed.refused.append({code,
                                 {translate("Two blocks of the answer are for the same place."),
                                  translate("Take one of them, and put it in by hand.")}});
          break;
        }
        // What the code repeats of the text has such signs from there.
        ProposedChange made;
        made.oldText = placed.text.toByteArray();
        made.newText = put.text;
        if (TextSigns(placed.text).areOddIn(made)) {
          placed.refused.append({code, oddSigns()});
          break;
        }
        replaced.unite(QSet<QString>(put.replaced.cbegin(), put.replaced.cend()));
        any = true;
        placed.text = Snapshot(put.text);
        break;
      }
    }
  }
  if (!any && placed.refused.isEmpty()) {
    placed.refused = foreign;
    if (unchanged || foreign.isEmpty()) placed.refused = {{codes.value(0), changesNothing()}};
  }
  if (!placed.refused.isEmpty()) placed.text = text;
  return placed;
}

AnswerPlacement placeAnswer(const Snapshot& text, const QVector<ProposedChange>& given,
                            const CodeTarget& target) {
  QVector<ProposedChange> once;
  for (const ProposedChange& change : given)
    if (!once.contains(change)) once.append(change);
  QVector<ProposedChange> changes = withoutHabits(once, text, pathOf(given, target));
  const TextLines lines(text.toByteArray());
  for (ProposedChange& change : changes)
    if (auto marked = withMarks(change, lines)) change = *std::move(marked);
  // Numbers that are wrong somewhere tell nothing anywhere.
  const bool hasNumbers = hasRightNumbers(changes, text);
  const TextSigns signs(text);
  AnswerPlacement placed{text, {}};
  MovedLines moved;
  QVector<ProposedChange> codes;
  for (const ProposedChange& change : changes) {
    Q_ASSERT(change.kind != Kind::kDelete && change.kind != Kind::kRename);
    if (change.kind == Kind::kCode) {
      codes.append(change);
      continue;
    }
    if (signs.areOddIn(change)) {
      placed.refused.append({change, oddSigns()});
      continue;
    }
    if (standsByNumberAlone(change, placed.text) && !hasNumbers) {
      placed.refused.append({change, byNumberAlone()});
      continue;
    }
    if (mixesBlanks(change, lines)) {
      placed.refused.append({change, otherBlanks()});
      continue;
    }
    if (isOnlyBrackets(change) && driftsInBlanks(changes, text)) {
      placed.refused.append({change, otherBlanks()});
      continue;
    }
    ProposedChange now = change;
    if (change.hintLine >= 0) now.hintLine = hasNumbers ? moved.now(change.hintLine) : -1;
    const auto at = place(placed.text, now, target);
    if (!at) {
      placed.refused.append({change, at.error()});
      continue;
    }
    const Snapshot made = edited(placed.text, at->edits);
    if (change.hintLine >= 0)
      moved.add(change.hintLine, made.lineCount() - placed.text.lineCount());
    placed.text = made;
  }
  if (!codes.isEmpty() && placed.refused.isEmpty()) {
    AnswerPlacement code = placeCodes(placed.text, codes, target);
    // Beside changes that have their place a block is an example.
    const bool isExample = !code.isPlaced() && codes.size() < changes.size();
    if (!isExample) placed = std::move(code);
  }
  if (placed.refused.isEmpty() && placed.text == text)
    placed.refused.append({changes.value(0), changesNothing()});
  if (placed.refused.isEmpty()) {
    if (const auto why = brokenBy(text, placed.text, pathOf(changes, target)))
      placed.refused.append({changes.value(0), *why});
  }
  if (!placed.refused.isEmpty()) placed.text = text;
  return placed;
}

AnsweredText answered(const Snapshot& text, QByteArrayView answer, const QString& path) {
  AnsweredText made{AnsweredText::Status::kNoChange, text, {}};
  const QByteArray said = withoutThoughts(answer);
  const auto format = guessAnswerFormat(said);
  if (!format) {
    // An answer may be the text and nothing else.
    ProposedChange all;
    all.kind = Kind::kCode;
    all.newText = said;
    const TextLines bare(said), there(text.toByteArray());
    if (text.isEmpty() || !isBare(bare, there)) return made;
    const AnswerPlacement placed = placeAnswer(text, {all}, {path, {}, {}});
    if (!placed.isPlaced()) return made;
    return {AnsweredText::Status::kPlaced, placed.text, {}};
  }
  const Answer read = readAnswer(*format, said);
  bool isRefused = false;
  for (const AnswerProblem& problem : read.problems) {
    if (problem.isHarmless) continue;
    made.problems.append(translate("Line %1: %2").arg(problem.line + 1).arg(problem.what));
    isRefused = true;
  }
  const QVector<ProposedChange> all = withoutWrapping(read.changes(), text, path);
  QVector<ProposedChange> changes;
  const OfFile ofFile(all, path);
  for (const ProposedChange& change : all) {
    if (!ofFile.has(change)) {
      made.problems.append(withText(translate("The change is for %1.").arg(change.path), change));
    } else if (change.kind == Kind::kDelete || change.kind == Kind::kRename) {
      made.problems.append(translate("Deleting and renaming is left to you: %1.").arg(change.path));
    } else {
      changes.append(change);
    }
  }
  if (changes.isEmpty() && made.problems.isEmpty()) return made;
  isRefused = isRefused || changes.isEmpty();
  if (!changes.isEmpty() && !isRefused) {
    const AnswerPlacement placed = placeAnswer(text, changes, {path, {}, {}});
    for (const RefusedChange& refused : placed.refused)
      made.problems.append(withText(refused.why.message(), refused.change));
    isRefused = !placed.isPlaced();
    made.text = placed.text;
  }
  made.status = isRefused ? AnsweredText::Status::kRefused : AnsweredText::Status::kPlaced;
  if (isRefused)
    made.problems.append(
        translate("None of the answer's changes is applied: the text is as it was."));
  return made;
}

}  // namespace waferpair::pairing
