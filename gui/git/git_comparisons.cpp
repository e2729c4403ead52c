// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/git_comparisons.h"

#include <QPointer>

#include "gui/documents/comparison.h"
#include "gui/documents/editor_tabs.h"
#include "gui/git/file_actions.h"
#include "gui/kit/input_prompt.h"
#include "workbench/git/git_file.h"

namespace waferpair::gui {

using workbench::GitJob;
using workbench::GitResult;

GitComparisons::GitComparisons(const GitParts& parts, FileActions* actions,
                               workbench::GitJobs* jobs, QObject* parent)
    : QObject(parent), p_(parts), actions_(actions), jobs_(jobs) {}

void GitComparisons::with(Document* document, const QString& revision, const QString& title) {
  if (document->path().isEmpty())
    return actions_->say(tr("This text has no file yet. Save it first."));
  if (document->textDocument()->isBinary())
    return actions_->say(
        tr("%1 is not a text, so there are no lines to compare.").arg(document->title()));
  auto text = std::make_shared<editor::Snapshot>();
  jobs_->start(
      tr("Reading"),
      [text, path = document->path(), encoding = document->encoding(),
       revision](const GitJob&) -> GitResult {
        auto found = workbench::GitFileReader().textAt(path, revision, encoding);
        if (!found) return tl::unexpected(found.error());
        *text = std::move(*found);
        return QByteArray();
      },
      [this, text, title, document = QPointer(document)](const GitResult& result) {
        if (!result) return actions_->say(result.error().message());
        if (!document) return;
        p_.tabs->setCurrent(document);
        new Comparison(document, {title, *text});
        document->setFocus();
      });
}

void GitComparisons::withIndex() {
  if (Document* document = p_.tabs->current())
    with(document, {}, tr("%1 in the index").arg(document->title()));
}

void GitComparisons::withHead() {
  if (Document* document = p_.tabs->current())
    with(document, QStringLiteral("HEAD"), tr("%1 in the last commit").arg(document->title()));
}

void GitComparisons::withCommit() {
  const QPointer<Document> document = p_.tabs->current();
  if (!document) return;
  p_.prompt->open(
      tr("Compare with a commit, a branch or a tag"), QStringLiteral("HEAD~1"), 6,
      [](const QString& text) {
        return text.trimmed().isEmpty() ? tr("Name a commit: HEAD~1, main, v1.2, 1a2b3c4.")
                                        : QString();
      },
      [this, document](const QString& text) {
        const QString revision = text.trimmed();
        if (document) with(document, revision, tr("%1 in %2").arg(document->title(), revision));
      });
}

}  // namespace waferpair::gui
