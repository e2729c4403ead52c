// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of models that were taught next edits, in each form, as they come in and at their ends. A
// change is of lines that were sent, and ends within the answer.
#include <cstdlib>

#include "pairing/taught/taught_change.h"

using namespace waferpair::pairing;

namespace {

void check(const EditPrompt& prompt, const TaughtFormat& format, QByteArrayView answer,
           bool isOver) {
  const auto rewrite = format.read(prompt, answer, isOver);
  if (!rewrite) return;
  const auto change = firstChange(prompt, *rewrite);
  if (!change) return;
  const qsizetype first = change->line - prompt.firstLine;
  if (first < 0 || first + change->before.size() > prompt.lines.size() ||
      prompt.lines.mid(first, change->before.size()) != change->before || change->end < 0 ||
      change->end > answer.size() || (change->before.isEmpty() && change->after.isEmpty()))
    std::abort();
  isIdle(*change, {{"a", change->line, change->after, change->before}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const EditPrompt prompt = [] {
    EditPrompt made;
    made.firstLine = 7;
    for (int i = 0; i < 20; ++i)
      made.lines += i == 7 || i == 13 ? QByteArray() : "line " + QByteArray::number(i);
    return made;
  }();
  const QByteArrayView answer(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  for (const TaughtFormat* format :
       {&sweepFormat(), &zetaFormat(), &zeta2Format(), &zeta21Format()}) {
    check(prompt, *format, answer, false);
    check(prompt, *format, answer, true);
  }
  return 0;
}
