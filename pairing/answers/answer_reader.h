// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a model's answer as it streams in, in one of three formats. How the stream is cut into
// pieces makes no difference to the result.
#pragma once

#include <QByteArrayView>
#include <memory>
#include <optional>

#include "pairing/answers/answer.h"

namespace waferpair::pairing {

enum class AnswerFormat { kSearchReplace, kWholeFile, kUnifiedDiff };

class AnswerReader {
 public:
  // An answer is not read beyond so many bytes, and that is a problem.
  static constexpr qint64 kMostBytes = 16 << 20;

  virtual ~AnswerReader() = default;

  // The next bytes of the answer (UTF-8); a piece may end anywhere.
  void feed(QByteArrayView piece);
  // The answer is over. Nothing may be fed afterwards.
  void finish();

  // The part that is certain so far. It only grows: parts are appended, and the last one, if it is
  // prose, gets longer.
  const Answer& answer() const { return answer_; }
  // The change that is being read, as far as its lines are whole. What comes may still show that it
  // is another one, or none. Costs a copy.
  virtual std::optional<ProposedChange> underWay() const = 0;

 protected:
  // A line, without its end.
  virtual void takeLine(const QByteArray& line) = 0;
  virtual void takeEnd() = 0;

  // The line that is being taken, from 0.
  qint64 lineNumber() const { return lines_ - 1; }
  void addProse(const QByteArray& line);
  void addChange(ProposedChange change);
  void addProblem(qint64 line, const QString& what);

 private:
  Answer answer_;
  QByteArray rest_;  // of a line that is not whole
  qint64 bytes_ = 0;
  qint64 lines_ = 0;
  bool finished_ = false;
};

std::unique_ptr<AnswerReader> makeAnswerReader(AnswerFormat format);

// The whole answer at once.
Answer readAnswer(AnswerFormat format, QByteArrayView answer);

// The format that a line of an answer tells of. A fence tells of a whole file only where no later
// line tells of another format.
std::optional<AnswerFormat> formatToldBy(QByteArray line);

// The format that an answer seems to be in, for answers of unknown origin: by its first line that
// only one format has. None: it holds no change in any of them.
std::optional<AnswerFormat> guessAnswerFormat(QByteArrayView answer);

}  // namespace waferpair::pairing
