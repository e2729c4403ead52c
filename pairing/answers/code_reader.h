// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that hold code in fenced blocks: whole files or pieces of them, with the file's name
// before the block, behind the fence's signs, or not at all:
//
//   src/a.py
//   ```python
//   all that is in the file, or a function of it
//   ```
//
// What a block is for its text tells (placing/fenced_code.h). In a block, a fence with a language
// opens a block of the file's own, which the next bare one closes.
#pragma once

#include "pairing/answers/answer_reader.h"
#include "pairing/answers/preamble.h"

namespace waferpair::pairing {

class CodeReader : public AnswerReader {
 public:
  std::optional<ProposedChange> underWay() const override;

 protected:
  void takeLine(const QByteArray& line) override;
  void takeEnd() override;

 private:
  void beginBlock(const CodeFence& fence);
  void say(const QByteArray& line);

  Preamble preamble_;
  QByteArray lead_;  // the last line of prose that says something
  // The block that is being read.
  std::optional<CodeFence> fence_;
  QVector<CodeFence> inner_;  // that are open within it
  qint64 beganAt_ = 0;
  ProposedChange change_;
};

}  // namespace waferpair::pairing
