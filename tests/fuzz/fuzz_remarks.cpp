// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as an answer with remarks at lines: they are read within their limits, and each change
// of the answer belongs to one of them, in the answer's order.
#include <cstdint>
#include <cstdlib>

#include "pairing/answers/answer_reader.h"
#include "pairing/review/remarks.h"

using namespace waferpair::pairing;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const QByteArray text(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  const Answer answer = readAnswer(AnswerFormat::kSearchReplace, text);
  const QVector<Remark> remarks = remarksIn(answer);
  if (remarks.size() > kMostRemarks) std::abort();
  QVector<ProposedChange> changes;
  for (const Remark& remark : remarks) {
    if (remark.line < 0 || remark.text.size() > kMostOfRemark) std::abort();
    if (remark.hasPlace() && remark.path.isEmpty()) std::abort();
    changes += remark.changes;
  }
  if (changes != answer.changes()) std::abort();
  return 0;
}
