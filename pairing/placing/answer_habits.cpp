// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/answer_habits.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

#include "pairing/answers/answer_reader.h"
#include "pairing/answers/code_fence.h"
#include "pairing/placing/odd_signs.h"
#include "pairing/placing/repairs.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

using editor::Snapshot;

namespace {

bool isOfProseFile(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  for (const char* each : {"md", "markdown", "mdx", "rst", "txt", "adoc"})
    if (suffix == QLatin1String(each)) return true;
  return false;
}

// Lines of the code stand in the text, once its backslashes are half as many, and none as it is.
bool showsBackslashes(const ProposedChange& change, const TextLines& text) {
  if (change.kind != ProposedChange::Kind::kCode || !change.newText.contains("\\\\")) return false;
  const QSet<QByteArray> there = text.squeezedLines();
  const TextLines code(change.newText);
  bool shows = false;
  for (qsizetype i = 0; i < code.count(); ++i) {
    const QByteArray& line = code.squeezed(i);
    if (!line.contains("\\\\")) continue;
    if (there.contains(line)) return false;
    shows = shows || there.contains(QByteArray(line).replace("\\\\", "\\"));
  }
  return shows;
}

}  // namespace

QVector<ProposedChange> withoutHabits(QVector<ProposedChange> changes, const Snapshot& text,
                                      const QString& path) {
  const QByteArray whole = text.toByteArray().simplified();
  for (const Repair repair : {Repair::kEntities, Repair::kPlainSigns}) {
    const bool shown = std::any_of(changes.cbegin(), changes.cend(), [&](const auto& change) {
      const QByteArray plain = repaired(repair, change.oldText);
      if (plain != change.oldText)
        return !whole.contains(change.oldText.simplified()) && whole.contains(plain.simplified());
      if (repaired(repair, change.newText) == change.newText) return false;
      return repair == Repair::kEntities ? showsEntities(change.newText, path)
                                         : showsPrintedSigns(change.newText, path);
    });
    if (!shown) continue;
    for (ProposedChange& change : changes) {
      change.oldText = repaired(repair, change.oldText);
      change.newText = repaired(repair, change.newText);
    }
  }
  const SignSpellings spellings(text.toByteArray());
  for (ProposedChange& change : changes) spellings.apply(&change.oldText, &change.newText);
  const TextLines lines(text.toByteArray());
  if (std::any_of(changes.cbegin(), changes.cend(),
                  [&](const auto& change) { return showsBackslashes(change, lines); }))
    for (ProposedChange& change : changes)
      if (change.kind == ProposedChange::Kind::kCode) change.newText.replace("\\\\", "\\");
  return changes;
}

QVector<ProposedChange> withoutWrapping(const QVector<ProposedChange>& changes,
                                        const Snapshot& text, const QString& path) {
  const auto isFence = [](const TextLines& lines, qsizetype line) {
    return CodeFence::opening(lines.line(line).toByteArray()).has_value();
  };
  const auto firstFence = [&isFence](const TextLines& lines) {
    qsizetype line = 0;
    while (line < lines.count() && !isFence(lines, line)) ++line;
    return line;
  };
  const TextLines there(text.toByteArray());
  // A text of prose has fences of its own, or may get some.
  const bool mayHaveFences = isOfProseFile(path) || firstFence(there) < there.count();
  QVector<ProposedChange> plain;
  for (const ProposedChange& change : changes) {
    // Code may hold fences in a text of its own, which is indented or in quotes.
    const TextLines lines(change.newText);
    const qsizetype fence = firstFence(lines);
    bool isBare = fence < lines.count() && lines.indent(fence).isEmpty();
    bool begins = isBare;
    for (qsizetype i = 0; i < fence && isBare; ++i) {
      begins = begins && lines.squeezed(i).isEmpty();
      isBare = lines.indent(i).isEmpty() && !lines.squeezed(i).contains("\"\"\"");
    }
    const QByteArray opening = isBare ? lines.line(fence).toByteArray() : QByteArray();
    const QByteArray language = isBare ? CodeFence::opening(opening)->language() : QByteArray();
    const bool isOfMarkdown = (language == "md" || language == "markdown") &&
                              !there.squeezedLines().contains(opening.simplified());
    const bool isOther = (begins || isOfMarkdown) && there.count() > 0 && !isFence(there, 0);
    const bool isWrapped = mayHaveFences ? isOther : isBare;
    QVector<ProposedChange> held;
    if (change.kind == ProposedChange::Kind::kCode && isWrapped)
      held = readAnswer(AnswerFormat::kCode, change.newText).changes();
    for (ProposedChange& each : held)
      if (each.path.isEmpty()) each.path = change.path;
    plain += held.isEmpty() ? QVector<ProposedChange>{change} : held;
  }
  return plain;
}

