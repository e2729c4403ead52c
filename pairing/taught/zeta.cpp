// SPDX-License-Identifier: GPL-3.0-or-later
// The form of Zeta, the first one: an instruction, the edits as diffs, and an excerpt with the
// region that is to be written anew and the caret in it.
//
// After github.com/zed-industries/zed, crates/zeta_prompt/src/zeta_prompt.rs, module zeta1: a
// region of up to 350 tokens and 150 around it, a token counted as three bytes.
#include "pairing/taught/taught_format.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kRewrittenBytes = 350 * 3, kAroundBytes = (350 + 150) * 3;
constexpr qsizetype kHistoryBytes = 500 * 3;
constexpr char kStart[] = "<|editable_region_start|>";
constexpr char kEnd[] = "<|editable_region_end|>";
constexpr char kCaret[] = "<|user_cursor_is_here|>";

class Zeta : public TaughtFormat {
 public:
  const char* name() const override { return "Zeta"; }

  std::optional<EditPrompt> prompt(const EditQuestion& question) const override {
    static const QByteArrayList kMarks = {kStart, kEnd, kCaret, "<|start_of_file|>"};
    if (holdsAny(question, kMarks)) return {};
    const LineSpan caret{question.caretLine, question.caretLine + 1};
    const LineSpan region = linesAround(question, caret, kRewrittenBytes);
    const LineSpan excerpt = linesAround(question, region, kAroundBytes);
    const QByteArray path = question.path.toUtf8();
    EditPrompt prompt;
    prompt.firstLine = question.firstLine + region.first;
    prompt.lines = question.lines.mid(region.first, region.last - region.first);
    QByteArray current = prompt.lines.join('\n');
    if (current.size() > 4 * kRewrittenBytes) return {};  // a line that fills the screen
    prompt.mostTokens = tokensFor(current.size());
    const qsizetype before = joinedLines(question.lines, {region.first, question.caretLine}).size();
    current.insert(before + question.caretColumn, kCaret);

    prompt.text =
        "### Instruction:\n"
        "You are a code completion assistant and your task is to analyze user edits and then "
        "rewrite "
        "an excerpt that the user provides, suggesting the appropriate edits within the excerpt, "
        "taking into account the cursor location.\n\n### User Edits:\n\n" +
        history(question) + "\n\n### User Excerpt:\n\n```" + path + '\n';
    if (question.firstLine + excerpt.first == 0) prompt.text += "<|start_of_file|>\n";
    prompt.text += joinedLines(question.lines, {excerpt.first, region.first}) + kStart + '\n' +
                   current + '\n' + kEnd + '\n' +
                   joinedLines(question.lines, {region.last, excerpt.last}) +
                   "```\n\n### Response:\n";
    prompt.stop = {QLatin1String(kEnd)};
    return prompt;
  }

  std::optional<Rewrite> read(const EditPrompt& prompt, QByteArrayView answer,
                              bool isOver) const override {
    // The region is all that is read; servers differ in whether they leave out its end.
    qsizetype start = answer.indexOf(QByteArrayView(kStart));
    if (start < 0) {
      if (isOver) return {};
      return Rewrite{};
    }
    start += static_cast<qsizetype>(sizeof kStart) - 1;
    if (start < answer.size() && answer[start] == '\n') ++start;
    const qsizetype end = answer.indexOf(QByteArrayView(kEnd), start);
    const bool isWhole = isOver || end >= 0;
    const qsizetype stop = end >= 0 ? end : answer.size();
    Rewrite rewrite;
    rewrite.count = static_cast<int>(prompt.lines.size());
    rewrite.lines = answeredLines(answer.sliced(start, stop - start), isWhole, start);
    for (AnsweredLine& line : rewrite.lines) line.text.replace(kCaret, "");
    rewrite.isWhole = isWhole;
    return rewrite;
  }

 private:
  // The latest edits that there is room for, oldest first.
  static QByteArray history(const EditQuestion& question) {
    QByteArray all;
    for (auto edit = question.edits.rbegin(); edit != question.edits.rend(); ++edit) {
      const QByteArray one =
          "User edited " + edit->path.toUtf8() + ":\n```diff\n" + unifiedHunk(*edit) + "\n```";
      if (all.size() + one.size() > kHistoryBytes) break;
      all = all.isEmpty() ? one : one + "\n\n" + all;
    }
    return all;
  }
};

}  // namespace

const TaughtFormat& zetaFormat() {
  static const Zeta format;
  return format;
}

}  // namespace waferpair::pairing
