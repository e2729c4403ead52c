// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/taught/zeta2_parts.h"

namespace waferpair::pairing::zeta2 {
namespace {

constexpr qsizetype kRegionBytes = 350 * 3, kExcerptBytes = (350 + 150) * 3;
constexpr qsizetype kPromptBytes = 4096 * 3;
constexpr char kSuffix[] = "<[fim-suffix]>", kPrefix[] = "<[fim-prefix]>",
               kMiddle[] = "<[fim-middle]>", kFile[] = "<filename>";

// The latest edits that there is room for, oldest first.
QByteArray history(const EditQuestion& question, qsizetype room) {
  QByteArray all;
  for (auto edit = question.edits.rbegin(); edit != question.edits.rend(); ++edit) {
    const QByteArray path = edit->path.toUtf8();
    const QByteArray one = "--- a/" + path + "\n+++ b/" + path + '\n' + unifiedHunk(*edit);
    if (all.size() + one.size() > room) break;
    all.prepend(one);
  }
  if (all.isEmpty()) return {};
  return kFile + QByteArray("edit_history\n") + all + '\n';
}

}  // namespace

std::optional<Spans> spansOf(const EditQuestion& question) {
  const LineSpan caret{question.caretLine, question.caretLine + 1};
  const LineSpan region = linesAround(question, caret, kRegionBytes);
  if (joinedLines(question.lines, region).size() > 4 * kRegionBytes) return {};
  return Spans{region, linesAround(question, region, kExcerptBytes)};
}

QByteArray regionWithCaret(const EditQuestion& question, LineSpan region) {
  QByteArray text = joinedLines(question.lines, region);
  const qsizetype before = joinedLines(question.lines, {region.first, question.caretLine}).size();
  return text.insert(before + question.caretColumn, kCaret);
}

EditPrompt assemble(const EditQuestion& question, const Spans& spans, const QByteArray& region) {
  const QByteArray suffix =
      kSuffix + joinedLines(question.lines, {spans.region.last, spans.excerpt.last});
  const QByteArray here = kFile + question.path.toUtf8() + '\n' +
                          joinedLines(question.lines, {spans.excerpt.first, spans.region.first}) +
                          region;
  EditPrompt prompt;
  prompt.firstLine = question.firstLine + spans.region.first;
  prompt.lines = question.lines.mid(spans.region.first, spans.region.last - spans.region.first);
  prompt.mostTokens = tokensFor(region.size());
  prompt.text = suffix.endsWith('\n') ? suffix : suffix + '\n';
  prompt.text +=
      kPrefix + history(question, kPromptBytes - suffix.size() - here.size()) + here + kMiddle;
  return prompt;
}

QByteArrayList marksWith(const QByteArrayList& own) {
  return QByteArrayList{kSuffix, kPrefix, kMiddle, kFile, kCaret} + own;
}

}  // namespace waferpair::pairing::zeta2
