// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/streamed_answer.h"

namespace waferpair::pairing {

void StreamedAnswer::feed(QStringView delta) {
  const QByteArray utf8 = encoder_.encode(delta);
  if (reader_) {
    reader_->feed(utf8);
  } else {
    undecided_ += utf8;
    lookAtLines(false);
  }
}

// Looks at each line once, as guessAnswerFormat() looks at all of them.
void StreamedAnswer::lookAtLines(bool isEnd) {
  while (!reader_ && looked_ < undecided_.size()) {
    qsizetype end = undecided_.indexOf('\n', looked_);
    if (end < 0 && !isEnd) return;
    if (end < 0) end = undecided_.size();
    const auto told = formatToldBy(undecided_.sliced(looked_, end - looked_));
    looked_ = end + 1;
    if (told == AnswerFormat::kWholeFile) {
      hasFence_ = true;
    } else if (told) {
      decide(*told);
    }
  }
}

void StreamedAnswer::decide(AnswerFormat format) {
  reader_ = makeAnswerReader(format);
  reader_->feed(undecided_);
}

void StreamedAnswer::finish(bool whole) {
  if (!whole) return;
  if (!reader_) lookAtLines(true);
  if (!reader_ && hasFence_) decide(AnswerFormat::kWholeFile);
  if (reader_) reader_->finish();
}

QVector<ProposedChange> StreamedAnswer::takeChanges() {
  QVector<ProposedChange> changes;
  if (!reader_) return changes;
  const auto& parts = reader_->answer().parts;
  for (; taken_ < parts.size(); ++taken_) {
    if (const auto* change = std::get_if<ProposedChange>(&parts[taken_])) changes.append(*change);
  }
  return changes;
}

QByteArray StreamedAnswer::prose() const {
  if (!reader_) return undecided_;
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
