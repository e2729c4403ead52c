// SPDX-License-Identifier: GPL-3.0-or-later
// Sweep's form: each recent change, then the lines around the caret as they were before the last of
// them and as they are, and the model writes them as they will be. Pseudo-files of Qwen's, no more.
//
//   <|file_sep|>src/a.py.diff
//   original:
//   ...
//   updated:
//   ...
//   <|file_sep|>original/src/a.py
//   ...
//   <|file_sep|>current/src/a.py
//   ...
//   <|file_sep|>updated/src/a.py
//
// After github.com/sweepai/vscode-nes, src/local/completions.ts (9bce2d7), blog.sweep.dev "Open
// sourcing a 1.5B parameter Next-Edit Autocomplete Model", and for the recent changes
// github.com/zed-industries/zed, crates/edit_prediction/src/sweep_prompt.rs (24e24d8): windows of
// ten lines on either side, three changes with the lines around them.
#include <algorithm>

#include "pairing/taught/taught_format.h"

namespace waferpair::pairing {
namespace {

constexpr int kWindow = 10;  // lines on either side of the caret's
constexpr qsizetype kMostChanges = 3;
constexpr qsizetype kLongestWindow = 6 << 10;  // bytes

class Sweep : public TaughtFormat {
 public:
  const char* name() const override { return "Sweep"; }

  std::optional<EditPrompt> prompt(const EditQuestion& question) const override {
    static const QByteArrayList kMarks = {"<|file_sep|>", "<|endoftext|>", "</s>"};
    if (holdsAny(question, kMarks)) return {};
    const auto size = static_cast<int>(question.lines.size());
    const LineSpan window{std::max(0, question.caretLine - kWindow),
                          std::min(size, question.caretLine + kWindow + 1)};
    const QByteArray current = joinedLines(question.lines, window);
    if (current.size() > kLongestWindow) return {};
    const QByteArrayList former = formerLines(question, window.first, window.last);
    const QByteArray path = question.path.toUtf8();
    EditPrompt prompt;
    const qsizetype skipped = std::max<qsizetype>(0, question.edits.size() - kMostChanges);
    for (const PastEdit& edit : question.edits.mid(skipped)) {
      const auto around = [&](const QByteArrayList& lines) {
        const QByteArrayList all = edit.above + lines + edit.below;
        return joinedLines(all, {0, static_cast<int>(all.size())});
      };
      prompt.text += "<|file_sep|>" + edit.path.toUtf8() + ".diff\noriginal:\n" +
                     around(edit.before) + "updated:\n" + around(edit.after);
    }
    prompt.text += "<|file_sep|>original/" + path + '\n' +
                   joinedLines(former, {0, static_cast<int>(former.size())}) +
                   "<|file_sep|>current/" + path + '\n' + current + "<|file_sep|>updated/" + path +
                   '\n';
    prompt.stop = {QStringLiteral("<|file_sep|>"), QStringLiteral("</s>")};
    prompt.firstLine = question.firstLine + window.first;
    prompt.lines = question.lines.mid(window.first, window.last - window.first);
    prompt.mostTokens = tokensFor(current.size());
    return prompt;
  }

  std::optional<Rewrite> read(const EditPrompt& prompt, QByteArrayView answer,
                              bool isOver) const override {
    Rewrite rewrite;
    rewrite.count = static_cast<int>(prompt.lines.size());
    rewrite.lines = answeredLines(answer, isOver);
    rewrite.isWhole = isOver;
    return rewrite;
  }
};

}  // namespace

const TaughtFormat& sweepFormat() {
  static const Sweep format;
  return format;
}

}  // namespace waferpair::pairing
