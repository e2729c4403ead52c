// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/text_lines.h"

#include "editor/text/indentation.h"

namespace waferpair::pairing {

TextLines::TextLines(const QByteArray& text) : text_(text) {
  for (qint64 start = 0; start < text_.size();) {
    Line line{start, start, start, {}};
    while (line.end < text_.size() && text_[line.end] != '\n' && text_[line.end] != '\r')
      ++line.end;
    line.next = line.end;
    if (line.next < text_.size() && text_[line.next] == '\r') ++line.next;
    if (line.next < text_.size() && text_[line.next] == '\n' &&
        (line.next == line.end || text_[line.next - 1] == '\r')) {
      ++line.next;
    }
    line.squeezed = text_.sliced(line.start, line.end - line.start).simplified();
    start = line.next;
    lines_.append(std::move(line));
  }
}

qint64 TextLines::start(qsizetype line) const {
  return line < lines_.size() ? lines_[line].start : text_.size();
}

QByteArray TextLines::lineEnd(qsizetype line) const {
  return text_.sliced(lines_[line].end, lines_[line].next - lines_[line].end);
}

QByteArray TextLines::slice(qsizetype from, qsizetype to) const {
  return text_.sliced(start(from), start(to) - start(from));
}

QByteArrayList TextLines::list(qsizetype from, qsizetype to) const {
  QByteArrayList all;
  for (qsizetype i = from; i < to; ++i) all.append(line(i).toByteArray());
  return all;
}

QByteArray TextLines::indent(qsizetype line) const {
  return editor::leadingBlanks(this->line(line).toByteArray());
}

QSet<QByteArray> TextLines::squeezedLines() const {
  QSet<QByteArray> all;
  for (const Line& line : lines_) all.insert(line.squeezed);
  return all;
}

QByteArray joinedLines(const QByteArrayList& lines) {
  QByteArray text;
  for (const QByteArray& line : lines) text += line + '\n';
  return text;
}

}  // namespace waferpair::pairing
