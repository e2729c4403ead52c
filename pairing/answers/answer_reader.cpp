// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/answer_reader.h"

#include <utility>

#include "editor/text/translate.h"
#include "pairing/answers/code_fence.h"
#include "pairing/answers/code_reader.h"
#include "pairing/answers/patch_reader.h"
#include "pairing/answers/search_replace.h"
#include "pairing/answers/tool_edits.h"
#include "pairing/answers/unified_diff.h"

namespace waferpair::pairing {

void AnswerReader::feed(QByteArrayView piece) {
  Q_ASSERT(!finished_);
  if (bytes_ > kMostBytes) return;
  const qint64 room = kMostBytes - bytes_;
  bytes_ += piece.size();
  const QByteArrayView taken = piece.first(std::min<qint64>(piece.size(), room));
  const qsizetype scanned = rest_.size();
  rest_.append(taken.data(), taken.size());
  qsizetype begin = 0;
  for (qsizetype end = rest_.indexOf('\n', scanned); end >= 0; end = rest_.indexOf('\n', begin)) {
    QByteArray line = rest_.sliced(begin, end - begin);
    if (line.endsWith('\r')) line.chop(1);
    begin = end + 1;
    ++lines_;
    takeLine(line);
  }
  rest_.remove(0, begin);
  if (bytes_ > kMostBytes) {
    addProblem(
        lines_,
        translate("The answer is longer than %1 MiB: the rest is not read.").arg(kMostBytes >> 20));
  }
}

void AnswerReader::finish() {
  Q_ASSERT(!finished_);
  finished_ = true;
  // The last line of an answer that is too long is not whole.
  if (!rest_.isEmpty() && bytes_ <= kMostBytes) {
    ++lines_;
    takeLine(rest_);
  }
  rest_.clear();
  takeEnd();
}

void AnswerReader::addProse(const QByteArray& line) {
  if (answer_.parts.isEmpty() || !std::holds_alternative<Prose>(answer_.parts.last()))
    answer_.parts.append(Prose{});
  std::get<Prose>(answer_.parts.last()).text += line + '\n';
}

void AnswerReader::addChange(ProposedChange change) { answer_.parts.append(std::move(change)); }

void AnswerReader::addProblem(qint64 line, const QString& what, bool isHarmless) {
  answer_.problems.append({line, what, isHarmless});
}

std::unique_ptr<AnswerReader> makeAnswerReader(AnswerFormat format) {
  switch (format) {
    case AnswerFormat::kSearchReplace:
      return std::make_unique<SearchReplaceReader>();
    case AnswerFormat::kCode:
      return std::make_unique<CodeReader>();
    case AnswerFormat::kUnifiedDiff:
      return std::make_unique<UnifiedDiffReader>();
    case AnswerFormat::kPatch:
      return std::make_unique<PatchReader>();
    case AnswerFormat::kToolEdits:
      return std::make_unique<ToolEditsReader>();
  }
  Q_UNREACHABLE();
}

Answer readAnswer(AnswerFormat format, QByteArrayView answer) {
  const auto reader = makeAnswerReader(format);
  reader->feed(answer);
  reader->finish();
  return reader->answer();
}

bool FormatFinder::take(QByteArray line) {
  if (certain_) return true;
  if (line.endsWith('\r')) line.chop(1);
  if (SearchReplaceReader::beginsBlock(line)) {
    certain_ = AnswerFormat::kSearchReplace;
  } else if (PatchReader::beginsPatch(line)) {
    certain_ = AnswerFormat::kPatch;
  } else if (UnifiedDiffReader::beginsChange(line)) {
    certain_ = AnswerFormat::kUnifiedDiff;
  } else if (mayCall(line) && ToolEditsReader::beginsEdit(line)) {
    certain_ = AnswerFormat::kToolEdits;
  } else if (const auto fence = CodeFence::opening(line)) {
    hasFence_ = true;
    hasDiffFence_ = hasDiffFence_ || fence->isOfDiff();
  }
  return certain_.has_value();
}

// In a fence of code a line that looks like a part of a call is one of the code.
bool FormatFinder::mayCall(const QByteArray& line) {
  const QByteArray text = line.trimmed();
  if (fence_ && fence_->closedBy(line)) {
    fence_.reset();
  } else if (!fence_) {
    fence_ = CodeFence::opening(line);
    isFirst_ = true;
  } else if (!text.isEmpty()) {
    if (std::exchange(isFirst_, false)) isCall_ = QByteArrayView("{[<*").contains(text.front());
    return isCall_;
  }
  return true;
}

std::optional<AnswerFormat> FormatFinder::format() const {
  if (certain_) return certain_;
  if (hasDiffFence_) return AnswerFormat::kUnifiedDiff;
  if (hasFence_) return AnswerFormat::kCode;
  return {};
}

std::optional<AnswerFormat> guessAnswerFormat(QByteArrayView answer) {
  FormatFinder finder;
  qsizetype begin = 0;
  while (begin < answer.size()) {
    qsizetype end = answer.indexOf('\n', begin);
    if (end < 0) end = answer.size();
    if (finder.take(answer.sliced(begin, end - begin).toByteArray())) break;
    begin = end + 1;
  }
  return finder.format();
}

}  // namespace waferpair::pairing
