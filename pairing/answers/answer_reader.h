// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a model's answer as it streams in, in one of several formats. How the stream is cut into
// pieces makes no difference to the result.
#pragma once

#include <QByteArrayView>
#include <memory>
#include <optional>

#include "pairing/answers/answer.h"
#include "pairing/answers/code_fence.h"

namespace waferpair::pairing {

enum class AnswerFormat {
  kSearchReplace,
  kCode,  // in fences
  kUnifiedDiff,
  kPatch,      // "*** Begin Patch"
  kToolEdits,  // what tools for edits are called with, as XML or JSON
};

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
  void addProblem(qint64 line, const QString& what, bool isHarmless = false);

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

// Finds the format that an answer seems to be in, for answers of unknown origin, line by line: its
// first line that only one format has tells. A fence tells of code, and one of a diff of that, only
// where no later line tells of another format.
class FormatFinder {
 public:
  // True: the format is certain.
  bool take(QByteArray line);
  // The format as far as it is told; none: there is no change in any of them.
  std::optional<AnswerFormat> format() const;

 private:
  bool mayCall(const QByteArray& line);

  std::optional<AnswerFormat> certain_;
  std::optional<CodeFence> fence_;  // that is open
  bool isCall_ = false;             // what it holds begins as a call of a tool does
  bool isFirst_ = false;            // nothing came in it yet
  bool hasFence_ = false;
  bool hasDiffFence_ = false;
};
std::optional<AnswerFormat> guessAnswerFormat(QByteArrayView answer);

}  // namespace waferpair::pairing
