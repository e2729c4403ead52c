// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/fenced_code.h"

#include <QRegularExpression>
#include <algorithm>

#include "editor/text/indentation.h"
#include "editor/text/translate.h"
#include "pairing/placing/code_definitions.h"
#include "pairing/placing/code_hints.h"
#include "pairing/placing/common_lines.h"
#include "pairing/placing/expansion.h"
#include "pairing/placing/import_lines.h"
#include "pairing/placing/indent_shift.h"
#include "pairing/placing/whole_text.h"

namespace waferpair::pairing {
namespace {

using PutOutcome = PutCode::Outcome;

constexpr double kLikeTarget = 0.3;   // words that lines and what takes their place have in common
constexpr double kLikeRenamed = 0.6;  // likewise, of a function and the same with another name

class CodePlacer : private CodeDefinitions {
 public:
  using CodeDefinitions::CodeDefinitions;

  PutCode put();

 private:
  bool isEmptyCode() const { return codeBytes_.trimmed().isEmpty(); }
  PutCode asIs();
  std::optional<PutCode> asWhole();
  bool definesTwice() const;
  bool endsInWords() const;
  PutCode onTarget();
  PutCode asRenamed();
  PutCode byExpansion();
};

PutCode CodePlacer::put() {
  PutCode made = asIs();
  // What is said before it tells an example from a change that has no place,
  // and the code that there was from the code that is to be.
  const QString lead = QString::fromUtf8(given_.lead);
  const bool isExample = made.outcome == PutOutcome::kUnclear && announcesExample(lead);
  const bool isOld = made.outcome == PutOutcome::kPut && announcesOld(lead) && !bytes_.isEmpty();
  if (isOld)
    made.why = {translate("The answer shows that code as it was, which it was not."),
                translate("Ask for the change again, for the text as it is now.")};
  if (isExample || isOld) made.outcome = PutOutcome::kForeign;
  return made;
}

PutCode CodePlacer::asIs() {
  for (qsizetype i = 0; i < text_.count(); ++i) textLines_.insert(text_.squeezed(i));
  for (qsizetype i = 0; i < code_.count(); ++i) codeLines_.insert(code_.squeezed(i));
  if (isEmptyCode()) return {PutOutcome::kForeign, {}, {}, {translate("A block is empty."), {}}};
  const bool isTextEmpty = bytes_.trimmed().isEmpty();
  const bool isOther = isOfShell(given_.language) && family_.pairs;
  if (isTextEmpty) {
    if (isOther)
      return {
          PutOutcome::kForeign, {}, {}, {translate("A block holds a command, and no code."), {}}};
    if (hasPlaceholder(code_, text_))
      return unclear(translate("The answer leaves lines out of a file that is empty."));
    return {PutOutcome::kPut, codeBytes_, {}, {}};
  }
  if ((isAtMargin(code_) && CommonLines(code_, text_).areOtherwiseIndented()) ||
      (isFlat(code_, family_) && !isFlat(text_, family_)))
    return unclear(translate("The answer's code has lost its indentation."));
  if (auto whole = asWhole()) return *whole;
  if (isOther && fresh_.isEmpty()) return notOfText();
  if (hasPlaceholder(code_, text_)) {
    PutCode expanded = byExpansion();
    if (expanded.outcome == PutOutcome::kPut) return expanded;
    replaced_.clear();
  }
  PutCode made = hasDefinitions() ? byDefinition() : notOfText();
  if (made.outcome == PutOutcome::kPut || made.outcome == PutOutcome::kUnchanged) return made;
  if (hasPlaceholder(code_, text_) && made.outcome == PutOutcome::kForeign)
    return unclear(translate("Which lines the answer leaves out is not clear."));
  if (target_.lines && made.outcome == PutOutcome::kForeign) {
    PutCode there = fresh_.isEmpty() ? onTarget() : asRenamed();
    if (there.outcome == PutOutcome::kPut || there.outcome == PutOutcome::kUnchanged) return there;
    return there.why.what.isEmpty() ? made : there;
  }
  return made;
}

std::optional<PutCode> CodePlacer::asWhole() {
  if (hasPlaceholder(code_, text_)) return {};
  bool imports = false;
  for (qsizetype i = 0; i < code_.count() && !imports; ++i)
    imports = isImportLine(code_.line(i), family_);
  if (!isWholeText(code_, text_, imports, family_.pairs)) return {};
  for (int i = 0; i < fresh_.size(); ++i)
    for (int other = 0; other < old_.size(); ++other)
      if (fresh_[i].parent < 0 && old_[other].parent < 0 && fresh_[i].isAlike(old_[other]) &&
          losesBodies(i, other))
        return unclear(
            translate("The answer leaves out what %1 does.").arg(quotedLine(fresh_[i].name)));
  if (definesTwice()) return unclear(translate("The answer defines something twice."));
  if (hasDefinitions() ? endsInWords() : !CommonLines(code_, text_).areAsDeep())
    return unclear(translate("The answer has more than the text."));
  // Empty lines before it are of the answer.
  qint64 first = 0;
  while (first < code_.count() && code_.squeezed(first).isEmpty() && !text_.squeezed(0).isEmpty())
    ++first;
  replaced_.append({0, text_.count(), code_.list(first, code_.count())});
  return finished();
}

// Of two definitions that are alike the text has one.
bool CodePlacer::definesTwice() const {
  const auto countOf = [](const QVector<Outlined>& all, const Outlined& wanted) {
    return std::count_if(all.cbegin(), all.cend(), [&](const Outlined& each) {
      return each.parent < 0 && each.isAlike(wanted) && each.headText == wanted.headText;
    });
  };
  return std::any_of(fresh_.cbegin(), fresh_.cend(), [&](const Outlined& entry) {
    return entry.parent < 0 && entry.kind != Outlined::Kind::kValue &&
           countOf(fresh_, entry) > std::max<qsizetype>(1, countOf(old_, entry));
  });
}

// The last line is a sentence, and none of the text.
bool CodePlacer::endsInWords() const {
  qint64 last = code_.count() - 1;
  while (last > 0 && code_.squeezed(last).isEmpty()) --last;
  static const QRegularExpression sentence(
      QStringLiteral(R"(^[A-Z][\w']*(?:,? [\w'-]+){2,}[.!?:]$)"));
  return !textLines_.contains(code_.squeezed(last)) &&
         sentence.match(QString::fromUtf8(code_.squeezed(last))).hasMatch();
}

// Code without a definition of its own, in which lines of the text stand around
// what is left out.
PutCode CodePlacer::byExpansion() {
  // Lines beside a placeholder may all be less deep than in the text, but not each in its own way.
  const CommonLines common(code_, text_);
  const auto shift = common.shift();
  if (!shift && common.areLessDeep())
    return unclear(translate("The lines of the answer are not indented as those of the file."));
  const TextLines moved(movedBy(-shift.value_or(0), codeBytes_, text_));
  const auto whole = expanded(moved, text_);
  if (!whole) return unclear(translate("Which lines the answer leaves out is not clear."));
  const TextLines all(*whole);
  // It reads from the text's beginning to its end.
  if (!isWholeText(all, text_, true, family_.pairs))
    return unclear(translate("Which lines the answer leaves out is not clear."));
  replaced_ = {{0, text_.count(), all.list(0, all.count())}};
  return finished();
}

// Code that defines nothing takes the place of the lines that it was asked
// about.
PutCode CodePlacer::onTarget() {
  const auto [first, end] = *target_.lines;
  const QByteArray there = joinedLines(text_.list(first, std::min<qint64>(end, text_.count())));
  const bool isBlank = there.trimmed().isEmpty();
  if (!isBlank && likeness(there, codeBytes_) < kLikeTarget)
    return unclear(
        translate("The answer's code has little in common with the lines that it was "
                  "asked about."));
  qint64 codeFirst = 0, codeEnd = code_.count();
  while (codeFirst < codeEnd && code_.squeezed(codeFirst).isEmpty()) ++codeFirst;
  while (codeFirst < codeEnd && code_.squeezed(codeEnd - 1).isEmpty()) --codeEnd;
  qint64 textFirst = first, textEnd = std::min<qint64>(end, text_.count());
  while (textFirst < textEnd && text_.squeezed(textFirst).isEmpty()) ++textFirst;
  while (textFirst < textEnd && text_.squeezed(textEnd - 1).isEmpty()) --textEnd;
  // Lines around the target that the code repeats would stand twice.
  const auto isSame = [&](qint64 code, qint64 line) {
    return line >= 0 && line < text_.count() && code_.squeezed(code).size() > 2 &&
           code_.squeezed(code) == text_.squeezed(line);
  };
  const bool repeats = (isSame(codeFirst, textFirst - 1) && !isSame(codeFirst, textFirst)) ||
                       (isSame(codeEnd - 1, textEnd) && !isSame(codeEnd - 1, textEnd - 1));
  if (!isBlank && repeats)
    return unclear(translate("The answer's code has more than the lines that it was asked about."));
  IndentShift shift;
  shift.text = &text_;
  shift.code = &code_;
  shift.codeFirst = shift.codeBase = codeFirst;
  shift.codeEnd = codeEnd;
  if (isBlank) {
    replaced_ = {{first, std::min<qint64>(end, text_.count()), code_.list(codeFirst, codeEnd)}};
    return finished();
  }
  shift.textFirst = shift.textBase = textFirst;
  shift.textEnd = textEnd;
  // Of both, the least deep line tells.
  const auto columns = [](const TextLines& lines, qint64 line) {
    return editor::columnsOf(lines.indent(line), 4);
  };
  for (qint64 i = codeFirst; i < codeEnd; ++i)
    if (!code_.squeezed(i).isEmpty() && columns(code_, i) < columns(code_, shift.codeBase))
      shift.codeBase = i;
  for (qint64 i = textFirst; i < textEnd; ++i)
    if (!text_.squeezed(i).isEmpty() && columns(text_, i) < columns(text_, shift.textBase))
      shift.textBase = i;
  replaced_ = {{textFirst, textEnd, shifted(shift)}};
  return finished();
}

// One function instead of the one that it was asked about, with a name that the
// instruction gives.
PutCode CodePlacer::asRenamed() {
  const QVector<int> mine = childrenOf(fresh_, -1);
  if (mine.size() != 1) return {};
  const Outlined& entry = fresh_[mine.first()];
  const auto [first, end] = *target_.lines;
  for (int i = 0; i < old_.size(); ++i) {
    const Outlined& other = old_[i];
    if (other.kind != entry.kind || !other.alone || !entry.alone) continue;
    const bool isTarget = other.head >= first - 1 && other.comments <= first &&
                          other.last + 1 <= end && other.last + 1 >= end - 1;
    if (!isTarget || !target_.instruction.contains(QString::fromUtf8(entry.name))) continue;
    const QByteArray there = joinedLines(text_.list(other.head, other.last + 1));
    if (likeness(there, joinedLines(code_.list(entry.head, entry.last + 1))) < kLikeRenamed)
      continue;
    replaced_ = {{other.attributes, other.last + 1,
                  adopted(entry, entry.attributes, other, other.attributes)}};
    return finished();
  }
  return unclear(translate("The answer defines %1, which the file does not have.")
                     .arg(quotedLine(entry.name)));
}

}  // namespace

PutCode putCode(const QByteArray& text, const FencedCode& code, const CodeTarget& target) {
  return CodePlacer(text, code, target).put();
}

}  // namespace waferpair::pairing
