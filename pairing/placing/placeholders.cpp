// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/placeholders.h"

#include <QRegularExpression>

namespace waferpair::pairing {
namespace {

// What a comment says, without its signs; none: the line is no comment.
std::optional<QString> commentIn(const QString& line) {
  static const QRegularExpression comment(QStringLiteral(
      R"(^(?://+|#+|--+|;+|%+|/\*+|<!--+|\{/\*+|"""|\*|\(\*|REM\b)\s*(.*?)\s*(?:\*+/\}?|--+>|"""|\*\))?$)"));
  const auto found = comment.match(line);
  if (!found.hasMatch()) return {};
  return found.captured(1);
}

bool hasDots(QByteArrayView line) {
  return line.contains(QByteArrayView("...")) || line.contains(QByteArrayView("\u2026"));
}

// Without dots, and beside another comment, it is a part of what that says.
bool isOfSentence(const TextLines& lines, qsizetype line) {
  if (hasDots(lines.line(line))) return false;
  const auto isComment = [&lines](qsizetype at) {
    return at >= 0 && at < lines.count() &&
           commentIn(QString::fromUtf8(lines.squeezed(at))).has_value();
  };
  return isComment(line - 1) || isComment(line + 1);
}

}  // namespace

bool isPlaceholder(QByteArrayView line) {
  const QString text = QString::fromUtf8(line).trimmed();
  if (text.isEmpty() || text.size() > 160) return false;
  static const QRegularExpression dots(QStringLiteral(R"(^[\[({<]?\s*(\.{3,}|…)\s*[\])}>]?$)"));
  if (dots.match(text).hasMatch()) return true;
  static const QRegularExpression bare(
      QStringLiteral(
          R"(^(\.{3}|…)\s*\(?(the\s+)?(existing|rest|remaining|other|same|unchanged|previous|omitted|snip)\b.*$)"),
      QRegularExpression::CaseInsensitiveOption);
  if (bare.match(text).hasMatch()) return true;
  const auto said = commentIn(text);
  if (!said) return false;
  if (dots.match(*said).hasMatch()) return true;
  static const QRegularExpression begins(QStringLiteral(R"(^[\[({<]?\s*(\.{3,}|…)(\s|$|[\])}>]))"));
  if (begins.match(*said).hasMatch()) return true;
  static const QRegularExpression words(
      QStringLiteral(
          R"(\b(existing|rest of|remaining|remainder of|other|previous|original|unchanged|same)\b.*\b(code|file|methods?|functions?|implementation|class(es)?|body|imports?|logic|content|contents|tests?|lines?|members?|fields|routes|handlers|unchanged|same|here|above|below|as before)\b|\b(unchanged|no changes?( needed)?|same as (before|above|original)|(remains?|stays?|kept|keep) (the same|as is|as-is|unchanged)|omitted( for brevity)?|for brevity|snip(ped)?|truncated|code continues)\b)"),
      QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression ends(QStringLiteral(R"((\.{3,}|…)\s*[\])}>]?$)"));
  if (!words.match(*said).hasMatch()) return false;
  // A sentence may have these words, too: one that says no more is short.
  return ends.match(*said).hasMatch() || said->count(u' ') <= 7;
}

bool isLeftOut(const TextLines& lines, qsizetype line, const QSet<QByteArray>& original) {
  if (!isPlaceholder(lines.line(line)) || original.contains(lines.squeezed(line))) return false;
  if (isOfSentence(lines, line)) return false;
  if (lines.squeezed(line) != "...") return true;
  qsizetype before = line - 1;
  while (before >= 0 && lines.squeezed(before).isEmpty()) --before;
  return before < 0 || !lines.squeezed(before).endsWith(':');
}

bool hasPlaceholder(const TextLines& lines, const TextLines& original) {
  const QSet<QByteArray> there = original.squeezedLines();
  for (qsizetype i = 0; i < lines.count(); ++i)
    if (isLeftOut(lines, i, there)) return true;
  return false;
}

}  // namespace waferpair::pairing
