// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/rewrite_request.h"

#include <algorithm>

#include "editor/assist/user_snippets.h"
#include "editor/text/indentation.h"
#include "editor/text/text_codec.h"
#include "pairing/answers/code_fence.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

namespace {

constexpr char kRewriteInstructions[] =
    "You are a careful programmer. You edit code exactly as you are told and keep everything else, "
    "comments too.";

constexpr char kPlainInstructions[] =
    "You rewrite code for a programmer. Answer with the whole rewritten code in one fence. Change "
    "what the instruction asks for and nothing else.";
constexpr char kExample[] =
    "```python\ndef area(width, height):\n    # In square meters.\n    return width * "
    "height\n```\n\n"
    "raise a ValueError if width is negative\n\n"
    "Answer with the whole rewritten code in one fence.";
constexpr char kExampleAnswer[] =
    "```python\ndef area(width, height):\n    if width < 0:\n"
    "        raise ValueError(\"width must not be negative\")\n"
    "    # In square meters.\n    return width * height\n```";

// Beyond twice the lines: for a body where there was none, and a word or two around the fence.
constexpr qint64 kSpareTokens = 256;

// The lines as if the least deep of them stood at the left margin.
QByteArray dedented(const QByteArray& code) {
  const TextLines lines(code);
  QByteArray common;
  bool any = false;
  for (qsizetype i = 0; i < lines.count(); ++i) {
    if (lines.squeezed(i).isEmpty()) continue;
    const QByteArray blanks = lines.indent(i);
    if (!any) common = blanks;
    any = true;
    while (!blanks.startsWith(common)) common.chop(1);
  }
  QByteArray made;
  for (qsizetype i = 0; i < lines.count(); ++i) {
    const QByteArray line = lines.line(i).toByteArray();
    made += (line.startsWith(common) ? line.sliced(common.size()) : line.trimmed()) + '\n';
  }
  return made;
}

// As one: a small model is not shown again what it could not use.
QString allInstructions(const EditTask& task) {
  QStringList all;
  for (const EditTurn& turn : task.earlier) all.append(turn.instruction);
  all.append(task.instruction);
  return all.join(QStringLiteral("; and then: "));
}

}  // namespace

editor::Result<ModelRequest> rewriteRequest(const EditTask& task, qint64 mostBytes, int attempt) {
  Q_ASSERT(task.target.count > 0 && task.target.end() <= task.text.lineCount());
  const qint64 start = task.text.lineStart(task.target.first);
  const qint64 size = task.text.lineStart(task.target.end()) - start;
  if (auto fits = fitsModel(size, mostBytes); !fits) return tl::unexpected(fits.error());
  const bool isFirst = attempt == 1;
  const QString language =
      task.language.isEmpty() ? QString() : editor::snippetLanguageNames(task.language).value(0);
  const QString code =
      editor::exactUtf8(dedented(editor::withLf(task.text.slice(start, start + size))));
  const QString inLanguage = language.isEmpty() ? QString() : QStringLiteral(" in ") + language;
  QString prompt;
  if (code.trimmed().isEmpty()) {
    prompt = QStringLiteral("Write new code%1.\n").arg(inLanguage);
  } else {
    const QString fence = fenceAround(code);
    if (isFirst) prompt = QStringLiteral("This is code%1:\n\n").arg(inLanguage);
    prompt += fence + language + u'\n' + code + fence + u'\n';
  }
  prompt += reportedPart(task);
  prompt += isFirst ? QStringLiteral("\nInstruction: ") : QStringLiteral("\n");
  prompt += isFirst ? firstInstruction(task) : allInstructions(task);
  prompt += QStringLiteral("\n\nAnswer with the whole rewritten code in one fence.");
  if (isFirst) prompt += QStringLiteral(" Keep all else as it is, comments too.");
  ModelRequest request =
      ModelRequest::of(QLatin1String(isFirst ? kRewriteInstructions : kPlainInstructions), prompt);
  if (!isFirst) {
    request.input.prepend({InputItem::Kind::kAssistant, QLatin1String(kExampleAnswer), {}});
    request.input.prepend({InputItem::Kind::kUser, QLatin1String(kExample), {}});
    request.temperature = kAgainTemperature;
  }
  if (isFirst)
    request = withTurns(std::move(request), task,
                        QStringLiteral("Answer with the whole rewritten code in one fence."));
  request.mostOutputTokens = static_cast<int>(2 * code.size() / kBytesOfToken + kSpareTokens);
  return request;
}

}  // namespace waferpair::pairing
