// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/line_edits.h"

#include <QSet>
#include <algorithm>

#include "editor/text/line_diff.h"
#include "editor/text/text_codec.h"
#include "editor/text/translate.h"
#include "editor/text/word_byte.h"

namespace waferpair::pairing {

using editor::Snapshot;
using editor::TextEdit;

namespace {

QByteArrayList sorted(QByteArrayList lines) {
  std::stable_sort(lines.begin(), lines.end());
  return lines;
}

QByteArrayList sortedBackwards(QByteArrayList lines) {
  std::stable_sort(lines.begin(), lines.end(), std::greater<>());
  return lines;
}

// The digits at the front, without zeros before the first other one, are taken off `text`.
QByteArrayView takeNumber(QByteArrayView* text) {
  qsizetype end = 0;
  while (end < text->size() && editor::isDigitByte((*text)[end])) ++end;
  qsizetype start = 0;
  while (start + 1 < end && (*text)[start] == '0') ++start;
  const QByteArrayView number = text->sliced(start, end - start);
  *text = text->sliced(end);
  return number;
}

// Digits count as the number that they write, and letters without their case.
bool isNumberedBefore(QByteArrayView a, QByteArrayView b) {
  while (!a.isEmpty() && !b.isEmpty()) {
    if (editor::isDigitByte(a.front()) && editor::isDigitByte(b.front())) {
      const QByteArrayView numberA = takeNumber(&a);
      const QByteArrayView numberB = takeNumber(&b);
      if (numberA.size() != numberB.size()) return numberA.size() < numberB.size();
      if (const int order = numberA.compare(numberB); order != 0) return order < 0;
      continue;
    }
    const QByteArrayView letterA = a.first(1);
    const QByteArrayView letterB = b.first(1);
    if (const int order = letterA.compare(letterB, Qt::CaseInsensitive); order != 0)
      return order < 0;
    a = a.sliced(1);
    b = b.sliced(1);
  }
  return a.isEmpty() && !b.isEmpty();
}

QByteArrayList sortedByNumber(QByteArrayList lines) {
  std::stable_sort(lines.begin(), lines.end(),
                   [](const QByteArray& a, const QByteArray& b) { return isNumberedBefore(a, b); });
  return lines;
}

QByteArrayList reversed(QByteArrayList lines) {
  std::reverse(lines.begin(), lines.end());
  return lines;
}

QByteArrayList unique(QByteArrayList lines) {
  QSet<QByteArray> seen;
  QByteArrayList kept;
  for (const QByteArray& line : std::as_const(lines)) {
    if (line.trimmed().isEmpty() || !seen.contains(line)) kept.append(line);
    seen.insert(line);
  }
  return kept;
}

QByteArrayList withoutTrailingBlanks(QByteArrayList lines) {
  for (QByteArray& line : lines) {
    while (line.endsWith(' ') || line.endsWith('\t')) line.chop(1);
  }
  return lines;
}

QByteArrayList withoutBlankLines(QByteArrayList lines) {
  lines.removeIf([](const QByteArray& line) { return line.trimmed().isEmpty(); });
  return lines;
}

QByteArrayList joined(QByteArrayList lines) {
  QByteArray one = lines.first();
  for (const QByteArray& line : lines.mid(1)) {
    const QByteArray more = line.trimmed();
    if (more.isEmpty()) continue;
    while (one.endsWith(' ') || one.endsWith('\t')) one.chop(1);
    one += ' ' + more;
  }
  return {one};
}

QString titleCase(const QString& text) {
  QString made = text.toLower();
  bool inWord = false;
  for (QChar& c : made) {
    if (!inWord) c = c.toTitleCase();
    inWord = c.isLetterOrNumber() || c == u'\'';
  }
  return made;
}

// "maxLineCount" and "max line-count" are the words max, line, count.
QStringList wordsOf(const QString& text) {
  QStringList words;
  QString word;
  const auto end = [&] {
    if (!word.isEmpty()) words.append(word.toLower());
    word.clear();
  };
  for (qsizetype i = 0; i < text.size(); ++i) {
    const QChar c = text[i];
    if (!c.isLetterOrNumber()) {
      end();
      continue;
    }
    const bool isNew = c.isUpper() && i > 0 && (text[i - 1].isLower() || text[i - 1].isDigit());
    const bool endsCapitals = c.isUpper() && i + 1 < text.size() && text[i + 1].isLower();
    if (isNew || endsCapitals) end();
    word += c;
  }
  end();
  return words;
}

QString snakeCase(const QString& text) { return wordsOf(text).join(u'_'); }
QString kebabCase(const QString& text) { return wordsOf(text).join(u'-'); }

QString pascalCase(const QString& text) {
  QString made;
  for (const QString& word : wordsOf(text)) made += word[0].toUpper() + word.mid(1);
  return made;
}

QString camelCase(const QString& text) {
  QString made = pascalCase(text);
  if (!made.isEmpty()) made[0] = made[0].toLower();
  return made;
}

QString upperCase(const QString& text) { return text.toUpper(); }
QString lowerCase(const QString& text) { return text.toLower(); }

}  // namespace

const QVector<LineOperation>& lineOperations() {
  static const QVector<LineOperation> operations{
      {"sort lines", QT_TRANSLATE_NOOP("Pairing", "Sort the lines"), sorted, true},
      {"sort lines backwards", QT_TRANSLATE_NOOP("Pairing", "Sort the lines backwards"),
       sortedBackwards, true},
      {"sort lines by number", QT_TRANSLATE_NOOP("Pairing", "Sort the lines by their numbers"),
       sortedByNumber, true},
      {"reverse lines", QT_TRANSLATE_NOOP("Pairing", "Reverse the lines"), reversed, true},
      {"remove duplicate lines", QT_TRANSLATE_NOOP("Pairing", "Remove duplicate lines"), unique},
      {"remove trailing blanks", QT_TRANSLATE_NOOP("Pairing", "Remove trailing blanks"),
       withoutTrailingBlanks},
      {"remove blank lines", QT_TRANSLATE_NOOP("Pairing", "Remove blank lines"), withoutBlankLines},
      {"join lines", QT_TRANSLATE_NOOP("Pairing", "Join the lines to one"), joined, true},
  };
  return operations;
}

QVector<TextEdit> applied(const LineOperation& operation, const PlainTask& task) {
  const qint64 start = task.text.lineStart(task.target.first);
  // The end of the last line is no line's business.
  const qint64 end = task.text.lineEnd(task.target.end() - 1);
  const QByteArray old = task.text.slice(start, end);
  QByteArray lineEnd = "\n";
  if (task.target.count > 1) {
    const qint64 first = task.text.lineEnd(task.target.first);
    lineEnd = task.text.slice(first, task.text.lineStart(task.target.first + 1));
  }
  QByteArrayList lines = editor::withLf(old).split('\n');
  // A text that ends with a line end has an empty line behind it, which stays where it is.
  const bool hasLast =
      task.target.end() == task.text.lineCount() && lines.size() > 1 && lines.last().isEmpty();
  if (hasLast) lines.removeLast();
  QByteArrayList changed = operation.change(lines);
  if (changed == lines) return {};
  if (hasLast) changed.append(QByteArray());
  const QByteArray made = changed.join(lineEnd);
  QVector<TextEdit> edits = editor::lineEdits(Snapshot(old), Snapshot(made));
  if (operation.moves && edits.size() > 1) {
    // From the first line that changes to the last.
    qint64 head = edits.first().start;
    qint64 grown = 0;
    for (const TextEdit& edit : edits) grown += edit.text.size() - (edit.end - edit.start);
    const qint64 newEnd = edits.last().start + edits.last().text.size();
    edits = {{head, newEnd - grown, made.mid(head, newEnd - head)}};
  }
  for (TextEdit& edit : edits) {
    edit.start += start;
    edit.end += start;
  }
  return edits;
}

const QVector<CaseOperation>& caseOperations() {
  static const QVector<CaseOperation> operations{
      {"upper case", QT_TRANSLATE_NOOP("Pairing", "UPPER CASE"), upperCase},
      {"lower case", QT_TRANSLATE_NOOP("Pairing", "lower case"), lowerCase},
      {"title case", QT_TRANSLATE_NOOP("Pairing", "Title Case"), titleCase},
      {"snake case", QT_TRANSLATE_NOOP("Pairing", "snake_case"), snakeCase},
      {"camel case", QT_TRANSLATE_NOOP("Pairing", "camelCase"), camelCase},
      {"pascal case", QT_TRANSLATE_NOOP("Pairing", "PascalCase"), pascalCase},
      {"kebab case", QT_TRANSLATE_NOOP("Pairing", "kebab-case"), kebabCase},
  };
  return operations;
}

QVector<TextEdit> applied(const CaseOperation& operation, const PlainTask& task) {
  qint64 start = task.start;
  qint64 end = task.end;
  if (start == end) {
    const qint64 line = task.text.lineAt(start);
    const qint64 lineStart = task.text.lineStart(line);
    const QByteArray text = task.text.line(line);
    qint64 from = std::min<qint64>(start - lineStart, text.size());
    qint64 to = from;
    while (from > 0 && editor::isWordByte(text[from - 1])) --from;
    while (to < text.size() && editor::isWordByte(text[to])) ++to;
    start = lineStart + from;
    end = lineStart + to;
  }
  const QByteArray old = task.text.slice(start, end);
  const QByteArray made = operation.change(editor::exactUtf8(old)).toUtf8();
  if (made == old) return {};
  return {{start, end, made}};
}

}  // namespace waferpair::pairing
