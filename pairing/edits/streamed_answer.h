// SPDX-License-Identifier: GPL-3.0-or-later
// An answer read as it streams in, whatever format it turns out to have: search/replace blocks and
// unified diffs are known by their first line, and their changes come one by one; a whole file, in
// the answer's only fence, is known when the answer is over.
#pragma once

#include <QStringEncoder>
#include <memory>

#include "pairing/answers/answer_reader.h"

namespace waferpair::pairing {

class StreamedAnswer {
 public:
  void feed(QStringView delta);
  // The answer is over. Unless it is `whole`, what is not complete by now counts for nothing.
  void finish(bool whole);

  // The changes that became certain since the last call.
  QVector<ProposedChange> takeChanges();
  // Returns what the answer says beside its changes.
  QByteArray prose() const;
  QVector<AnswerProblem> problems() const;

 private:
  void lookAtLines(bool isEnd);
  void decide(AnswerFormat format);

  QStringEncoder encoder_{QStringEncoder::Utf8};  // surrogates may come in two deltas
  std::unique_ptr<AnswerReader> reader_;          // null until a line has told the format
  QByteArray undecided_;                          // what came until then
  qsizetype looked_ = 0;                          // bytes of it, in whole lines
  bool hasFence_ = false;
  qsizetype taken_ = 0;  // parts of the answer
};

}  // namespace waferpair::pairing
