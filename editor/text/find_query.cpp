// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/find_query.h"

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

QString expandedReplacement(const QString& replacement, const QRegularExpressionMatch& match) {
  QString out;
  for (qsizetype i = 0; i < replacement.size(); ++i) {
    const QChar c = replacement[i];
    const bool last = i + 1 == replacement.size();
    if ((c != u'\\' && c != u'$') || last) {
      out += c;
      continue;
    }
    const QChar next = replacement[i + 1];
    if (next.isDigit()) {
      out += match.captured(next.digitValue());
    } else if (c == u'$') {
      out += c;
      if (next != u'$') continue;
    } else if (next == u'n') {
      out += u'\n';
    } else if (next == u't') {
      out += u'\t';
    } else {
      out += next;
    }
    ++i;
  }
  return out;
}

}  // namespace waferpair::editor
