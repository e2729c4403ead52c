// SPDX-License-Identifier: GPL-3.0-or-later
// Closes brackets and quotes as they are typed. A closer that was put in so is overtyped, goes with
// its opener, and makes room for a suggestion that closes the pair itself: as long as a caret stays
// between the two. What a key does here is one undo step, at all carets. Owned by its editor.
#pragma once

#include <QByteArray>
#include <QVector>
#include <optional>

#include "editor/text/edit.h"
#include "editor/view/view_part.h"

namespace waferpair::editor {

class TextView;

class AutoPairs : public ViewPart {
 public:
  explicit AutoPairs(TextView* editor) : editor_(editor) {}

  bool isOn() const { return on_; }
  void setOn(bool on);

  // Each does what the key does, or returns false, having done nothing, where it means no more than
  // elsewhere. A bracket or quote over a selection goes around it.
  // `suggested`: what stands in the text already of a suggestion that goes on with what is typed,
  // and closes by itself what it opens; none: there is no such suggestion.
  bool type(char typed, const std::optional<QByteArray>& suggested = {});
  bool backspace();
  // Call when something was typed: closers that a line comment has just been begun before would
  // be part of it, and go.
  void leaveComment();

  // Returns how many bytes right of the caret make room for `text` as it is put there: closers of
  // ours that it closes by itself. `before`: what of the same suggestion stands there already.
  qsizetype takenBy(const QByteArray& before, const QByteArray& text) const;

  void textEdited(const TextEdit& edit, int line, int linesAdded) override;
  void settle() override;
  void textGoes() override { closers_.clear(); }

 private:
  // The place of a closer, and of the opener that it was put in for.
  struct Closer {
    qint64 opener = 0;
    qint64 at = 0;
  };

  const Closer* closerAt(qint64 at) const;
  QByteArray closersFrom(qint64 at) const;
  QByteArray closersForTyped(char typed, qint64 caret) const;

  TextView* editor_;
  bool on_ = false;
  QVector<Closer> closers_;
};

}  // namespace waferpair::editor
