// SPDX-License-Identifier: GPL-3.0-or-later
// Answers made of search/replace blocks, as aider's models write them:
//
//   src/a.py                   before the fence, behind its signs, or in it
//   ```python                  with or without
//   <<<<<<< SEARCH             5 to 9 signs; also "------- SEARCH", and ORIGINAL
//   the old text               nothing: a new file
//   =======
//   the new text
//   >>>>>>> REPLACE            also "+++++++ REPLACE", and UPDATED
//   ```
//
// A block that names no file means the one of the block before it. Where several lines could be the
// one between the texts, it is the one with as many signs as the first line has; if several are,
// the block is a problem.
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

  void beginBlock(const QByteArray& indent, qsizetype length);
  void endBlock();
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
};

}  // namespace waferpair::pairing
