// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/edit_request.h"

#include <algorithm>

#include "editor/text/size_text.h"
#include "editor/text/text_codec.h"
#include "editor/text/translate.h"
#include "pairing/answers/code_fence.h"
#include "pairing/answers/search_replace.h"

namespace waferpair::pairing {

using editor::Snapshot;

namespace {

constexpr qint64 kStep = 400;  // lines

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

// The lines that are shown around a target, the same for others near it and for the same one when
// it is asked about again: what a server has read is not read anew. All of the text where there is
// room, else whole steps of lines, else as many next to the target as `bytes` have room for.
LineRange window(const EditTask& task, qint64 bytes) {
  const LineRange all{0, task.text.lineCount()};
  if (all.count <= 3 * kStep && sizeOf(task.text, all) <= bytes) return all;
  LineRange steps{std::max<qint64>(0, task.target.first - kStep / 2) / kStep * kStep, 0};
  const qint64 end = (task.target.end() + kStep / 2 + kStep - 1) / kStep * kStep;
  steps.count = std::min(end, all.count) - steps.first;
  if (sizeOf(task.text, steps) <= bytes) return steps;
  LineRange lines = task.target;
  bool grows = true;
  while (grows) {
    grows = false;
    const LineRange up{lines.first - 1, lines.count + 1};
    if (lines.first > 0 && sizeOf(task.text, up) <= bytes) lines = up, grows = true;
    const LineRange down{lines.first, lines.count + 1};
    if (lines.end() < all.count && sizeOf(task.text, down) <= bytes) lines = down, grows = true;
  }
  return lines;
}

QString numbers(const LineRange& lines) {
  return lines.count == 1 ? QStringLiteral("line %1").arg(lines.first + 1)
                          : QStringLiteral("lines %1 to %2").arg(lines.first + 1).arg(lines.end());
}

}  // namespace

qint64 mostEditBytes(qint64 contextTokens) {
  return contextTokens < 0 ? kMostEditBytes : contextTokens / 2 * kBytesOfToken;
}

editor::Result<void> fitsModel(qint64 size, qint64 mostBytes) {
  if (size <= mostBytes) return {};
  return editor::fail(translate("The lines to change have %1, and the model takes %2 of a file.")
                          .arg(editor::sizeText(size), editor::sizeText(mostBytes)),
                      translate("Select fewer lines, or choose a model with a larger context."));
}

QString reportedPart(const EditTask& task) {
  if (task.report.isEmpty()) return {};
  const QString fence = fenceAround(task.report);
  return QStringLiteral("\nThis was reported:\n") + fence + u'\n' + task.report + u'\n' + fence +
         u'\n';
}

QString firstInstruction(const EditTask& task) {
  return task.earlier.isEmpty() ? task.instruction : task.earlier.first().instruction;
}

ModelRequest withTurns(ModelRequest first, const EditTask& task, const QString& last) {
  for (qsizetype i = 0; i < task.earlier.size(); ++i) {
    const bool isLast = i + 1 == task.earlier.size();
    const QString next = isLast ? task.instruction : task.earlier[i + 1].instruction;
    first.input.append({InputItem::Kind::kAssistant, task.earlier[i].answer, {}});
    first.input.append({InputItem::Kind::kUser,
                        QStringLiteral("The instruction: ") + next +
                            (isLast ? QStringLiteral("\n\n") + last : QString()) + u'\n',
                        {}});
  }
  return first;
}

editor::Result<ModelRequest> editRequest(const EditTask& task, qint64 mostBytes) {
  Q_ASSERT(task.target.count > 0 && task.target.end() <= task.text.lineCount());
  const qint64 size = sizeOf(task.text, task.target);
  if (auto fits = fitsModel(size, mostBytes); !fits) return tl::unexpected(fits.error());
  const QString known = task.rules + task.related;
  const qint64 room = std::max<qint64>(mostBytes - size - known.toUtf8().size(), 0);
  QString prompt = task.rules;
  prompt += QStringLiteral("The file is %1").arg(task.path);
  if (!task.language.isEmpty()) prompt += QStringLiteral(" (%1)").arg(task.language);
  prompt += QStringLiteral(".\n");
  const bool isAll = size > 0 && task.target.count == task.text.lineCount();
  const LineRange around = isAll ? task.target : window(task, room);
  if (sizeOf(task.text, around) > size || isAll) {
    prompt += around.count == task.text.lineCount()
                  ? QStringLiteral("\nThis is the file:\n")
                  : QStringLiteral("\nThese lines of it are shown, and others left out:\n");
    prompt += fenced(task.text, around);
  }
  if (!task.related.isEmpty())
    prompt += QStringLiteral("\nIt uses these parts of the project:\n\n") + task.related;
  if (isAll) {
    prompt += QStringLiteral("\nThe instruction is about all of it.\n");
  } else if (size > 0) {
    prompt += QStringLiteral("\nThe instruction is about %1:\n").arg(numbers(task.target)) +
              fenced(task.text, task.target);
  } else {
    prompt += QStringLiteral("\nThe instruction is about %1, which is empty.\n")
                  .arg(task.text.isEmpty() ? QStringLiteral("the file") : numbers(task.target));
  }
  prompt += reportedPart(task);
  prompt += QStringLiteral("\nThe instruction: ") + firstInstruction(task) + u'\n';

  return withTurns(
      ModelRequest::of(QLatin1String(kInstructionsBegin) + QLatin1String(kSearchReplaceForm) +
                           QLatin1String(kInstructionsEnd),
                       prompt),
      task, QStringLiteral("The file is still as it was shown: write all blocks that it takes."));
}

}  // namespace waferpair::pairing
