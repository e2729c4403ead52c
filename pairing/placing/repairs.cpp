// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/repairs.h"

#include <QRegularExpression>
#include <QString>
#include <optional>

namespace waferpair::pairing {
namespace {

const QRegularExpression& numberedLine() {
  static const QRegularExpression numbered(
      QStringLiteral(R"(^\s*(?:L(?:ine)?\s*)?(\d+)(?:\s*[|:→]|\t)(.*)$)"));
  return numbered;
}

// Line numbers count up by one from line to line; the blank behind the sign belongs to it where
// every line that is not empty has one.
std::optional<RepairedChange> withoutLineNumbers(const QByteArray& oldText,
                                                 const QByteArray& newText) {
  qint64 first = -1, expected = -1;
  bool blanks = true;
  const QList<QByteArray> old = oldText.split('\n');
  for (const QByteArray& line : old) {
    if (line.trimmed().isEmpty() && &line == &old.last()) continue;
    const auto match = numberedLine().match(QString::fromUtf8(line));
    if (!match.hasMatch()) return {};
    const qint64 number = match.captured(1).toLongLong();
    if (expected >= 0 && number != expected) return {};
    if (first < 0) first = number;
    expected = number + 1;
    const QString rest = match.captured(2);
    blanks = blanks && (rest.isEmpty() || rest.startsWith(u' '));
  }
  if (first < 0) return {};
  const auto strip = [blanks](const QByteArray& text) {
    QByteArrayList lines;
    for (const QByteArray& line : text.split('\n')) {
      const auto match = numberedLine().match(QString::fromUtf8(line));
      QString rest = match.hasMatch() ? match.captured(2) : QString::fromUtf8(line);
      if (match.hasMatch() && blanks && rest.startsWith(u' ')) rest.remove(0, 1);
      lines.append(rest.toUtf8());
    }
    return lines.join('\n');
  };
  return RepairedChange{strip(oldText), strip(newText), first - 1};
}

QByteArray withoutEntities(QByteArray text) {
  text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
  text.replace("&#x27;", "'").replace("&apos;", "'").replace("&nbsp;", " ");
  return text.replace("&amp;", "&");
}

QByteArray inPlainSigns(QByteArray text) {
  for (const char* sign : {"\u201c", "\u201d", "\u201e"}) text.replace(sign, "\"");
  for (const char* sign : {"\u2018", "\u2019", "\u201a"}) text.replace(sign, "'");
  for (const char* sign : {"\u00a0", "\u202f", "\u2007"}) text.replace(sign, " ");
  for (const char* sign : {"\u200b", "\ufeff", "\u2060"}) text.replace(sign, "");
  for (const char* sign : {"\u2010", "\u2011", "\u2212"}) text.replace(sign, "-");
  return text;
}

QByteArray withFewerBackslashes(QByteArray text) {
  QByteArray plain;
  for (qsizetype i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] == '\\' && (next == '\\' || next == '"' || next == '\'' || next == '`')) ++i;
    plain += text[i];
  }
  return plain;
}

// Line ends that were written as "\n".
QByteArray withLineEndsRead(QByteArray text) {
  text.replace("\\r\\n", "\n").replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\"");
  return text;
}

}  // namespace

QByteArray repaired(Repair repair, const QByteArray& text) {
  return repair == Repair::kEntities ? withoutEntities(text) : inPlainSigns(text);
}

QVector<RepairedChange> repairsOf(const QByteArray& oldText, const QByteArray& newText) {
  QVector<RepairedChange> repairs;
  const auto offer = [&](const QByteArray& old, const QByteArray& fresh) {
    if (old != oldText && !old.trimmed().isEmpty()) repairs.append({old, fresh, -1});
  };
  if (auto plain = withoutLineNumbers(oldText, newText)) repairs.append(*plain);
  offer(withoutEntities(oldText), withoutEntities(newText));
  offer(inPlainSigns(oldText), inPlainSigns(newText));
  offer(inPlainSigns(withoutEntities(oldText)), inPlainSigns(withoutEntities(newText)));
  offer(withFewerBackslashes(oldText), withFewerBackslashes(newText));
  if (oldText.trimmed().count('\n') == 0 && oldText.contains("\\n"))
    offer(withLineEndsRead(oldText), withLineEndsRead(newText));
  return repairs;
}

}  // namespace waferpair::pairing
