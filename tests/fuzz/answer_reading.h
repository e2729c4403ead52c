// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that hold for any bytes read as a model's answer, in each format.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "pairing/answers/answer_reader.h"

namespace waferpair::pairing {

// Checks that it makes no difference how the bytes are cut, that the change under way can always be
// asked for, and that no more is read than was fed.
inline void readAnyAnswer(AnswerFormat format, const std::uint8_t* data, std::size_t size) {
  const QByteArrayView bytes(data, static_cast<qsizetype>(size));
  const Answer whole = readAnswer(format, bytes);
  const auto reader = makeAnswerReader(format);
  const qsizetype some = size == 0 ? 1 : 1 + data[size - 1] % 13;
  for (qsizetype at = 0; at < bytes.size(); at += some) {
    reader->feed(bytes.sliced(at, std::min(some, bytes.size() - at)));
    if (size < 4096) (void)reader->underWay();
  }
  reader->finish();
  if (!(reader->answer() == whole)) std::abort();

  qsizetype read = 0;
  for (const auto& part : whole.parts) {
    if (const auto* prose = std::get_if<Prose>(&part)) read += prose->text.size();
  }
  for (const ProposedChange& change : whole.changes()) {
    // A line that stays is part of both texts.
    read += std::max(change.oldText.size(), change.newText.size());
    if (change.hintLine < -1) std::abort();
    if (change.kind == ProposedChange::Kind::kCreate && !change.oldText.isEmpty()) std::abort();
    if (change.kind == ProposedChange::Kind::kReplace && change.oldText == change.newText)
      std::abort();
  }
  // The last line may get an end that it lacks.
  if (read > bytes.size() + 1) std::abort();
}

}  // namespace waferpair::pairing
