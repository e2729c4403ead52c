// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/inlay_hints.h"

#include <QJsonArray>
#include <algorithm>

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfHint = 80;      // UTF-16 units
constexpr qsizetype kMostOfArgument = 16;  // likewise
constexpr qsizetype kMostHintsOfLine = 12;
constexpr qint64 kMostOfHintedLine = 4000;  // bytes on either side of a hint that are looked at

QString labelOf(const QJsonValue& label) {
  if (label.isString()) return label.toString();
  QString text;
  const QJsonArray parts = label.toArray();
  for (const QJsonValue part : parts) text += part[u"value"].toString();
  return text;
}

InlayHint::Kind kindOf(const QJsonValue& kind) {
  // As the protocol numbers them, and as clangd named them before.
  if (kind.toInt() == 1 || kind.toString() == QLatin1String("type")) return InlayHint::Kind::kType;
  if (kind.toInt() == 2 || kind.toString() == QLatin1String("parameter"))
    return InlayHint::Kind::kParameter;
  return InlayHint::Kind::kOther;
}

bool isOfName(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

// The argument that begins there: up to the comma or bracket that ends it.
QString argumentAt(const QString& after) {
  int depth = 0;
  qsizetype end = 0;
  for (; end < after.size(); ++end) {
    const QChar c = after[end];
    if (c == u'(' || c == u'[' || c == u'{') ++depth;
    const bool closes = c == u')' || c == u']' || c == u'}';
    if (depth == 0 && (closes || c == u',' || c == u';')) break;
    if (closes) --depth;
  }
  const QString argument = after.left(end).simplified();
  return argument.size() > kMostOfArgument ? argument.left(kMostOfArgument - 1) + u'\u2026'
                                           : argument;
}

// The name that ends there.
QString nameBefore(const QString& before) {
  qsizetype start = before.size();
  while (start > 0 && isOfName(before[start - 1])) --start;
  return before.mid(start);
}

QString readable(const InlayHint& hint, const editor::Snapshot& text, qint64 lineStart,
                 qint64 lineEnd) {
  if (hint.kind == InlayHint::Kind::kParameter) {
    const QString after =
        QString::fromUtf8(text.slice(hint.at, std::min(lineEnd, hint.at + kMostOfHintedLine)));
    return (hint.label + u' ' + argumentAt(after)).trimmed();
  }
  if (hint.kind == InlayHint::Kind::kType) {
    const QString before =
        QString::fromUtf8(text.slice(std::max(lineStart, hint.at - kMostOfHintedLine), hint.at));
    return nameBefore(before) + hint.label;
  }
  return hint.label;
}

}  // namespace

QVector<InlayHint> readInlayHints(const QJsonValue& answer, const editor::Snapshot& text,
                                  ColumnUnit unit) {
  QVector<InlayHint> hints;
  const QJsonArray list = answer.toArray();
  for (const QJsonValue one : list) {
    if (hints.size() == kMostInlayHints) break;
    const QString label = labelOf(one[u"label"]).simplified().left(kMostOfHint);
    if (label.isEmpty() || !one[u"position"].isObject()) continue;
    hints.append({offsetOf(text, one[u"position"], unit), label, kindOf(one[u"kind"])});
  }
  std::stable_sort(hints.begin(), hints.end(),
                   [](const InlayHint& a, const InlayHint& b) { return a.at < b.at; });
  return hints;
}

QVector<InlayNote> inlayNotes(const QVector<InlayHint>& hints, const editor::Snapshot& text) {
  QVector<InlayNote> notes;
  for (qsizetype i = 0; i < hints.size();) {
    const qint64 line = text.lineAt(hints[i].at);
    const qint64 start = text.lineStart(line), end = text.lineEnd(line);
    QStringList words;
    const qint64 at = hints[i].at;
    for (; i < hints.size() && hints[i].at <= end; ++i)
      if (words.size() < kMostHintsOfLine) words.append(readable(hints[i], text, start, end));
    notes.append({at, words.join(QStringLiteral(" \u00b7 "))});
  }
  return notes;
}

}  // namespace waferpair::workbench
