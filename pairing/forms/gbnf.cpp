// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/forms/gbnf.h"

#include <algorithm>

namespace waferpair::pairing::gbnf {
namespace {

// Returns how many UTF-16 units the texts from `begin` to before `end` have in common behind `at`.
qsizetype commonLength(const QStringList& texts, qsizetype begin, qsizetype end, qsizetype at) {
  const QString& first = texts[begin];
  const QString& last = texts[end - 1];  // they are sorted
  qsizetype size = at;
  while (size < std::min(first.size(), last.size()) && first[size] == last[size]) ++size;
  // No character is cut in two.
  if (size > at && size < first.size() && first[size - 1].isHighSurrogate()) --size;
  return size - at;
}

// The texts from `begin` to before `end`, which are sorted and alike up to `at`.
QString branches(const QStringList& texts, qsizetype begin, qsizetype end, qsizetype at) {
  QStringList parts;
  while (begin < end) {
    if (texts[begin].size() == at) {
      parts.append(literal({}));
      ++begin;
      continue;
    }
    const bool isPair = texts[begin][at].isHighSurrogate();
    const QStringView head = QStringView(texts[begin]).sliced(at, isPair ? 2 : 1);
    qsizetype next = begin + 1;
    while (next < end && QStringView(texts[next]).sliced(at).startsWith(head)) ++next;
    const qsizetype shared = commonLength(texts, begin, next, at);
    QString part = literal(texts[begin].sliced(at, shared));
    if (next - begin > 1) part += u' ' + branches(texts, begin, next, at + shared);
    parts.append(part);
    begin = next;
  }
  if (parts.size() == 1) return parts.first();
  return u'(' + parts.join(QLatin1String(" | ")) + u')';
}

QString digits(QChar first, QChar last, qsizetype count = 1) {
  const QString set = first == last ? QStringLiteral("\"%1\"").arg(first)
                                    : QStringLiteral("[%1-%2]").arg(first, last);
  return count == 1 ? set : QStringLiteral("%1{%2}").arg(set).arg(count);
}

// Numbers of as many digits, `first` to `last`, become rows of digits that are free of one another.
void addRows(const QString& first, const QString& last, const QString& front, QStringList* rows) {
  const auto row = [front](const QString& rest) {
    QStringList parts;
    if (!front.isEmpty()) parts.append(literal(front));
    if (!rest.isEmpty()) parts.append(rest);
    return parts.join(u' ');
  };
  if (first.isEmpty()) {
    rows->append(row({}));
    return;
  }
  const qsizetype behind = first.size() - 1;
  const QString lowest(behind, u'0'), highest(behind, u'9');
  QChar from = first.front(), to = last.front();
  if (from == to) return addRows(first.sliced(1), last.sliced(1), front + from, rows);
  if (first.sliced(1) != lowest) {
    addRows(first.sliced(1), highest, front + from, rows);
    from = QChar(from.unicode() + 1);
  }
  QStringList above;
  if (last.sliced(1) != highest) {
    addRows(lowest, last.sliced(1), front + to, &above);
    to = QChar(to.unicode() - 1);
  }
  if (from <= to) {
    QString free = digits(from, to);
    if (behind > 0) free += u' ' + digits(u'0', u'9', behind);
    rows->append(row(free));
  }
  rows->append(above);
}

}  // namespace

QString literal(const QString& text) {
  QString quoted(u'"');
  for (const QChar sign : text) {
    if (sign == u'"' || sign == u'\\') {
      quoted += u'\\';
      quoted += sign;
    } else if (sign == u'\n') {
      quoted += QLatin1String("\\n");
    } else if (sign < u' ') {
      quoted += QStringLiteral("\\x%1").arg(sign.unicode(), 2, 16, QLatin1Char('0'));
    } else {
      quoted += sign;
    }
  }
  return quoted + u'"';
}

QString oneOf(QStringList texts) {
  std::sort(texts.begin(), texts.end());
  texts.removeDuplicates();
  return branches(texts, 0, texts.size(), 0);
}

QString numberIn(const QVector<NumberRange>& ranges) {
  QStringList rows;
  for (const NumberRange& range : ranges) {
    qint64 first = range.first;
    while (first <= range.last) {
      const QString begin = QString::number(first);
      const QString most(begin.size(), u'9');
      const qint64 last = std::min(range.last, most.toLongLong());
      addRows(begin, QString::number(last), {}, &rows);
      first = last + 1;
    }
  }
  rows.removeDuplicates();
  return rows.size() == 1 ? rows.first() : u'(' + rows.join(QLatin1String(" | ")) + u')';
}

}  // namespace waferpair::pairing::gbnf
