// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/path_glob.h"

namespace waferpair::workbench {
namespace {

// Returns the expression of the bracket that begins at `at`, which is moved behind it; empty where
// it does not end.
QString bracketExpression(const QString& pattern, qsizetype* at) {
  const qsizetype end = pattern.indexOf(u']', *at + 2);
  if (end < 0) return {};
  QString inside = pattern.mid(*at + 1, end - *at - 1);
  *at = end + 1;
  const bool isNot = inside.startsWith(u'!') || inside.startsWith(u'^');
  if (isNot) inside.remove(0, 1);
  QString safe;
  for (const QChar c : inside) {
    if (c == u'\\' || c == u'[' || c == u']' || c == u'^') safe += u'\\';
    safe += c;
  }
  // A folder's end is never meant.
  return (isNot ? QStringLiteral("(?!/)[^") : QStringLiteral("(?!/)[")) + safe + u']';
}

QString expressionOf(const QString& pattern) {
  QString expression;
  int depth = 0;  // of braces
  for (qsizetype at = 0; at < pattern.size();) {
    const QChar c = pattern[at];
    if (c == u'*' && pattern.mid(at, 2) == QLatin1String("**")) {
      at += 2;
      const bool ofFolders = at < pattern.size() && pattern[at] == u'/';
      if (ofFolders) ++at;
      expression += ofFolders ? QStringLiteral("(?:[^/]*/)*") : QStringLiteral(".*");
      continue;
    }
    if (c == u'[') {
      const QString bracket = bracketExpression(pattern, &at);
      if (!bracket.isEmpty()) {
        expression += bracket;
        continue;
      }
    }
    ++at;
    if (c == u'*') {
      expression += QStringLiteral("[^/]*");
    } else if (c == u'?') {
      expression += QStringLiteral("[^/]");
    } else if (c == u'{') {
      ++depth;
      expression += QStringLiteral("(?:");
    } else if (c == u'}' && depth > 0) {
      --depth;
      expression += u')';
    } else if (c == u',' && depth > 0) {
      expression += u'|';
    } else {
      expression += QRegularExpression::escape(QString(c));
    }
  }
  for (; depth > 0; --depth) expression += u')';
  return expression;
}

}  // namespace

PathGlob::PathGlob(const QString& pattern) {
  if (pattern.isEmpty() || pattern.size() > kLongestGlob) return;
  expression_.setPattern(QRegularExpression::anchoredPattern(expressionOf(pattern)));
  expression_.setPatternOptions(QRegularExpression::DotMatchesEverythingOption);
}

bool PathGlob::fits(const QString& path) const {
  return !expression_.pattern().isEmpty() && expression_.isValid() &&
         expression_.match(path).hasMatch();
}

}  // namespace waferpair::workbench