QByteArray withoutOwnName(const QByteArray& code, const Snapshot& text, const QString& path) {
  const QString name = QFileInfo(path).fileName();
  const TextLines lines(code);
  qsizetype first = 0;
  while (first < lines.count() && lines.squeezed(first).isEmpty()) ++first;
  if (first == lines.count() || name.isEmpty() || isOfProseFile(path) || text.isEmpty())
    return code;
  const QString named = fileNameInComment(lines.line(first).toByteArray());
  const TextLines there(text.toByteArray());
  if (QFileInfo(named).fileName() != name || there.squeezedLines().contains(lines.squeezed(first)))
    return code;
  ++first;
  while (first < lines.count() && lines.squeezed(first).isEmpty() && !there.squeezed(0).isEmpty())
    ++first;
  return lines.slice(first, lines.count());
}

TextSigns::TextSigns(const Snapshot& text) : text_(text.toByteArray()), spellings_(text_) {}

bool TextSigns::areOddIn(const ProposedChange& change) const {
  static constexpr const char* kEntities[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
  static constexpr const char* kSigns[] = {"\u2018", "\u2019", "\u201c", "\u201d", "\u00a0"};
  if (text_.isEmpty()) return false;
  const auto comes = [&](const QRegularExpression& sign) {
    return QString::fromUtf8(change.newText).contains(sign) &&
           !QString::fromUtf8(change.oldText + text_).contains(sign);
  };
  // Numbers of lines, and characters with a backslash too many.
  static const QRegularExpression numbers(QStringLiteral(R"((?:^|\n)\s*\d+ [|→].*\n\s*\d+ [|→])"));
  static const QRegularExpression character(QStringLiteral(R"('\\\\[0abfnrtv]')"));
  if (comes(numbers) || comes(character)) return true;
  const auto brings = [&](const auto& signs) {
    const auto has = [&signs](const QByteArray& bytes) {
      return std::any_of(std::begin(signs), std::end(signs),
                         [&bytes](const char* sign) { return bytes.contains(sign); });
    };
    return has(change.newText) && !has(change.oldText) && !has(text_);
  };
  if (spellings_.differFrom(change.oldText)) return true;
  const auto count = [](const QByteArray& bytes, const QRegularExpression& sign) {
    return QString::fromUtf8(bytes).count(sign);
  };
  // The apostrophe of the text, or what stands around its words, is another one, but for a few.
  static const QString kWithin = QStringLiteral("\\w[%1]\\w");
  static const QString kAround = QStringLiteral("(?<!\\w)[%1]|[%1](?!\\w)");
  const auto isOther = [&](const QString& where) {
    const QRegularExpression plain(where.arg(QStringLiteral("'")));
    const QRegularExpression printed(where.arg(QStringLiteral("\u2018\u2019")));
    return count(change.newText, printed) > count(change.oldText, printed) &&
           count(text_, plain) > count(text_, printed);
  };
  return brings(kEntities) || brings(kSigns) || isOther(kWithin) || isOther(kAround);
}

}  // namespace waferpair::pairing
