// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/code_fence.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>

namespace waferpair::pairing {
namespace {

constexpr qsizetype kLongestName = 1024;

// Files that have neither a folder nor an extension in front of answers as a rule.
bool isKnownName(const QByteArray& name) {
  static const QSet<QByteArray> kNames = {"BUILD",       "Brewfile",  "Containerfile", "Dockerfile",
                                          "GNUmakefile", "Gemfile",   "INSTALL",       "Justfile",
                                          "Jenkinsfile", "LICENSE",   "Makefile",      "NEWS",
                                          "Pipfile",     "Procfile",  "README",        "Rakefile",
                                          "Vagrantfile", "WORKSPACE", "makefile",      "justfile"};
  return kNames.contains(name);
}

// Returns whether a word is a file's name rather than a word of a sentence. `quoted`: it stands in
// quotes of some kind, and so may hold blanks.
bool looksLikeFile(const QByteArray& name, bool quoted) {
  if (name.isEmpty() || name.size() > kLongestName) return false;
  const auto isOdd = [](char c) {
    return static_cast<unsigned char>(c) < ' ' ||
           QByteArrayView("<>|?*\"`'(){}[];,=!&").contains(c);
  };
  if (std::any_of(name.cbegin(), name.cend(), isOdd)) return false;
  if (name.contains(' ') && !quoted) return false;
  if (name.contains("://") || name.endsWith('/') || name.endsWith('.')) return false;
  const QByteArray last = name.mid(name.lastIndexOf('/') + 1);
  const qsizetype dot = last.lastIndexOf('.');
  const bool hasExtension = dot >= 0 && last.size() - dot - 1 <= 16 &&
                            std::any_of(last.cbegin() + dot + 1, last.cend(), [](char c) {
                              return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                            });
  return hasExtension || isKnownName(last) || (name.contains('/') && !name.contains(' '));
}

// Takes `sign`s from both ends; whether there were some on both.
bool unwrap(QByteArray* text, char sign) {
  if (text->size() < 3 || !text->startsWith(sign) || !text->endsWith(sign)) return false;
  while (text->size() >= 3 && text->startsWith(sign) && text->endsWith(sign))
    *text = text->sliced(1, text->size() - 2).trimmed();
  return true;
}

// What stands between a tag and its end, or in its attribute: "<path>src/a.py</path>",
// "<file path=\"src/a.py\">". Empty: the line is no such tag.
QByteArray nameInTag(const QByteArray& line) {
  static const QRegularExpression element(
      QStringLiteral(
          R"(^<(path|file|file_path|filepath|filename|target_file)>\s*([^<]+?)\s*</\1>$)"),
      QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression attribute(QStringLiteral(
      R"tag(^<\w+(?:\s[^>]*)?\s(?:path|file|file_path|filename|name)="([^"]+)"[^>]*>$)tag"));
  const QString text = QString::fromUtf8(line);
  if (const auto found = element.match(text); found.hasMatch()) return found.captured(2).toUtf8();
  if (const auto found = attribute.match(text); found.hasMatch()) return found.captured(1).toUtf8();
  return {};
}

}  // namespace

std::optional<CodeFence> CodeFence::opening(const QByteArray& line) {
  const QByteArray text = line.trimmed();
  if (text.isEmpty() || (text[0] != '`' && text[0] != '~')) return {};
  CodeFence fence;
  fence.sign = text[0];
  fence.length = 0;
  while (fence.length < text.size() && text[fence.length] == fence.sign) ++fence.length;
  if (fence.length < 3) return {};
  fence.info = text.sliced(fence.length).trimmed();
  fence.indent = line.first(line.indexOf(fence.sign));
  // A backtick in the info means that the line holds inline code.
  if (fence.sign == '`' && fence.info.contains('`')) return {};
  return fence;
}

bool CodeFence::closedBy(const QByteArray& line) const {
  const auto other = opening(line);
  return other && other->sign == sign && other->length >= length && other->info.isEmpty();
}

QString CodeFence::fileName() const {
  QByteArrayList words = info.simplified().split(' ');
  for (qsizetype i = 0; i < words.size(); ++i) {
    QByteArray word = words[i];
    bool quoted = false;
    for (const char* key : {"title=", "file=", "filename=", "path="}) {
      if (!word.startsWith(key)) continue;
      word = word.sliced(qstrlen(key));
      quoted = unwrap(&word, '"') || unwrap(&word, '\'');
    }
    // "python:src/a.py" names a file; "12:40:src/a.py" quotes lines of one.
    if (const qsizetype colon = word.indexOf(':'); i == 0 && colon > 0) {
      bool isNumber = false;
      word.left(colon).toInt(&isNumber);
      if (isNumber) return {};
      word = word.sliced(colon + 1);
    }
    if (i == 0 && words.size() == 1 && isKnownName(word)) return {};  // "Makefile" is a language
    if (looksLikeFile(word, quoted)) return QString::fromUtf8(word);
  }
  return {};
}

QByteArray CodeFence::language() const {
  qsizetype end = 0;
  while (end < info.size() && info[end] != ' ' && info[end] != ':' && info[end] != '{' &&
         info[end] != ',')
    ++end;
  return info.left(end).toLower();
}

bool CodeFence::isOfDiff() const {
  const QByteArray name = language();
  return name == "diff" || name == "patch" || name == "udiff";
}

QString fileNameIn(const QByteArray& line) {
  QByteArray text = line.trimmed();
  if (text.isEmpty() || text.size() > kLongestName) return {};
  if (text.startsWith('<')) {
    text = nameInTag(text);
    return looksLikeFile(text, true) ? QString::fromUtf8(text) : QString();
  }
  while (text.startsWith('#')) text = text.sliced(1).trimmed();
  // "1. src/a.py" and "- src/a.py"
  if (const qsizetype dot = text.indexOf(". "); dot > 0 && dot < 4) {
    bool isNumber = false;
    text.left(dot).toInt(&isNumber);
    if (isNumber) text = text.sliced(dot + 2).trimmed();
  }
  bool quoted = false;
  const auto unwrapAll = [&] {
    bool again = true;
    while (again) {
      again = false;
      if (text.endsWith(':')) {
        text.chop(1);
        text = text.trimmed();
        again = true;
      }
      for (const char sign : {'*', '`', '"', '\''}) {
        if (!unwrap(&text, sign)) continue;
        quoted = quoted || sign != '*';
        again = true;
      }
    }
  };
  unwrapAll();
  for (const char* word : {"file:", "filename:", "path:"}) {
    if (!text.toLower().startsWith(word)) continue;
    text = text.sliced(qstrlen(word)).trimmed();
    unwrapAll();
    break;
  }
  return looksLikeFile(text, quoted) ? QString::fromUtf8(text) : QString();
}

QString fileNameInComment(const QByteArray& line) {
  static const QRegularExpression comment(QStringLiteral(
      R"(^\s*(?://+|#+|--+|;+|%+|/\*+|<!--+)[\s=~*-]*(.*?)[\s=~*-]*(?:\*/|-->)?\s*$)"));
  if (line.size() > kLongestName) return {};
  const auto match = comment.match(QString::fromUtf8(line));
  return match.hasMatch() ? fileNameIn(match.captured(1).toUtf8()) : QString();
}

QString fenceAround(QStringView text) {
  qsizetype longest = 2;
  qsizetype run = 0;
  for (const QChar c : text) {
    run = c == u'`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return QString(longest + 1, u'`');
}

}  // namespace waferpair::pairing
