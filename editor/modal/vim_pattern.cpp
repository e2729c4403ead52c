// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/modal/vim_pattern.h"

namespace waferpair::editor {

namespace {

// Returns the quantifier for what stands in "{3,5}" and "{-}", greedy or lazy.
QString repeated(QString bounds) {
  const bool isLazy = bounds.startsWith(u'-');
  if (isLazy) bounds.remove(0, 1);
  if (bounds.startsWith(u',')) bounds.prepend(u'0');
  const QString made =
      bounds.isEmpty() || bounds == u"0," ? QStringLiteral("*") : u'{' + bounds + u'}';
  return isLazy ? made + u'?' : made;
}

}  // namespace

QRegularExpression vimPattern(const QString& pattern) {
  QString made;
  bool isVery = false;        // \v
  bool isLiteral = false;     // \V
  bool ignoresCase = false;   // \c
  bool isInBrackets = false;  // [a-z]
  bool hasEnd = false;        // \ze
  for (qsizetype at = 0; at < pattern.size(); ++at) {
    const QChar c = pattern[at];
    if (isInBrackets) {
      made += c == u'[' ? QStringLiteral("\\[") : QString(c);
      if (c == u'\\' && at + 1 < pattern.size()) made += pattern[++at];
      isInBrackets = c != u']';
      continue;
    }
    if (c != u'\\') {
      const bool plainInMagic = QStringView(u"(){}|+?").contains(c);
      const bool special = QStringView(u".*^$[~").contains(c);
      if (isVery && (c == u'<' || c == u'>')) {
        made += QStringLiteral("\\b");
      } else if (isVery && c == u'=') {
        made += u'?';
      } else if (isVery && c == u'{' && pattern.indexOf(u'}', at) > 0) {
        const qsizetype end = pattern.indexOf(u'}', at);
        made += repeated(pattern.mid(at + 1, end - at - 1));
        at = end;
      } else if ((!isVery && plainInMagic) || (isLiteral && special) || c == u'~' ||
                 (c == u'*' && made.isEmpty())) {
        made += u'\\';
        made += c;
      } else if (c == u'[' && pattern.indexOf(u']', at + 1) < 0) {
        made += QStringLiteral("\\[");
      } else if (c == u'^' && !isVery && !made.isEmpty() && !made.endsWith(u'(') &&
                 !made.endsWith(u'|')) {
        made += QStringLiteral("\\^");
      } else if (c == u'$' && !isVery && at + 1 < pattern.size() && pattern[at + 1] != u'\\') {
        made += QStringLiteral("\\$");
      } else {
        made += c;
        isInBrackets = c == u'[';
        if (isInBrackets && at + 1 < pattern.size() && pattern[at + 1] == u'^')
          made += pattern[++at];
      }
      continue;
    }
    if (++at >= pattern.size()) break;
    const QChar escaped = pattern[at];
    if (escaped == u'v') {
      isVery = true;
    } else if (escaped == u'V') {
      isLiteral = true;
    } else if (escaped == u'm' || escaped == u'C') {
      isVery = false;
    } else if (escaped == u'c') {
      ignoresCase = true;
    } else if (escaped == u'<' || escaped == u'>') {
      made += isVery ? QString(escaped) : QStringLiteral("\\b");
    } else if (escaped == u'=') {
      made += isVery ? u'=' : u'?';
    } else if (!isVery && escaped == u'{') {
      // Its end may be written without a backslash.
      const qsizetype end = pattern.indexOf(u'}', at);
      if (end < 0) break;
      made += repeated(pattern.mid(at + 1, end - at - 1).remove(u'\\'));
      at = end;
    } else if (escaped == u'z' && at + 1 < pattern.size() && !hasEnd &&
               (pattern[at + 1] == u's' || pattern[at + 1] == u'e')) {
      hasEnd = pattern[++at] == u'e';
      made += hasEnd ? QStringLiteral("(?=") : QStringLiteral("\\K");
    } else if (escaped == u'_' && at + 1 < pattern.size() &&
               (pattern[at + 1] == u's' || pattern[at + 1] == u'.')) {
      // Over line ends, too.
      made += pattern[++at] == u's' ? QStringLiteral("\\s") : QStringLiteral("[\\s\\S]");
    } else if (!isVery && QStringView(u"()|+?").contains(escaped)) {
      made += escaped;
    } else if (isLiteral && QStringView(u".*^$[~").contains(escaped)) {
      made += escaped;
    } else if (escaped == u'a') {
      made += QStringLiteral("[A-Za-z]");
    } else if (escaped == u'l') {
      made += QStringLiteral("[a-z]");
    } else if (escaped == u'u') {
      made += QStringLiteral("[A-Z]");
    } else if (escaped == u'h') {
      made += QStringLiteral("[A-Za-z_]");
    } else if (escaped == u'x') {
      made += QStringLiteral("[0-9A-Fa-f]");
    } else if (escaped == u'/') {
      made += u'/';
    } else {
      made += u'\\';
      made += escaped;
    }
  }
  if (hasEnd) made += u')';
  QRegularExpression::PatternOptions options = QRegularExpression::UseUnicodePropertiesOption;
  if (ignoresCase) options |= QRegularExpression::CaseInsensitiveOption;
  return QRegularExpression(made, options);
}

QString vimPatternOf(const QString& text) {
  static const QRegularExpression special(QStringLiteral(R"(([\\.*^$\[\]~/]))"));
  return QString(text).replace(special, QStringLiteral("\\\\1"));
}

}  // namespace waferpair::editor
