// SPDX-License-Identifier: GPL-3.0-or-later
// The lines around a block of code in Markdown: three or more backticks or tildes, with the
// language and sometimes the file's name behind the opening ones.
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

namespace waferpair::pairing {

struct CodeFence {
  char sign = '`';
  qsizetype length = 3;
  QByteArray indent;  // the blanks before the signs
  QByteArray info;    // what stands behind the signs, without blanks around it

  // The fence that `line` is, if it may open a block. Without info it may as well close one.
  static std::optional<CodeFence> opening(const QByteArray& line);
  // Returns whether `line` closes the block that this one opens.
  bool closedBy(const QByteArray& line) const;
  // The file that the info names ("python src/a.py", "python:src/a.py", "py title=\"src/a.py\"",
  // "src/a.py"); empty: none.
  QString fileName() const;
  // Its first word, in lower case.
  QByteArray language() const;
  bool isOfDiff() const;
};

// A line to put before and behind `text`, which no line in it closes.
QString fenceAround(QStringView text);

// The file that a line of an answer names, if it does nothing else: "src/a.py", "**src/a.py**",
// "### `src/a.py`:", "File: src/a.py". Empty: none.
QString fileNameIn(const QByteArray& line);
// The same in a comment: "// src/a.js", "# --- src/a.py ---". Empty: none.
QString fileNameInComment(const QByteArray& line);

}  // namespace waferpair::pairing
