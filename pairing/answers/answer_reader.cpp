// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/answer_reader.h"

#include "pairing/answers/code_fence.h"
#include "pairing/answers/search_replace.h"
#include "pairing/answers/unified_diff.h"
#include "pairing/answers/whole_file.h"
#include "pairing/translate.h"

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

void AnswerReader::addProblem(qint64 line, const QString& what) {
  answer_.problems.append({line, what});
}

std::unique_ptr<AnswerReader> makeAnswerReader(AnswerFormat format) {
  switch (format) {
    case AnswerFormat::kSearchReplace:
      return std::make_unique<SearchReplaceReader>();
    case AnswerFormat::kWholeFile:
      return std::make_unique<WholeFileReader>();
    case AnswerFormat::kUnifiedDiff:
      return std::make_unique<UnifiedDiffReader>();
  }
  Q_UNREACHABLE();
}

Answer readAnswer(AnswerFormat format, QByteArrayView answer) {
  const auto reader = makeAnswerReader(format);
  reader->feed(answer);
  reader->finish();
  return reader->answer();
}

std::optional<AnswerFormat> formatToldBy(QByteArray line) {
  if (line.endsWith('\r')) line.chop(1);
  if (SearchReplaceReader::beginsBlock(line)) return AnswerFormat::kSearchReplace;
  if (UnifiedDiffReader::beginsChange(line)) return AnswerFormat::kUnifiedDiff;
  if (CodeFence::opening(line)) return AnswerFormat::kWholeFile;
  return {};
}

std::optional<AnswerFormat> guessAnswerFormat(QByteArrayView answer) {
  bool hasFence = false;
  qsizetype begin = 0;
  while (begin < answer.size()) {
    qsizetype end = answer.indexOf('\n', begin);
    if (end < 0) end = answer.size();
    const auto told = formatToldBy(answer.sliced(begin, end - begin).toByteArray());
    begin = end + 1;
    if (told && told != AnswerFormat::kWholeFile) return told;
    hasFence = hasFence || told;
  }
  if (hasFence) return AnswerFormat::kWholeFile;
  return {};
}

}  // namespace waferpair::pairing
