// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that hold whole files, each in a fenced block with the file's name before it or behind
// the fence's signs:
//
//   src/a.py
//   ```python
//   all that is in the file
//   ```
//
// A block without a name is prose, unless it is the only one of the answer: then it is the file
// that was asked about. In a block, a fence with a language opens a block of the file's own, which
// the next bare one closes.
#pragma once

#include "pairing/answers/answer_reader.h"
#include "pairing/answers/preamble.h"

namespace waferpair::pairing {

class WholeFileReader : public AnswerReader {
 public:
  std::optional<ProposedChange> underWay() const override;

 protected:
  void takeLine(const QByteArray& line) override;
  void takeEnd() override;

 private:
  void beginBlock(const QByteArray& line, const CodeFence& fence);
  void endBlock(const QByteArray& line);
  void say(const QByteArray& line);
  void sayWhatWaits();

  Preamble preamble_;
  int blocks_ = 0;
  // The block that is being read.
  std::optional<CodeFence> fence_;
  QVector<CodeFence> inner_;  // that are open within it
  qint64 beganAt_ = 0;
  QByteArray opening_;  // its first line
  ProposedChange change_;
  // The only block so far, and one without a name: file or prose, the answer's end tells.
  struct Waiting {
    ProposedChange change;
    QByteArray opening, closing;
    QVector<QByteArray> proseAfter;
  };
  std::optional<Waiting> waiting_;
};

}  // namespace waferpair::pairing
