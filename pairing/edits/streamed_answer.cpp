// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/streamed_answer.h"

#include <utility>

namespace waferpair::pairing {

void StreamedAnswer::feed(QStringView delta) {
  const qsizetype scanned = rest_.size();
  rest_ += QByteArray(encoder_.encode(delta));
  qsizetype begin = 0;
  for (qsizetype end = rest_.indexOf('\n', scanned); end >= 0; end = rest_.indexOf('\n', begin)) {
    takeLine(rest_.sliced(begin, end - begin));
    begin = end + 1;
  }
  rest_.remove(0, begin);
}

void StreamedAnswer::takeLine(QByteArray line) {
  if (line.endsWith('\r')) line.chop(1);
  const auto said = thoughts_.take(line);
  if (thoughts_.takeRestart()) {
    reader_.reset();
    format_ = {};
    undecided_.clear();
    code_ = {};
    taken_ = 0;
    restarted_ = true;
  }
  if (!said) return;
  if (reader_) {
    reader_->feed(*said + '\n');
    return;
  }
  undecided_ += *said + '\n';
  if (format_.take(*said)) return decide(*format_.format());
  code_.feed(*said + '\n');
}

void StreamedAnswer::decide(AnswerFormat format) {
  reader_ = makeAnswerReader(format);
  reader_->feed(undecided_);
}

void StreamedAnswer::finish(bool whole) {
  if (!whole) return;
  if (!rest_.isEmpty()) takeLine(std::exchange(rest_, {}));
  if (const auto format = format_.format(); !reader_ && format) decide(*format);
  if (reader_) reader_->finish();
}

bool StreamedAnswer::takeRestart() { return std::exchange(restarted_, false); }

QVector<ProposedChange> StreamedAnswer::takeChanges() {
  QVector<ProposedChange> changes;
  if (!reader_) return changes;
  const auto& parts = reader_->answer().parts;
  for (; taken_ < parts.size(); ++taken_) {
    if (const auto* change = std::get_if<ProposedChange>(&parts[taken_])) changes.append(*change);
  }
  return changes;
}

std::optional<ProposedChange> StreamedAnswer::underWay() const {
  if (reader_) return reader_->underWay();
  auto code = code_.underWay();
  if (const auto whole = code_.answer().changes(); !code && !whole.isEmpty()) code = whole.last();
  return code;
}

QByteArray StreamedAnswer::prose() const {
  if (!reader_) return undecided_ + rest_;
  QByteArray text;
  for (const auto& part : reader_->answer().parts) {
    if (const auto* prose = std::get_if<Prose>(&part)) text += prose->text;
  }
  return text;
}

QVector<AnswerProblem> StreamedAnswer::problems() const {
  return reader_ ? reader_->answer().problems : QVector<AnswerProblem>();
}

}  // namespace waferpair::pairing
