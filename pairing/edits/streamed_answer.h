// SPDX-License-Identifier: GPL-3.0-or-later
// An answer read as it streams in, whatever format it turns out to have, without what the model
// thought: search/replace blocks, patches and unified diffs are known by their first line, and
// their changes come one by one; code in fences is known when the answer is over.
#pragma once

#include <QStringEncoder>
#include <memory>
#include <optional>

#include "pairing/answers/answer_reader.h"
#include "pairing/answers/code_reader.h"
#include "pairing/answers/thoughts.h"

namespace waferpair::pairing {

class StreamedAnswer {
 public:
  void feed(QStringView delta);
  // The answer is over. Unless it is `whole`, what is not complete by now counts for nothing.
  void finish(bool whole);

  // True once: what was read so far turned out to be thought, and so were its changes.
  bool takeRestart();
  // The changes that became certain since the last call.
  QVector<ProposedChange> takeChanges();
  // The change that is being read, as AnswerReader::underWay() has it. A block of code counts as
  // one, though it may yet turn out to be none.
  std::optional<ProposedChange> underWay() const;
  // Returns what the answer says beside its changes.
  QByteArray prose() const;
  QVector<AnswerProblem> problems() const;

 private:
  void takeLine(QByteArray line);
  void decide(AnswerFormat format);

  QStringEncoder encoder_{QStringEncoder::Utf8};  // surrogates may come in two deltas
  QByteArray rest_;                               // of a line that is not whole
  Thoughts thoughts_;
  FormatFinder format_;
  std::unique_ptr<AnswerReader> reader_;  // null until a line has told the format
  QByteArray undecided_;                  // what came until then
  CodeReader code_;                       // of the same, as if it were code in fences
  bool restarted_ = false;
  qsizetype taken_ = 0;  // parts of the answer
};

}  // namespace waferpair::pairing
