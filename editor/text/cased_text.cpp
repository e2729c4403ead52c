// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/cased_text.h"

#include <QStringList>
#include <utility>

namespace waferpair::editor {

namespace {

QString inCaseOfPart(const QString& matched, const QString& replacement) {
  if (matched.isEmpty() || replacement.isEmpty()) return replacement;
  const QString upper = matched.toUpper();
  const QString lower = matched.toLower();
  if (upper == lower) return replacement;
  if (matched == upper && matched.size() > 1) return replacement.toUpper();
  if (matched == lower) return replacement.toLower();
  const bool isUpper = matched.front().isUpper();
  const QString first(replacement.front());
  return (isUpper ? first.toUpper() : first.toLower()) + replacement.mid(1);
}

}  // namespace

void CasedText::add(QStringView text) {
  for (const QChar c : text) {
    Case letter = std::exchange(next_, Case::kAsIs);
    if (letter == Case::kAsIs) letter = all_;
    // As a text, since a letter may become two.
    const QString as(c);
    text_ += letter == Case::kUpper ? as.toUpper() : letter == Case::kLower ? as.toLower() : as;
  }
}

bool CasedText::turn(QChar command) {
  switch (command.unicode()) {
    case 'U':
      all_ = Case::kUpper;
      return true;
    case 'L':
      all_ = Case::kLower;
      return true;
    case 'E':
      all_ = next_ = Case::kAsIs;
      return true;
    case 'u':
      next_ = Case::kUpper;
      return true;
    case 'l':
      next_ = Case::kLower;
      return true;
    default:
      return false;
  }
}

QString inCaseOf(const QString& matched, const QString& replacement) {
  for (const QChar mark : {u'-', u'_'}) {
    const QStringList from = matched.split(mark);
    QStringList to = replacement.split(mark);
    if (from.size() < 2 || from.size() != to.size()) continue;
    for (qsizetype i = 0; i < to.size(); ++i) to[i] = inCaseOfPart(from[i], to[i]);
    return to.join(mark);
  }
  return inCaseOfPart(matched, replacement);
}

}  // namespace waferpair::editor
