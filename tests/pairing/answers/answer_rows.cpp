// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/pairing/answers/answer_rows.h"

#include <QDir>
#include <QFile>

#include "pairing/placing/line_replacement.h"
#include "pairing/placing/text_lines.h"
#include "tests/support/paths.h"

namespace waferpair::test {

QVector<AnswerRow> answerRows() {
  QVector<AnswerRow> rows;
  const QDir folder(QString::fromStdString(sourceDir() + "/tests/pairing/answers/data"));
  for (const QString& name : folder.entryList({"*.txt"}, QDir::Files, QDir::Name)) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    AnswerRow row;
    QByteArray* part = nullptr;
    const auto add = [&] {
      if (!row.name.isEmpty()) rows.append(row);
      row.name.clear();
    };
    for (const QByteArray& line : file.readAll().split('\n')) {
      if (!line.startsWith("%%% ")) {
        if (part) *part += line + '\n';
        continue;
      }
      const QByteArray words = line.mid(4);
      const QString rest = QString::fromUtf8(words.mid(words.indexOf(' ') + 1));
      if (words.startsWith("becomes")) {
        row.isRefused = false;
        part = &row.becomes;
      } else {
        add();
        const bool isText = words.startsWith("text ");
        if (!isText && !words.startsWith("answer ")) return {};
        if (isText) row.path = QStringLiteral("/project/") + rest;
        if (!isText) row.name = name + QStringLiteral(": ") + rest;
        row.isRefused = true;
        part = isText ? &row.text : &row.answer;
      }
      part->clear();
    }
    if (part) part->chop(1);  // the last line of the file is empty
    add();
  }
  return rows;
}

QByteArray otherLines(const QByteArray& expected, const QByteArray& text) {
  const pairing::TextLines right(expected), made(text);
  QByteArray lines;
  for (const pairing::LineReplacement& each : pairing::replacementsBetween(expected, text)) {
    for (const QByteArray& line : right.list(each.oldStart, each.oldStart + each.oldCount))
      lines += "\n" + QByteArray::number(each.oldStart + 1) + " -" + line;
    for (const QByteArray& line : made.list(each.newStart, each.newStart + each.newCount))
      lines += "\n" + QByteArray::number(each.newStart + 1) + " +" + line;
  }
  return lines;
}

}  // namespace waferpair::test
