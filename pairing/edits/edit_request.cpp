// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/edit_request.h"

#include <algorithm>

#include "editor/text/size_text.h"
#include "editor/text/text_codec.h"
#include "pairing/answers/code_fence.h"
#include "pairing/answers/search_replace.h"
#include "pairing/translate.h"

namespace waferpair::pairing {

using editor::Snapshot;

namespace {

constexpr qint64 kBytesPerToken = 3;  // of code, and on the safe side
constexpr qint64 kMostLinesAround = 400;

constexpr char kInstructionsBegin[] =
    "You edit one file for a programmer, who gives an instruction. Answer with nothing but "
    "search/replace blocks, each of this form:\n"
    "\n";

constexpr char kInstructionsEnd[] =
    "\n"
    "Rules:\n"
    "- SEARCH holds whole lines exactly as they stand in the file, with their indentation: as few "
    "as tell the place from every other.\n"
    "- Write several small blocks, in the order of the file, rather than a large one.\n"
    "- To insert lines, repeat a line beside them in both parts.\n"
    "- Change what the instruction asks for and nothing else, in the style of the file.\n"
    "- An empty file is filled by one block whose SEARCH part is empty.\n"
    "- Do not explain.";

QString fenced(const Snapshot& text, const LineRange& lines) {
  QByteArray code =
      editor::withLf(text.slice(text.lineStart(lines.first), text.lineStart(lines.end())));
  if (!code.endsWith('\n')) code += '\n';
  const QString shown = editor::exactUtf8(code);
  const QString fence = fenceAround(shown);
  return fence + u'\n' + shown + fence + u'\n';
}

qint64 sizeOf(const Snapshot& text, const LineRange& lines) {
  return text.lineStart(lines.end()) - text.lineStart(lines.first);
}

// Returns as many whole lines next to the target as `bytes` have room for.
LineRange linesBefore(const EditTask& task, qint64 bytes) {
  LineRange lines{task.target.first, 0};
  while (lines.first > 0 && lines.count < kMostLinesAround) {
    const LineRange more{lines.first - 1, lines.count + 1};
    if (sizeOf(task.text, more) > bytes) break;
    lines = more;
  }
  return lines;
}

LineRange linesBehind(const EditTask& task, qint64 bytes) {
  LineRange lines{task.target.end(), 0};
  while (lines.end() < task.text.lineCount() && lines.count < kMostLinesAround) {
    const LineRange more{lines.first, lines.count + 1};
    if (sizeOf(task.text, more) > bytes) break;
    lines = more;
  }
  return lines;
}

QString numbers(const LineRange& lines) {
  return lines.count == 1 ? QStringLiteral("line %1").arg(lines.first + 1)
                          : QStringLiteral("lines %1 to %2").arg(lines.first + 1).arg(lines.end());
}

}  // namespace

qint64 mostEditBytes(qint64 contextTokens) {
  return contextTokens < 0 ? kMostEditBytes : contextTokens / 2 * kBytesPerToken;
}

editor::Result<ModelRequest> editRequest(const EditTask& task, qint64 mostBytes) {
  Q_ASSERT(task.target.count > 0 && task.target.end() <= task.text.lineCount());
  const qint64 size = sizeOf(task.text, task.target);
  if (size > mostBytes) {
    return editor::fail(translate("The lines to change have %1, and the model takes %2 of a file.")
                            .arg(editor::sizeText(size), editor::sizeText(mostBytes)),
                        translate("Select fewer lines, or choose a model with a larger context."));
  }
  // Room that one side does not need is the other's.
  const qint64 room = mostBytes - size;
  const qint64 wanted = sizeOf(task.text, linesBehind(task, room / 2));
  const LineRange before = linesBefore(task, room - wanted);
  const LineRange behind = linesBehind(task, room - sizeOf(task.text, before));

  QString prompt = QStringLiteral("The file is %1").arg(task.path);
  if (!task.language.isEmpty()) prompt += QStringLiteral(" (%1)").arg(task.language);
  prompt += QStringLiteral(", %1 lines.\n").arg(task.text.lineCount());
  if (before.count > 0) {
    prompt += QStringLiteral("\nFor reference, %1, which come before:\n").arg(numbers(before)) +
              fenced(task.text, before);
  }
  if (size > 0) {
    prompt += QStringLiteral("\nThe instruction is about %1:\n").arg(numbers(task.target)) +
              fenced(task.text, task.target);
  } else {
    prompt += QStringLiteral("\nThe instruction is about %1, which is empty.\n")
                  .arg(task.text.isEmpty() ? QStringLiteral("the file") : numbers(task.target));
  }
  if (behind.count > 0) {
    prompt += QStringLiteral("\nFor reference, %1, which follow:\n").arg(numbers(behind)) +
              fenced(task.text, behind);
  }
  if (!task.report.isEmpty()) {
    const QString fence = fenceAround(task.report);
    prompt += QStringLiteral("\nThis was reported:\n") + fence + u'\n' + task.report + u'\n' +
              fence + u'\n';
  }
  prompt += QStringLiteral("\nThe instruction: ") + task.instruction + u'\n';

  return ModelRequest::of(QLatin1String(kInstructionsBegin) + QLatin1String(kSearchReplaceForm) +
                              QLatin1String(kInstructionsEnd),
                          prompt);
}

}  // namespace waferpair::pairing
