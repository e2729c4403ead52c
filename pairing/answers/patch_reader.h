// SPDX-License-Identifier: GPL-3.0-or-later
// Answers made of patches in the form that GPT and Codex write:
//
//   *** Begin Patch
//   *** Update File: src/a.py     also Add File, Delete File; below it "*** Move to: src/b.py"
//   @@ class A                    lines of the file behind which the change stands; several, or
//   none
//    a line that stays
//   -a line that goes
//   +a line that comes
//   *** End of File               what stands above is the file's end
//   *** End Patch
//
// A patch that does not end is not believed: its last change is a problem.
#pragma once

#include "pairing/answers/answer_reader.h"

namespace waferpair::pairing {

class PatchReader : public AnswerReader {
 public:
  // Returns whether a patch begins with this line, or a file in one.
  static bool beginsPatch(const QByteArray& line);
  static bool endsPatch(const QByteArray& line);

  std::optional<ProposedChange> underWay() const override;

 protected:
  void takeLine(const QByteArray& line) override;
  void takeEnd() override;

 private:
  enum class Section { kNone, kUpdate, kAdd };

  // False: the line says nothing of files.
  bool takeHeader(const QByteArray& line);
  void takeAnchor(const QByteArray& line);
  void takeChangeLine(const QByteArray& line);
  void endChange();
  void endFile();

  Section section_ = Section::kNone;
  bool inPatch_ = false;
  QString path_;
  // The change that is being read.
  ProposedChange change_;
  bool hasLines_ = false;
  qsizetype emptyAtEnd_ = 0;  // lines at its end that held nothing at all
  qint64 beganAt_ = 0;
};

}  // namespace waferpair::pairing
