// SPDX-License-Identifier: GPL-3.0-or-later
// Answers made of search/replace blocks, as aider's models write them:
//
//   src/a.py                   before the fence, behind its signs, or in it
//   ```python                  with or without
//   <<<<<<< SEARCH             5 to 9 signs; also "------- SEARCH", ORIGINAL, OLD, HEAD or no
//                              word, in any case, with the path or a colon behind it
//   :start_line:12             with or without; a line of dashes follows
//   the old text               nothing: a new file
//   =======                    also with REPLACE or NEW behind it
//   the new text
//   >>>>>>> REPLACE            also "+++++++ REPLACE", UPDATED, NEW, no word
//   ```
//
// A block that names no file means the one of the block before it. Where several lines could be the
// one between the texts, it is the one with as many signs as the first line has; if several are,
// the block is a problem, unless one was written twice. A block without a last line ends where its
// fence does, if another block or the answer's end follows.
#pragma once

#include "pairing/answers/answer_reader.h"
#include "pairing/answers/preamble.h"

namespace waferpair::pairing {

// A block, as models are shown its form.
inline constexpr char kSearchReplaceForm[] =
    "<<<<<<< SEARCH\n"
    "lines of the file, copied exactly\n"
    "=======\n"
    "the lines that take their place\n"
    ">>>>>>> REPLACE\n";

class SearchReplaceReader : public AnswerReader {
 public:
  // Returns whether a block begins with this line.
  static bool beginsBlock(const QByteArray& line);
  // Returns whether a block ends with this line, whatever it began with.
  static bool endsBlock(const QByteArray& line);

  std::optional<ProposedChange> underWay() const override;

 protected:
  void takeLine(const QByteArray& line) override;
  void takeEnd() override;

 private:
  struct Divider {
    qsizetype at = 0;     // where its line begins in text_
    qsizetype after = 0;  // where the next line does
    qsizetype length = 0;
  };

  void beginBlock(const QByteArray& line);
  bool takeBlockLine(const QByteArray& line);
  bool takeBlockHead(const QByteArray& line);
  void endBlock();
  bool endAtFence();
  std::optional<Divider> chosenDivider(const QVector<Divider>& fitting);
  ProposedChange changeAt(const Divider& divider) const;

  Preamble preamble_;
  std::optional<CodeFence> fence_;  // around blocks
  QString path_;                    // of the last block that had one
  // The block that is being read.
  bool inBlock_ = false;
  qint64 beganAt_ = 0;
  qsizetype length_ = 0;  // of its first line's signs
  QByteArray indent_;     // of its first line
  QByteArray text_;       // all lines since
  QVector<Divider> dividers_;
  bool saysMore_ = true;  // something came since the last block
  bool anyTail_ = false;  // it began as a conflict of git does, and ends so
  qint64 hintLine_ = -1;
  bool hasPlace_ = false;  // the line before told it
  // Where the fence around it ended within it, and what came since.
  qsizetype fenceEnd_ = -1;
  QVector<QByteArray> sinceFence_;
};

}  // namespace waferpair::pairing
