// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/apply_answer.h"

#include <QFileInfo>

#include "editor/text/text_document.h"
#include "gui/translate.h"
#include "pairing/placing/answer_placement.h"

namespace waferpair::gui {
namespace {

AppliedAnswer badInput(const QString& why) { return {AppliedAnswer::Status::kBadInput, {}, {why}}; }

}  // namespace

AppliedAnswer applyAnswer(const QString& path, const QByteArray& answer) {
  editor::Snapshot text;
  editor::Encoding encoding = editor::Encoding::kUtf8;
  if (QFileInfo::exists(path)) {
    const auto document = editor::TextDocument::open(path);
    if (!document) return badInput(document.error().message());
    text = (*document)->snapshot();
    encoding = (*document)->file().encoding();
  }
  using Status = pairing::AnsweredText::Status;
  const auto made = pairing::answered(text, answer, QFileInfo(path).absoluteFilePath());
  if (made.status == Status::kNoChange)
    return badInput(tr("The answer holds no change that could be applied."));
  const auto bytes = editor::encodeText(made.text.toByteArray(), encoding);
  if (!bytes) return badInput(bytes.error().message());
  AppliedAnswer applied;
  applied.result = *bytes;
  applied.problems = made.problems;
  if (!applied.problems.isEmpty()) applied.status = AppliedAnswer::Status::kSomeUnplaced;
  return applied;
}

}  // namespace waferpair::gui
