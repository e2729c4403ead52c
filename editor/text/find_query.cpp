// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/find_query.h"

#include "editor/text/cased_text.h"
#include "editor/text/translate.h"

namespace waferpair::editor {

Result<QRegularExpression> findExpression(const FindQuery& query) {
  QRegularExpression::PatternOptions options = QRegularExpression::UseUnicodePropertiesOption;
  if (!query.caseSensitive) options |= QRegularExpression::CaseInsensitiveOption;
  if (query.regex) {
    // Checked as the user wrote it, so that an error's place is one of theirs.
    const QRegularExpression plain(query.text, options);
    if (!plain.isValid())
      return fail(translate("“%1” is not a regular expression: %2 (at character %3).")
                      .arg(query.text, plain.errorString())
                      .arg(plain.patternErrorOffset() + 1),
                  translate("Correct it, or search for plain text."));
  }
  QString pattern = query.regex ? query.text : QRegularExpression::escape(query.text);
  if (query.wholeWord) pattern = QStringLiteral("\\b(?:%1)\\b").arg(pattern);
  return QRegularExpression(pattern, options);
}

namespace {

// The name of a group at the start of `text`, behind its $ or \.
struct GroupName {
  qsizetype size = 0;  // 0: it names none
  QString captured;
};

GroupName groupAt(QStringView text, const QRegularExpressionMatch& match) {
  const QRegularExpression expression = match.regularExpression();
  if (text.startsWith(u'&')) return {1, match.captured(0)};
  if (text.startsWith(u'{')) {
    const qsizetype end = text.indexOf(u'}');
    const QStringView name = text.mid(1, end - 1);
    bool isNumber = false;
    const int number = name.toInt(&isNumber);
    if (end < 2) return {};
    if (isNumber && number >= 0 && number <= expression.captureCount())
      return {end + 1, match.captured(number)};
    if (!isNumber && expression.namedCaptureGroups().contains(name.toString()))
      return {end + 1, match.captured(name.toString())};
    return {};
  }
  // As many digits as make the number of a group.
  for (qsizetype digits = 2; digits > 0; --digits) {
    const QStringView name = text.left(digits);
    const bool isNumber = name.size() == digits && name.front().isDigit() && name.back().isDigit();
    if (isNumber && name.toInt() <= expression.captureCount())
      return {digits, match.captured(name.toInt())};
  }
  return {};
}

}  // namespace

QString expandedReplacement(const QString& replacement, const QRegularExpressionMatch& match) {
  CasedText out;
  for (qsizetype i = 0; i < replacement.size(); ++i) {
    const QChar c = replacement[i];
    const bool last = i + 1 == replacement.size();
    if ((c != u'\\' && c != u'$') || last) {
      out.add(QStringView(replacement).mid(i, 1));
      continue;
    }
    const QStringView rest = QStringView(replacement).mid(i + 1);
    const QChar next = rest.front();
    const bool mayBeGroup = c == u'$' || next.isDigit();
    const GroupName group = mayBeGroup ? groupAt(rest, match) : GroupName();
    if (group.size > 0) {
      out.add(group.captured);
      i += group.size;
    } else if (c == u'$') {
      out.add(u"$");
      if (next == u'$') ++i;
    } else {
      if (next == u'n') {
        out.add(u"\n");
      } else if (next == u't') {
        out.add(u"\t");
      } else if (!out.turn(next)) {
        out.add(rest.left(1));
      }
      ++i;
    }
  }
  return out.text();
}

}  // namespace waferpair::editor
