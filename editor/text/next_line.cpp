// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/next_line.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>

#include "editor/text/word_blocks.h"

namespace waferpair::editor {

namespace {

bool colonOpensBlock(const QString& language) {
  static const QSet<QString> kSuch = {QStringLiteral("Python"), QStringLiteral("YAML"),
                                      QStringLiteral("Nim")};
  return kSuch.contains(language);
}

// Bytes; a longer line is no label, and of its ends so much is looked at.
constexpr qsizetype kMostOfLabel = 2'000;

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
                                      QStringLiteral("PHP (HTML)"),
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

bool isC(const QString& language) {
  return language == QLatin1String("C") || language == QLatin1String("C++") ||
         language == QLatin1String("ISO C++") || language == QLatin1String("Objective-C") ||
         language == QLatin1String("Objective-C++") || language == QLatin1String("CUDA");
}

bool isGo(const QString& language) { return language == QLatin1String("Go"); }

// What continues a line is two levels deeper: in Java, and in C where a level has two columns.
bool isFarContinued(Indentation indentation, const QString& language) {
  return language == QLatin1String("Java") || (isC(language) && indentation.width < 4);
}

// The column behind the last bracket that `code` leaves open and that has text behind it; -1: there
// is none.
qsizetype openArguments(const QByteArray& code) {
  QVector<qsizetype> open;
  char quote = 0;
  for (qsizetype at = 0; at < code.size(); ++at) {
    const char c = code[at];
    if (quote != 0) {
      if (c == '\\')
        ++at;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      open.append(at);
    } else if (c == ')' && !open.isEmpty()) {
      open.removeLast();
    }
  }
  return open.isEmpty() || open.last() + 1 >= code.size() ? -1 : open.last() + 1;
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
  static const QSet<QString> kNarrow = {QStringLiteral("Crystal"), QStringLiteral("Dart"),
                                        QStringLiteral("Elixir"),  QStringLiteral("Nix"),
                                        QStringLiteral("Ruby"),    QStringLiteral("Scala"),
                                        QStringLiteral("YAML")};
  if (kNarrow.contains(language) && !fallback.tabs) return {false, 2};
  const bool asksForTabs = language == QLatin1String("Makefile") || language == QLatin1String("Go");
  return {asksForTabs || fallback.tabs, fallback.width};
}

QByteArray blanksBehind(const QByteArray& code, Indentation indentation, const QString& language) {
  const QByteArray blanks = leadingBlanks(code);
  const QByteArray content = code.trimmed();
  if (language == QLatin1String("Python") && endsBlock(content))
    return lessDeep(blanks, indentation);
  if (isStatementHead(content, language) || isLabel(content, language) ||
      wordsOpenBlock(content, language))
    return oneDeeper(blanks, indentation);
  const bool isCall = content.endsWith('(') && isFarContinued(indentation, language);
  if (isCall || (content.endsWith('=') && goesOn(content, language)))
    return continuationBlanks(code, indentation, language);
  if (content.endsWith(',') && openArguments(code) >= 0) {
    if (isGo(language)) return oneDeeper(blanks, indentation);
    if (isC(language)) return blanks + QByteArray(openArguments(code) - blanks.size(), ' ');
  }
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

bool goesOn(const QByteArray& code, const QString& language) {
  if (!hasBraces(language) && !isGo(language)) return false;
  static const QRegularExpression ends(
      QStringLiteral("(?:[^=!<>]=|&&|\\|\\||[^+]\\+|[^-]-|\\?|<<)$"));
  return ends.match(QString::fromUtf8(code.right(kMostOfLabel).trimmed().right(8))).hasMatch();
}

QByteArray continuationBlanks(const QByteArray& before, Indentation indentation,
                              const QString& language) {
  const QByteArray blanks = leadingBlanks(before);
  if (continues(before, language)) return blanks;
  const QByteArray deeper = oneDeeper(blanks, indentation);
  return isFarContinued(indentation, language) ? oneDeeper(deeper, indentation) : deeper;
}

bool continues(const QByteArray& code, const QString& language) {
  if (!hasBraces(language) && language != QLatin1String("Rust")) return false;
  static const QRegularExpression begins(
      QStringLiteral("^(?:&&|\\|\\||\\?|:(?!:)|\\.(?!\\.)|->|<<)"));
  return begins.match(QString::fromUtf8(code.left(kMostOfLabel).trimmed().left(8))).hasMatch();
}

bool isLabel(const QByteArray& code, const QString& language) {
  if ((!hasBraces(language) && !isGo(language)) || code.size() > kMostOfLabel) return false;
  static const QRegularExpression label(QStringLiteral("^(?:case\\b.*|default\\s*):$"));
  return label.match(QString::fromUtf8(code.trimmed())).hasMatch();
}

int lineToJoin(const LineText& textOf, int line, Indentation indentation, const QString& language) {
  constexpr int kMostLooked = 500;
  const QByteArray code = textOf(line).trimmed();
  if (code.size() > kMostOfLabel) return -1;
  const bool isPython = language == QLatin1String("Python");
  static const QRegularExpression python(
      QStringLiteral("^(else|finally|elif\\b.*|except\\b.*)\\s*:$"));
  const auto clause = python.match(QString::fromUtf8(code));
  if (isPython ? !clause.hasMatch() : !isLabel(code, language)) return -1;
  const QString word = clause.captured(1).section(QRegularExpression(QStringLiteral("\\W")), 0, 0);
  static const QRegularExpression ofElse(
      QStringLiteral("^(if|elif|for|while|except|try|async for)\\b"));
  static const QRegularExpression ofElif(QStringLiteral("^(if|elif)\\b"));
  static const QRegularExpression ofTry(QStringLiteral("^(try|except)\\b"));
  const QRegularExpression& head = word == u"else" ? ofElse : word == u"elif" ? ofElif : ofTry;
  const auto depth = [&](const QByteArray& of) {
    return columnsOf(leadingBlanks(of), indentation.width);
  };
  int most = depth(textOf(line));
  for (int above = line - 1; above >= std::max(0, line - kMostLooked); --above) {
    const QByteArray each = textOf(above);
    const QByteArray content = each.left(kMostOfLabel).trimmed();
    if (content.isEmpty() || depth(each) > most) continue;
    if (isPython) {
      if (head.match(QString::fromUtf8(content)).hasMatch()) return above;
      // A clause is no head, but has one as deep as itself.
      most = depth(each) - (python.match(QString::fromUtf8(content)).hasMatch() ? 0 : 1);
      continue;
    }
    if (isLabel(content, language)) return above;
    if (depth(each) == most) continue;
    return isGo(language) && content.endsWith('{') ? above : -1;
  }
  return -1;
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
