// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/rewrite.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <optional>

#include "editor/text/line_ends.h"
#include "editor/text/quoted.h"
#include "editor/text/text_codec.h"
#include "editor/text/translate.h"
#include "pairing/edits/kept_comments.h"
#include "pairing/edits/lost_names.h"
#include "pairing/edits/needed_imports.h"
#include "pairing/edits/wishes.h"
#include "pairing/placing/answer_placement.h"
#include "pairing/placing/code_hints.h"
#include "pairing/placing/import_lines.h"
#include "pairing/placing/indent_shift.h"
#include "pairing/placing/outline.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

using editor::fail;
using editor::Result;
using editor::Snapshot;

namespace {

constexpr qsizetype kQuotedName = 60;  // bytes
constexpr double kLikeLines = 0.3;     // words that lines without a definition keep at least
constexpr double kLikeLine = 0.5;      // words that a line keeps which was changed, and not dropped

using Kind = Outlined::Kind;

tl::unexpected<editor::Error> refused(const QString& why) {
  return fail(why, translate("Ask for it in other words, or choose a larger model."));
}

QString quotedName(const QByteArray& text) { return editor::quotedText(text, kQuotedName); }

bool says(const QString& instruction, const char* words) {
  const QRegularExpression any(QStringLiteral(R"(\b(%1))").arg(QLatin1String(words)),
                               QRegularExpression::CaseInsensitiveOption);
  return any.match(instruction).hasMatch();
}

// A variable may hold a function.
bool mayBe(const Outlined& fresh, const Outlined& old) {
  const bool isOwned = old.owner.isEmpty() || fresh.owner == old.owner;
  return fresh.name == old.name && isOwned &&
         (fresh.kind == old.kind || (fresh.kind != Kind::kType && old.kind != Kind::kType));
}

// Lines [first, end).
struct Lines {
  qint64 first = 0;
  qint64 end = 0;
};

class Rewriter {
 public:
  Rewriter(const EditTask& task, const QByteArray& code)
      : task_(task),
        family_(familyOfFile(task.path)),
        bytes_(task.text.toByteArray()),
        text_(bytes_),
        codeBytes_(withoutEcho(withoutNumbers(code))),
        code_(codeBytes_),
        oldText_(editor::withLf(bytes_), family_),
        newText_(codeBytes_, family_) {
    if (family_.pairs || family_.indented) {
      old_ = outlineOf(oldText_);
      fresh_ = outlineOf(newText_);
    }
    target_ = {task.target.first, std::min<qint64>(task.target.end(), text_.count())};
    while (target_.first < target_.end && text_.squeezed(target_.first).isEmpty()) ++target_.first;
    while (target_.first < target_.end && text_.squeezed(target_.end - 1).isEmpty()) --target_.end;
  }

  Result<Snapshot> made();

 private:
  QByteArray withoutEcho(const QByteArray& code) const;
  bool isWholeTarget() const;
  QVector<int> definitions() const;
  Result<Snapshot> asDefinition(int old);
  Result<Snapshot> asLines(const QVector<int>& olds);
  Result<int> matchOf(int old) const;
  bool isElsewhere(int fresh) const;
  void takeImports();
  QByteArrayList adopted(const Lines& code, qint64 codeBase, const Lines& text,
                         qint64 textBase) const;
  Result<Snapshot> put(const Lines& place, QByteArrayList lines);
  std::optional<editor::Error> fault(const Rewriting& code) const;
  std::optional<QByteArray> droppedFrom(const QByteArray& before, const QByteArray& after) const;
  QByteArray textOf(const Lines& lines) const {
    return joinedLines(text_.list(lines.first, lines.end));
  }
  // The lines with the comments of those that they replace; fails where one has no place.
  Result<QByteArrayList> commented(const QByteArrayList& lines, const Lines& place) const;

