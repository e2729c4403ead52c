// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/code_pair.h"

#include <algorithm>

#include "editor/text/indentation.h"
#include "editor/text/line_ends.h"
#include "editor/text/quoted.h"
#include "editor/text/translate.h"
#include "pairing/placing/code_hints.h"
#include "pairing/placing/common_lines.h"
#include "pairing/placing/import_lines.h"
#include "pairing/placing/indent_shift.h"
#include "pairing/placing/line_replacement.h"

namespace waferpair::pairing {
namespace {

using PutOutcome = PutCode::Outcome;

constexpr qsizetype kQuotedBytes = 60;

// Code that is deeper as a whole than the same lines of the text are: moved to where they are.
QByteArray asDeep(const QByteArray& given, const TextLines& text, const LanguageFamily& family) {
  const QByteArray code = inBlanksOf(text, given);
  const TextLines lines(code);
  // Imports stand at the margin.
  int least = -1;
  bool areImports = true;
  for (qsizetype i = 0; i < lines.count(); ++i) {
    if (lines.squeezed(i).isEmpty()) continue;
    const int columns = editor::columnsOf(lines.indent(i), 4);
    least = least < 0 ? columns : std::min(least, columns);
    areImports = areImports && isImportLine(lines.squeezed(i), family);
  }
  if (least > 0 && areImports) return movedBy(-least, code, text);
  const auto shift = CommonLines(TextLines(code), text).shift();
  return shift && *shift > 0 ? movedBy(-*shift, code, text) : code;
}

}  // namespace

CodePair::CodePair(const QByteArray& text, const FencedCode& code, const CodeTarget& target)
    : family_(familyOfFile(target.path)),
      bytes_(text),
      text_(text),
      given_(code),
      codeBytes_(asDeep(withoutNumbers(code.code), text_, family_)),
      code_(codeBytes_),
      target_(target),
      oldText_(editor::withLf(text), family_),
      newText_(codeBytes_, family_),
      old_(hasDefinitions() ? outlineOf(oldText_) : QVector<Outlined>()),
      fresh_(hasDefinitions() ? outlineOf(newText_) : QVector<Outlined>()) {}

QString CodePair::quotedLine(const QByteArray& text) {
  return editor::quotedText(text, kQuotedBytes);
}

PutCode CodePair::unclear(const QString& what) {
  return {PutOutcome::kUnclear,
          {},
          {},
          {what, translate("Ask for the change with the lines that it is to replace.")}};
}

QVector<int> CodePair::childrenOf(const QVector<Outlined>& all, int parent) const {
  QVector<int> children;
  for (int i = 0; i < all.size(); ++i)
    if (all[i].parent == parent) children.append(i);
  return children;
}

// A body that says nothing: "pass", "...", a placeholder.
bool CodePair::isStub(const TextLines& lines, const Outlined& entry) const {
  if (!entry.hasBody || entry.kind != Outlined::Kind::kFunction) return false;
  for (int i = entry.body + 1; i <= entry.last; ++i) {
    const QByteArray& line = lines.squeezed(i);
    if (line.isEmpty() || line == "pass" || line == "}" || line == "};" || line == "},") continue;
    if (isPlaceholder(lines.line(i)) || line.startsWith('#') || line.startsWith("//")) continue;
    return false;
  }
  return true;
}

// A function within it says nothing where that of the text says something.
bool CodePair::losesBodies(int fresh, int old) const {
  if (isStub(code_, fresh_[fresh]) && !isStub(text_, old_[old])) return true;
  for (const int child : childrenOf(fresh_, fresh))
    for (const int other : childrenOf(old_, old))
      if (fresh_[child].isAlike(old_[other]) && losesBodies(child, other)) return true;
  return false;
}

// The text with the replacements in it: lines that are the same stay to the
// byte.
PutCode CodePair::finished() {
  std::sort(replaced_.begin(), replaced_.end(),
            [](const Replaced& a, const Replaced& b) { return a.first < b.first; });
  for (qsizetype i = 1; i < replaced_.size(); ++i)
    if (replaced_[i].first < replaced_[i - 1].end)
      return unclear(translate("Two definitions of the answer take each other's place."));
  const QByteArray lineEnd = editor::lineEndBytes(editor::lineEndsOf(editor::Snapshot(bytes_)));
  QByteArray made;
  qint64 at = 0;
  for (const Replaced& each : std::as_const(replaced_)) {
    made += text_.slice(at, each.first);
    if (!made.isEmpty() && !made.endsWith('\n') && !made.endsWith('\r') && !each.lines.isEmpty())
      made += lineEnd;
    const QByteArray before = joinedLines(text_.list(each.first, each.end));
    const QByteArray after = joinedLines(each.lines);
    const TextLines lines(after);
    qint64 from = 0;
    const auto keepUpTo = [&](qint64 end) {
      made += text_.slice(each.first + from, each.first + end);
      from = end;
    };
    for (const LineReplacement& change : replacementsBetween(before, after)) {
      keepUpTo(change.oldStart);
      for (qint64 i = change.newStart; i < change.newStart + change.newCount; ++i)
        made += lines.line(i).toByteArray() + lineEnd;
      from = change.oldStart + change.oldCount;
    }
    keepUpTo(each.end - each.first);
    at = each.end;
  }
  made += text_.slice(at, text_.count());
  // A text whose last line has no end keeps that.
  const bool ends = text_.lineEnd(text_.count() - 1).isEmpty();
  if (ends && made.endsWith(lineEnd)) made.chop(lineEnd.size());
  if (made == bytes_)
    return {PutOutcome::kUnchanged, {}, names_, {translate("The answer changes nothing."), {}}};
  return {PutOutcome::kPut, made, names_, {}};
}

QByteArrayList CodePair::adopted(const Outlined& fresh, qint64 freshFirst, const Outlined& old,
                                 qint64 oldFirst) const {
  IndentShift shift;
  shift.text = &text_;
  shift.code = &code_;
  shift.textFirst = oldFirst;
  shift.textEnd = old.last + 1;
  shift.codeFirst = freshFirst;
  shift.codeEnd = fresh.last + 1;
  shift.textBase = old.head;
  shift.codeBase = fresh.head;
  shift.closes = !family_.tripleQuotes || !family_.indented;
  return shifted(shift);
}

}  // namespace waferpair::pairing
