// SPDX-License-Identifier: GPL-3.0-or-later
// A change that a model is still writing, laid over the lines that it takes the place of, line by
// line as they come. It is for the eye alone: what is offered in the end is told by the whole
// change (edit_run.h).
//
// A line is laid once and stays where it was laid, so that what is drawn only grows at its end, and
// costs a look at so many lines of the text at most. Lines that the text has, too, are passed;
// lines that look like the next one of the text take its place; all others stand before it. Where
// the change belongs is told by its old text, which must stand in the text once, or, for code
// without one, by its first lines, which must be those of the target or of the file. A change of
// which that cannot be told is not drawn. One thread.
#pragma once

#include <optional>

#include "editor/assist/hunk.h"
#include "pairing/answers/answer.h"
#include "pairing/edits/edit_request.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

class GrowingEdit {
 public:
  // The task's text, instruction and target; it is copied.
  explicit GrowingEdit(EditTask task) : task_(std::move(task)) {}

  // The change that is under way, as it is by now: the one before with more lines, or another one.
  void take(const ProposedChange& change);
  void clear();

  // Its lines so far, those that are not drawn among them.
  qint64 lineCount() const { return lineCount_; }
  // The same as a text.
  const QByteArray& text() const { return change_.newText; }
  bool isCode() const { return change_.kind == ProposedChange::Kind::kCode; }
  // In the task's text, in order; each takes whole lines, and what it puts in ends with LF.
  QVector<editor::Hunk> hunks() const;

 private:
  // Lines [first, first + count) of the place become `text`.
  struct Piece {
    qsizetype first = 0;
    qsizetype count = 0;
    QByteArray text;
  };

  void takeLine(const QByteArray& line);
  bool findPlace(const QByteArray& line);
  bool findOld();
  bool findCode(const QByteArray& line);
  void useLines(LineRange lines);
  void putIndentOf(const QByteArray& line, qsizetype at);
  void lay(const QByteArray& line);
  void passTo(qsizetype at);
  std::optional<qsizetype> sameNear(const QByteArray& line) const;
  std::optional<qsizetype> pairBehind(const QByteArray& line) const;
  Piece& openPiece();

  EditTask task_;
  ProposedChange change_;
  qint64 lineCount_ = 0;
  std::optional<TextLines> place_;  // none: where it belongs is not known yet
  bool isNowhere_ = false;          // nor can it be
  qint64 placeLine_ = 0;            // the text's line that is the place's first
  qsizetype at_ = 0;                // the place's lines before this one are passed or replaced
  QByteArray indent_;               // that the change's lines lack
  QVector<Piece> pieces_;
  bool isOpen_ = false;  // the last piece ends where at_ is
  QByteArray pending_;   // the last line, where it was put in and took no line's place
};

}  // namespace waferpair::pairing
