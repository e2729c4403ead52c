// SPDX-License-Identifier: GPL-3.0-or-later
// The form of Zeta 2: the region as one side of a merge conflict, of which the model writes the
// other.
//
//   <<<<<<< CURRENT
//   code with the<|user_cursor|> caret
//   =======
//   <[fim-middle]>
//
// The answer is the region anew and ">>>>>>> UPDATED", or "NO_EDITS". After
// github.com/zed-industries/zed, crates/zeta_prompt/src/zeta_prompt/seed_coder.rs (V0211SeedCoder,
// which is "Zeta2" there).
#include "pairing/taught/zeta2_parts.h"

namespace waferpair::pairing {
namespace {

constexpr char kCurrent[] = "<<<<<<< CURRENT", kUpdated[] = ">>>>>>> UPDATED",
               kNoEdits[] = "NO_EDITS";

class Zeta2 : public TaughtFormat {
 public:
  const char* name() const override { return "Zeta 2"; }

  std::optional<EditPrompt> prompt(const EditQuestion& question) const override {
    if (holdsAny(question, zeta2::marksWith({kCurrent, kUpdated}))) return {};
    // Another conflict's separator would end the region.
    for (const QByteArray& line : question.lines)
      if (line == "=======") return {};
    const auto spans = zeta2::spansOf(question);
    if (!spans) return {};
    EditPrompt prompt =
        zeta2::assemble(question, *spans,
                        kCurrent + QByteArray("\n") +
                            zeta2::regionWithCaret(question, spans->region) + "=======\n");
    prompt.stop = {QLatin1String(kUpdated)};
    return prompt;
  }

  std::optional<Rewrite> read(const EditPrompt& prompt, QByteArrayView answer,
                              bool isOver) const override {
    if (answer.startsWith(QByteArrayView(kNoEdits))) return {};
    const qsizetype end = answer.indexOf(QByteArrayView(kUpdated));
    const bool isWhole = isOver || end >= 0;
    Rewrite rewrite;
    rewrite.count = static_cast<int>(prompt.lines.size());
    rewrite.lines = answeredLines(end >= 0 ? answer.first(end) : answer, isWhole);
    for (AnsweredLine& line : rewrite.lines) line.text.replace(zeta2::kCaret, "");
    rewrite.isWhole = isWhole;
    return rewrite;
  }
};

}  // namespace

const TaughtFormat& zeta2Format() {
  static const Zeta2 format;
  return format;
}

}  // namespace waferpair::pairing
