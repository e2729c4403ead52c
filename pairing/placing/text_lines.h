// SPDX-License-Identifier: GPL-3.0-or-later
// A text cut into lines, and lines as they compare without regard to blanks.
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QSet>
#include <QVector>

namespace waferpair::pairing {

class TextLines {
 public:
  // LF, CRLF and a lone CR each end a line. What follows the last line end is a line unless empty.
  explicit TextLines(const QByteArray& text);

  qsizetype count() const { return lines_.size(); }
  qint64 start(qsizetype line) const;  // where it begins; the text's end for the line past the last
  // The line without its end.
  QByteArrayView line(qsizetype line) const {
    return QByteArrayView(text_).sliced(lines_[line].start, lines_[line].end - lines_[line].start);
  }
  // "\n", "\r\n", "\r"; empty: the text ends there.
  QByteArray lineEnd(qsizetype line) const;
  // Returns lines [from, to) as they are, with their ends.
  QByteArray slice(qsizetype from, qsizetype to) const;
  // The same lines without their ends, one by one.
  QByteArrayList list(qsizetype from, qsizetype to) const;
  // The line without blanks at its ends, and with one space for each run of them within it.
  const QByteArray& squeezed(qsizetype line) const { return lines_[line].squeezed; }
  QByteArray indent(qsizetype line) const;
  QSet<QByteArray> squeezedLines() const;
  bool has(const QByteArray& part) const { return text_.contains(part); }

 private:
  struct Line {
    qint64 start = 0;
    qint64 end = 0;
    qint64 next = 0;
    QByteArray squeezed;
  };
  QByteArray text_;
  QVector<Line> lines_;
};

// Each with LF at its end.
QByteArray joinedLines(const QByteArrayList& lines);

}  // namespace waferpair::pairing