  const EditTask& task_;
  const LanguageFamily& family_;
  QByteArray bytes_;
  TextLines text_;
  QByteArray codeBytes_;
  TextLines code_;
  CodeText oldText_, newText_;
  QVector<Outlined> old_, fresh_;
  Lines target_;  // without empty lines around it
  QSet<qint64> importLines_;
  QByteArrayList imports_;  // each whole
};

// A comment that is the instruction again says nothing.
QByteArray Rewriter::withoutEcho(const QByteArray& code) const {
  const QString told = task_.instruction.simplified().toLower();
  QByteArray kept;
  const TextLines lines(code);
  for (qsizetype i = 0; i < lines.count(); ++i) {
    QString said = QString::fromUtf8(lines.squeezed(i)).toLower();
    static const QRegularExpression marks(
        QStringLiteral(R"(^(#+|//+|--|/\*+)\s*|\s*\*+/$|[.:]+$)"));
    const bool isComment =
        said.startsWith(u'#') || said.startsWith(u"//") || said.startsWith(u"/*");
    if (isComment && said.remove(marks) == told) continue;
    kept += lines.line(i).toByteArray() + '\n';
  }
  return kept;
}

// The top ones of the target, if they are all that it holds.
QVector<int> Rewriter::definitions() const {
  QVector<int> found;
  for (int i = 0; i < old_.size(); ++i) {
    const Outlined& entry = old_[i];
    const bool isInside = entry.head >= target_.first && entry.last < target_.end;
    const bool isTop = found.isEmpty() || old_[found.last()].last < entry.head;
    if (isInside && isTop) found.append(i);
  }
  return found;
}

// One of the file's other definitions, as the file has it.
bool Rewriter::isElsewhere(int fresh) const {
  return std::any_of(old_.cbegin(), old_.cend(), [&](const Outlined& other) {
    const bool isInTarget = other.head >= target_.first && other.last < target_.end;
    return !isInTarget && mayBe(fresh_[fresh], other);
  });
}

Result<int> Rewriter::matchOf(int old) const {
  const Outlined& wanted = old_[old];
  for (int i = 0; i < fresh_.size(); ++i)
    if (mayBe(fresh_[i], wanted)) return i;
  // The instruction may give it another name.
  QVector<int> renamed;
  for (int i = 0; i < fresh_.size(); ++i) {
    const Outlined& entry = fresh_[i];
    const bool isTold = task_.instruction.contains(QString::fromUtf8(entry.name));
    if (entry.kind == wanted.kind && isTold && !isElsewhere(i) && entry.owner == wanted.owner)
      renamed.append(i);
  }
  if (renamed.size() == 1 && says(task_.instruction, "renam|call|name")) return renamed.first();
  for (int i = 0; i < fresh_.size(); ++i)
    if (isElsewhere(i))
      return refused(
          translate("The answer is another part of the file, %1.").arg(quotedName(fresh_[i].name)));
  return refused(
      translate("The answer lacks %1, which it was asked about.").arg(quotedName(wanted.name)));
}

// Lines before all else that bring something in.
void Rewriter::takeImports() {
  QByteArrayList whole;
  qint64 first = -1;
  for (qint64 line = 0; line < code_.count(); ++line) {
    if (whole.isEmpty() && !isImportLine(code_.line(line), family_)) continue;
    if (whole.isEmpty()) first = line;
    whole.append(code_.line(line).toByteArray());
    const QByteArray all = whole.join('\n');
    if (all.count('(') > all.count(')') || all.count('{') > all.count('}')) continue;
    for (qint64 each = first; each <= line; ++each) importLines_.insert(each);
    imports_.append(all);
    whole.clear();
  }
}

QByteArrayList Rewriter::adopted(const Lines& code, qint64 codeBase, const Lines& text,
                                 qint64 textBase) const {
  IndentShift shift;
  shift.text = &text_;
  shift.code = &code_;
  shift.textFirst = text.first;
  shift.textEnd = text.end;
  shift.codeFirst = code.first;
  shift.codeEnd = code.end;
  shift.textBase = textBase;
  shift.codeBase = codeBase;
  shift.closes = !family_.indented;
  return shifted(shift);
}

Result<QByteArrayList> Rewriter::commented(const QByteArrayList& lines, const Lines& place) const {
  if (says(task_.instruction, "comment|doc|translate|spelling|typo|todo")) return lines;
  const auto with = withComments(lines, text_.list(place.first, place.end), family_);
  if (!with) return refused(translate("The answer loses comments."));
  return *with;
}

Result<Snapshot> Rewriter::made() {
  if (codeBytes_.trimmed().isEmpty()) return refused(translate("The answer holds no code."));
  if (target_.first == target_.end) {
    const Lines place{task_.target.first, std::min<qint64>(task_.target.end(), text_.count())};
    QByteArrayList lines;
    for (qint64 i = 0; i < code_.count(); ++i) lines.append(code_.line(i).toByteArray());
    return put(place, lines);
  }
  if (target_.first == 0 && task_.target.end() >= task_.text.lineCount() && text_.count() > 1) {
    ProposedChange all;
    all.kind = ProposedChange::Kind::kCode;
    all.newText = codeBytes_;
    const AnswerPlacement placed =
        placeCodes(task_.text, {all}, {task_.path, {}, task_.instruction});
    if (!placed.isPlaced()) return tl::unexpected(placed.refused.first().why);
    if (const auto why = fault({bytes_, placed.text.toByteArray(), family_}))
      return tl::unexpected(*why);
    return placed.text;
  }
  bool bringsIn = false;
  for (qint64 i = target_.first; i < target_.end && !bringsIn; ++i)
    bringsIn = isImportLine(text_.line(i), family_);
  if (!bringsIn) takeImports();
  const QVector<int> olds = definitions();
  if (olds.size() == 1) {
    const Outlined& only = old_[olds.first()];
    const bool isAll = only.alone && only.comments <= target_.first && only.last + 1 == target_.end;
    const bool isHead =
        only.alone && only.attributes >= target_.first && only.last + 1 == target_.end;
    if (isAll || (isHead && only.comments == target_.first)) return asDefinition(olds.first());
  }
  return asLines(olds);
}

Result<Snapshot> Rewriter::asDefinition(int old) {
  const Result<int> match = matchOf(old);
  if (!match) return tl::unexpected(match.error());
  const Outlined& was = old_[old];
  const Outlined& is = fresh_[*match];
  // Attributes that the answer does not repeat stay, and so do comments above.
  const bool hasAttributes = is.attributes < is.head;
  Lines place{hasAttributes ? was.attributes : was.head, was.last + 1};
  Lines core{hasAttributes ? is.attributes : is.head, is.last + 1};
  const bool isCommented = was.comments < was.attributes;
  if (!isCommented && is.comments < is.attributes) {
    qint64 first = is.comments;
    while (first < is.attributes && isRemark(code_.line(first).toByteArray())) ++first;
    core.first = first;
    place.first = was.attributes;
    if (was.attributes < was.head && !hasAttributes) core.first = is.head, place.first = was.head;
  }
  const QByteArrayList lines = adopted(core, is.head, place, was.head);

  // Functions of its own that it calls stand beside it; all else is an example.
  const QByteArray body = joinedLines(lines);
  const CodeText bodyText(body, family_);
  QByteArrayList ahead, behind;
  for (int i = 0; i < fresh_.size(); ++i) {
    const Outlined& entry = fresh_[i];
    if (i == *match || entry.parent != is.parent || isElsewhere(i)) continue;
    if (bodyText.count(entry.name) == 0) continue;
    const QByteArrayList more =
        adopted({entry.comments, entry.last + 1}, entry.head, {was.head, was.head}, was.head);
    const bool isAhead = entry.last < is.head;
    if (isAhead) ahead += more + QByteArrayList{QByteArray()};
    if (!isAhead) behind += QByteArrayList{QByteArray()} + more;
  }
  // What stands before it is a part of it, unless it defines or brings in something.
  for (qint64 i = is.parent >= 0 ? core.first : 0; i < core.first; ++i) {
    const bool isDefined = std::any_of(fresh_.cbegin(), fresh_.cend(), [i](const Outlined& entry) {
      return entry.comments <= i && i <= entry.last;
    });
    const auto tokens = newText_.tokens(static_cast<int>(i));
    const bool isComment = tokens.empty() || tokens.front().region == Region::kComment;
    if (!isDefined && !isComment && !importLines_.contains(i))
      return refused(translate("The answer has more than it was asked for: %1.")
                         .arg(quotedName(code_.squeezed(i))));
  }
  // Its head is another one only where the instruction speaks of what that has.
  static const QRegularExpression wordForm(QStringLiteral(R"([A-Za-z_$][\w$]*)"));
  if (!says(
          task_.instruction,
          "param|argument|signature|renam|types?\\b|typed|async|arrow|return|const|static|name|"
          "optional|"
          "default|annotat|hint|lambda|keyword|generic|template|pass|accept|take|public|private")) {
    const QString now = QString::fromUtf8(is.headText);
    const QString before = QString::fromUtf8(was.headText);
    for (auto each = wordForm.globalMatch(before); each.hasNext();) {
      const QString word = each.next().captured();
      const QRegularExpression whole(
          QStringLiteral(R"((?<![\w$])%1(?![\w$]))").arg(QRegularExpression::escape(word)));
      if (!whole.match(now).hasMatch() && !task_.instruction.contains(word))
        return refused(translate("The answer changes the head of %1, of which nothing was said.")
                           .arg(quotedName(was.name)));
    }
  }
  const auto kept = commented(lines, place);
  if (!kept) return tl::unexpected(kept.error());
  return put(place, ahead + *kept + behind);
}

Result<Snapshot> Rewriter::asLines(const QVector<int>& olds) {
  Lines core{0, code_.count()};
  const auto isOut = [&](qint64 line) {
    return code_.squeezed(line).isEmpty() || importLines_.contains(line);
  };
  while (core.first < core.end && isOut(core.first)) ++core.first;
  while (core.first < core.end && isOut(core.end - 1)) --core.end;
  if (core.first == core.end) return refused(translate("The answer holds no code."));
  for (const int old : olds) {
    if (says(task_.instruction, "remove|delete|drop|inline|merge")) break;
    const bool isThere = std::any_of(fresh_.cbegin(), fresh_.cend(), [&](const Outlined& entry) {
      return entry.name == old_[old].name;
    });
    if (isThere) continue;
    if (const Result<int> match = matchOf(old); !match) return tl::unexpected(match.error());
  }
  const QByteArray there = textOf(target_);
  const QByteArray fresh = joinedLines(code_.list(core.first, core.end));
  if (likeness(there, fresh) < kLikeLines)
    return refused(translate("The answer has little in common with the lines it was asked about."));
  // Statements begin and end where they did: a call around a function is there still.
  static const QRegularExpression beforeParenthesis(QStringLiteral(R"(([\w$.:~>-]*)\s*\()"));
  const auto opening = [](const QByteArray& line) {
    return beforeParenthesis.match(QString::fromUtf8(line)).captured(1);
  };
  const QByteArray head = text_.squeezed(target_.first);
  const QByteArray tail = text_.squeezed(target_.end - 1);
  const bool isWrapped = tail.startsWith('}') && tail.contains(')');
  if ((!olds.isEmpty() || isWrapped) && !head.startsWith('@') && head.indexOf('(') > 0 &&
      opening(head) != opening(code_.squeezed(core.first)) &&
      !says(task_.instruction, "arrow|renam|replace|call"))
    return refused(translate("The answer does not begin as the lines that it was asked about."));
  const auto repeats = [&](qint64 line, qint64 other, qint64 own) {
    return other >= 0 && other < text_.count() && code_.squeezed(line).size() > 2 &&
           code_.squeezed(line) == text_.squeezed(other) &&
           code_.squeezed(line) != text_.squeezed(own);
  };
  if (repeats(core.first, target_.first - 1, target_.first) ||
      repeats(core.end - 1, target_.end, target_.end - 1))
    return refused(translate("The answer has more than the lines it was asked about."));
  const auto least = [](const TextLines& lines, const Lines& range) {
    qint64 base = range.first;
    for (qint64 i = range.first; i < range.end; ++i)
      if (!lines.squeezed(i).isEmpty() && lines.indent(i).size() < lines.indent(base).size())
        base = i;
    return base;
  };
  const auto kept =
      commented(adopted(core, least(code_, core), target_, least(text_, target_)), target_);
  if (!kept) return tl::unexpected(kept.error());
  return put(target_, *kept);
}

// Lines that the instruction says nothing against, and which are nowhere any more. Of a line that
// was changed much is left.
std::optional<QByteArray> Rewriter::droppedFrom(const QByteArray& before,
                                                const QByteArray& after) const {
  if (!onlyAdds(task_.instruction)) return {};
  const TextLines old(before), fresh(after);
  QSet<QByteArray> was, is;
  for (qsizetype i = 0; i < old.count(); ++i) was.insert(old.squeezed(i));
  for (qsizetype i = 0; i < fresh.count(); ++i) is.insert(fresh.squeezed(i));
  for (qsizetype i = 0; i < old.count(); ++i) {
    const QByteArray& line = old.squeezed(i);
    if (line.size() < 3 || is.contains(line)) continue;
    const bool isChanged = std::any_of(is.cbegin(), is.cend(), [&](const QByteArray& other) {
      return !was.contains(other) && likeness(line, other) > kLikeLine;
    });
    if (!isChanged) return line;
  }
  return {};
}

std::optional<editor::Error> Rewriter::fault(const Rewriting& code) const {
  const auto is = [](const QString& why) { return refused(why).value(); };
  const QString& told = task_.instruction;
  if (const QByteArray name = unsetName(code); !name.isEmpty())
    return is(translate("The answer uses %1 without setting it.").arg(quotedName(name)));
  if (const QByteArray name = lostUse(told, code); !name.isEmpty())
    return is(translate("The answer loses %1.").arg(quotedName(name)));
  if (const QByteArray name = unusedName(told, code); !name.isEmpty())
    return is(translate("The answer does nothing with %1.").arg(quotedName(name)));
  if (const QString unmet = unmetWish(told, code); !unmet.isEmpty())
    return is(translate("The answer does not do what was asked: %1.").arg(unmet));
  if (const auto dropped = droppedFrom(code.before.text.bytes(), code.after.text.bytes()))
    return is(
        translate("The answer drops %1, of which nothing was said.").arg(quotedName(*dropped)));
  return {};
}

// Puts the lines into the text, with what they need at its head, and looks at the whole.
Result<Snapshot> Rewriter::put(const Lines& place, QByteArrayList lines) {
  while (!lines.isEmpty() && lines.last().trimmed().isEmpty()) lines.removeLast();
  const QByteArray before = textOf(place);
  const QByteArray after = joinedLines(lines);
  const auto bare = [](const QByteArray& text) {
    QByteArrayList kept;
    for (const QByteArray& line : text.split('\n'))
      if (!line.trimmed().isEmpty()) kept.append(line.trimmed());
    return kept;
  };
  if (bare(before) == bare(after)) return refused(translate("The answer changes nothing."));
  const Rewriting code(before, after, family_);
  if (const auto why = fault(code)) return tl::unexpected(*why);

  const QByteArray lineEnd = editor::lineEndBytes(editor::lineEndsOf(task_.text));
  QByteArray text = text_.slice(0, place.first);
  // Lines that stayed keep their own ends.
  for (qsizetype i = 0; i < lines.size(); ++i) text += lines[i] + lineEnd;
  if (place.end >= text_.count() && !bytes_.endsWith('\n')) text.chop(lineEnd.size());
  text += text_.slice(place.end, text_.count());
  for (const QByteArray& import : neededImports(oldText_, code, imports_))
    text = withImport(text, import, family_, lineEnd);
  if (const QByteArray name = unknownName(text, code); !name.isEmpty())
    return refused(translate("The answer uses %1, which nothing defines.").arg(quotedName(name)));
  const Snapshot made(text);
  if (auto broken = brokenBy(task_.text, made, task_.path)) return tl::unexpected(*broken);
  return made;
}

}  // namespace

Result<Snapshot> rewritten(const EditTask& task, const QByteArray& code) {
  return Rewriter(task, code).made();
}

}  // namespace waferpair::pairing
