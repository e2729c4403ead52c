// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/next_line.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>

namespace waferpair::editor {

namespace {

bool colonOpensBlock(const QString& language) {
  static const QSet<QString> kSuch = {QStringLiteral("Python"), QStringLiteral("YAML"),
                                      QStringLiteral("Nim")};
  return kSuch.contains(language);
}

bool hasBraces(const QString& language) {
  static const QSet<QString> kSuch = {QStringLiteral("C"),
                                      QStringLiteral("C++"),
                                      QStringLiteral("C#"),
                                      QStringLiteral("CUDA"),
                                      QStringLiteral("Dart"),
                                      QStringLiteral("GLSL"),
                                      QStringLiteral("Groovy"),
                                      QStringLiteral("ISO C++"),
                                      QStringLiteral("Java"),
                                      QStringLiteral("JavaScript"),
                                      QStringLiteral("JavaScript React (JSX)"),
                                      QStringLiteral("Kotlin"),
                                      QStringLiteral("Objective-C"),
                                      QStringLiteral("Objective-C++"),
                                      QStringLiteral("PHP/PHP"),
                                      QStringLiteral("QML"),
                                      QStringLiteral("TypeScript"),
                                      QStringLiteral("TypeScript React (TSX)")};
  return kSuch.contains(language);
}

QByteArray lessDeep(const QByteArray& blanks, Indentation indentation) {
  return blanksFor(std::max(0, columnsOf(blanks, indentation.width) - indentation.width),
                   indentation);
}

// Behind these a block of Python has no more to say.
bool endsBlock(const QByteArray& code) {
  static const QRegularExpression ends(QStringLiteral("^(return|pass|break|continue|raise)\\b"));
  return ends.match(QString::fromUtf8(code)).hasMatch() &&
         code.count('(') + code.count('[') + code.count('{') ==
             code.count(')') + code.count(']') + code.count('}') &&
         !code.endsWith('\\') && !code.endsWith(',');
}

}  // namespace

Indentation indentationFor(const QString& language, Indentation fallback) {
  const bool asksForTabs = language == QLatin1String("Makefile") || language == QLatin1String("Go");
  return {asksForTabs || fallback.tabs, fallback.width};
}

QByteArray blanksBehind(const QByteArray& code, Indentation indentation, const QString& language) {
  const QByteArray blanks = leadingBlanks(code);
  const QByteArray content = code.trimmed();
  if (language == QLatin1String("Python") && endsBlock(content))
    return lessDeep(blanks, indentation);
  if (isStatementHead(content, language)) return oneDeeper(blanks, indentation);
  return nextLineIndent(code, indentation, colonOpensBlock(language));
}

bool isStatementHead(const QByteArray& code, const QString& language) {
  if (!hasBraces(language)) return false;
  static const QRegularExpression head(
      QStringLiteral("^(\\}\\s*)?(else\\s+)?(if|for|foreach|while)\\b.*\\)$|^(\\}\\s*)?(else|do)$"),
      QRegularExpression::DotMatchesEverythingOption);
  return code.count('(') == code.count(')') &&
         head.match(QString::fromUtf8(code.trimmed())).hasMatch();
}

QByteArray nextCommentLine(const QByteArray& line) {
  const QByteArray blanks = leadingBlanks(line);
  const QByteArray content = line.trimmed();
  if (content.startsWith("/**") || content.startsWith("/*!")) {
    return content.mid(2).contains("*/") ? blanks : blanks + " * ";
  }
  if (content.startsWith('*')) {
    if (!content.contains("*/")) return blanks + "* ";
    // The one that ends it stands a blank deeper than what it began with.
    return blanks.endsWith(' ') ? blanks.chopped(1) : blanks;
  }
  for (const char* sign : {"///", "//!"})
    if (content.startsWith(sign) && content.size() > 3 && content[3] != '/')
      return blanks + sign + ' ';
  return blanks;
}

}  // namespace waferpair::editor
