// SPDX-License-Identifier: GPL-3.0-or-later
// Closes brackets and quotes as they are typed. A closer that was put in so is overtyped, goes with
// its opener, and makes room for a suggestion that closes the pair itself: as long as a caret stays
// between the two. What a key does here is one undo step, at all carets. Owned by its CodeEditor.
#pragma once

#include <QByteArray>
#include <QVector>

#include "editor/text/edit.h"

namespace waferpair::editor {

class CodeEditor;

class AutoPairs {
 public:
  explicit AutoPairs(CodeEditor* editor) : editor_(editor) {}

  bool isOn() const { return on_; }
  void setOn(bool on);

  // Each does what the key does, or returns false, having done nothing, where it means no more than
  // elsewhere. A bracket or quote over a selection goes around it.
  bool type(char typed);
  bool backspace();
  // Call when something was typed: closers that a line comment has just been begun before would
  // be part of it, and go.
  void leaveComment();

  // Returns how many bytes right of the caret make room for `text` as it is put there: closers of
  // ours that it closes by itself. `before`: what of the same suggestion stands there already.
  qsizetype takenBy(const QByteArray& before, const QByteArray& text) const;

  // The editor calls these: for each edit, in order; when carets have moved; for another text.
  void follow(const TextEdit& edit);
  void settle();
  void clear() { closers_.clear(); }

 private:
  // The place of a closer, and of the opener that it was put in for.
  struct Closer {
    qint64 opener = 0;
    qint64 at = 0;
  };

  const Closer* closerAt(qint64 at) const;
  QByteArray closersFrom(qint64 at) const;
  QByteArray closersForTyped(char typed, qint64 caret) const;

  CodeEditor* editor_;
  bool on_ = false;
  QVector<Closer> closers_;
};

}  // namespace waferpair::editor
