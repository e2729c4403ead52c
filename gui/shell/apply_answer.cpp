// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/apply_answer.h"

#include <QDir>
#include <QFileInfo>

#include "editor/text/text_document.h"
#include "gui/translate.h"
#include "pairing/answers/answer_reader.h"
#include "pairing/placement.h"

namespace waferpair::gui {
namespace {

using pairing::ProposedChange;
using Kind = ProposedChange::Kind;

AppliedAnswer badInput(const QString& why) { return {AppliedAnswer::Status::kBadInput, {}, {why}}; }

// A change names no file, or this one by the end of its path.
bool isFor(const ProposedChange& change, const QString& path) {
  if (change.path.isEmpty()) return true;
  const QString named = QDir::cleanPath(change.path);
  const QString whole = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
  return whole == named || whole.endsWith(u'/' + named);
}

// Empty: the change is in the text.
QString put(const ProposedChange& change, const QString& path, editor::Snapshot* text) {
  if (!isFor(change, path)) return tr("The change is for %1.").arg(change.path);
  if (change.kind == Kind::kDelete || change.kind == Kind::kRename)
    return tr("Deleting and renaming is left to you: %1.").arg(change.path);
  const auto placed = pairing::place(*text, change);
  if (!placed) return placed.error().message();
  for (const editor::TextEdit& edit : placed->edits) *text = text->edited(edit);
  return {};
}

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
  const auto format = pairing::guessAnswerFormat(answer);
  if (!format) return badInput(tr("The answer holds no change that could be applied."));
  const pairing::Answer read = pairing::readAnswer(*format, answer);

  AppliedAnswer applied;
  for (const pairing::AnswerProblem& problem : read.problems)
    applied.problems.append(tr("Line %1: %2").arg(problem.line + 1).arg(problem.what));
  for (const ProposedChange& change : read.changes()) {
    const QString problem = put(change, path, &text);
    if (!problem.isEmpty())
      applied.problems.append(problem + u'\n' + QString::fromUtf8(change.newText));
  }
  if (read.changes().isEmpty() && applied.problems.isEmpty())
    return badInput(tr("The answer holds no change that could be applied."));
  const auto bytes = editor::encodeText(text.toByteArray(), encoding);
  if (!bytes) return badInput(bytes.error().message());
  applied.result = *bytes;
  if (!applied.problems.isEmpty()) applied.status = AppliedAnswer::Status::kSomeUnplaced;
  return applied;
}

}  // namespace waferpair::gui
