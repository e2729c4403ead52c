// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/apply_code.h"

#include <QDir>
#include <QFileInfo>

#include "editor/assist/hunks.h"
#include "gui/documents/editor_tabs.h"
#include "gui/pairing/hunk_reveal.h"
#include "gui/translate.h"
#include "pairing/answers/answer_reader.h"
#include "pairing/placement.h"

namespace waferpair::gui {
namespace {

using pairing::AnswerFormat;
using pairing::ProposedChange;

std::optional<AnswerFormat> changeFormat(const QByteArray& code) {
  const auto format = pairing::guessAnswerFormat(code);
  if (!format || *format == AnswerFormat::kCode) return std::nullopt;
  return format;
}

Document* documentFor(const ProposedChange& change, EditorTabs* tabs, const QString& root) {
  if (change.path.isEmpty()) return tabs->current();
  const QString path = QDir::cleanPath(root + u'/' + change.path);
  if (root.isEmpty() || !path.startsWith(root + u'/') || !QFileInfo(path).isFile()) return nullptr;
  return tabs->openFile(path);
}

// Empty: it is offered.
QString offerChange(const ProposedChange& change, EditorTabs* tabs, const QString& root) {
  using Kind = ProposedChange::Kind;
  if (change.kind == Kind::kDelete || change.kind == Kind::kRename)
    return tr("Deleting and renaming is left to you: %1.").arg(change.path);
  Document* document = documentFor(change, tabs, root);
  if (!document && change.path.isEmpty()) return tr("No text is open to put the change into.");
  if (!document) return tr("The folder has no file %1 to put the change into.").arg(change.path);
  const auto placed = pairing::place(document->text(), change);
  if (!placed) return placed.error().message();
  const auto hunks = editor::suggestionOf({}, placed->edits).hunks;
  if (hunks.isEmpty()) return tr("The text is already as the change would have it.");
  if (!document->hunks()->add(hunks))
    return tr("It changes lines that another change on offer changes. Accept that one first.");
  const qint64 first = hunks.constFirst().range.start();
  document->editor()->goToLine(document->editor()->lineAt(first));
  document->editor()->setSelection(first, first);
  HunkReveal::of(document)->show(document->hunks()->at(first));
  return {};
}

}  // namespace

bool proposesChanges(const QString& code) { return changeFormat(code.toUtf8()).has_value(); }

QStringList offerChanges(const QString& code, EditorTabs* tabs, const QString& root) {
  const QByteArray utf8 = code.toUtf8();
  const auto format = changeFormat(utf8);
  Q_ASSERT(format);
  const pairing::Answer answer = pairing::readAnswer(*format, utf8);
  QStringList problems;
  for (const pairing::AnswerProblem& problem : answer.problems) problems.append(problem.what);
  for (const ProposedChange& change : answer.changes()) {
    const QString problem = offerChange(change, tabs, root);
    if (!problem.isEmpty()) problems.append(problem);
  }
  return problems;
}

}  // namespace waferpair::gui
