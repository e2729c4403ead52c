// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/code_hints.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {
namespace {

QHash<QByteArray, int> wordsIn(const QByteArray& text) {
  QHash<QByteArray, int> words;
  const CodeText code(text, languageFamily({}));
  for (const Token& token : code.tokens())
    if (token.kind != TokenKind::kMark) ++words[code.view(token).toByteArray()];
  return words;
}

}  // namespace

bool isOfShell(const QByteArray& language) {
  static const QSet<QByteArray> shells = {
      "sh",  "bash",       "zsh",          "shell",    "console", "cmd",
      "ps1", "powershell", "shellsession", "fish",     "output",  "text",
      "txt", "plaintext",  "log",          "terminal", "diff",    "patch"};
  return shells.contains(language);
}

bool announcesExample(const QString& text) {
  static const QRegularExpression words(
      QStringLiteral(
          R"(\b(usage|use it|using it|example|for instance|try it|test it|run|output|prints|call it|before|original|currently|instead of|demo)\b)"),
      QRegularExpression::CaseInsensitiveOption);
  return words.match(text).hasMatch();
}

double likeness(const QByteArray& a, const QByteArray& b) {
  const auto one = wordsIn(a), other = wordsIn(b);
  int common = 0, all = 0;
  for (auto word = one.cbegin(); word != one.cend(); ++word) {
    common += std::min(*word, other.value(word.key()));
    all += *word;
  }
  for (const int count : other) all += count;
  return all == 0 ? 0 : 2.0 * common / all;
}

bool isRemark(const QByteArray& line) {
  static const QRegularExpression remark(
      QStringLiteral(
          R"(^\s*(//|#|--|/\*|<!--)\s*([\w./-]+\.\w+\s*(\*/|-->)?$|(updated|modified|fixed|new|changed|added|refactored|complete|here|file|path|filename)\b))"),
      QRegularExpression::CaseInsensitiveOption);
  return remark.match(QString::fromUtf8(line)).hasMatch();
}

bool announcesOld(const QString& text) {
  static const QRegularExpression words(
      QStringLiteral(
          R"(\b(before|currently|(old|original|current|existing) (code|version|implementation|function))\b)"),
      QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression becomes(
      QStringLiteral(R"(\b(with|replac\w*|updat\w*|chang\w*|modif\w*|becomes?|now|after)\b)"),
      QRegularExpression::CaseInsensitiveOption);
  return words.match(text).hasMatch() && !becomes.match(text).hasMatch();
}

bool announceReplacement(const QString& ofOld, const QString& ofNew) {
  static const QRegularExpression old(
      QStringLiteral(
          R"(\b(replace|change|find|locate|swap|substitute|before|old|current|currently|original|originally|existing|from|was|instead of|this|search)\b)"),
      QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression fresh(
      QStringLiteral(
          R"((\b(with|to|by|into|after|new|updated|now|replacement|becomes?|should be)\b|->|→))"),
      QRegularExpression::CaseInsensitiveOption);
  return old.match(ofOld).hasMatch() && fresh.match(ofNew).hasMatch();
}

QByteArray withoutNumbers(const QByteArray& code) {
  static const QRegularExpression numbered(QStringLiteral(R"(^\s*\d+\s*[|:\t→] ?(.*)$)"));
  QByteArray plain;
  qsizetype found = 0, all = 0;
  for (const QByteArray& line : code.split('\n')) {
    const auto match = numbered.match(QString::fromUtf8(line));
    if (!line.trimmed().isEmpty()) ++all;
    found += match.hasMatch();
    plain += (match.hasMatch() ? match.captured(1).toUtf8() : line) + '\n';
  }
  plain.chop(1);
  return found == all && all > 0 ? plain : code;
}

}  // namespace waferpair::pairing
