// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/line_blame.h"

#include <QDateTime>
#include <QLocale>
#include <memory>

#include "editor/ghost/ghost_text.h"
#include "editor/ghost/line_hint.h"
#include "editor/view/announce.h"
#include "gui/documents/editor_tabs.h"
#include "gui/git/file_actions.h"
#include "workbench/git/blame.h"

namespace waferpair::gui {

using workbench::BlamedLine;
using workbench::GitJob;
using workbench::GitResult;

LineBlame::LineBlame(const GitParts& parts, FileActions* actions, workbench::GitJobs* jobs,
                     QObject* parent)
    : QObject(parent), p_(parts), actions_(actions), jobs_(jobs) {}

void LineBlame::hide() {
  if (hint_) hint_->deleteLater();
  hint_.clear();
}

void LineBlame::ask(const Take& take) {
  const QPointer<Document> document = p_.tabs->current();
  if (!document) return;
  if (document->path().isEmpty())
    return actions_->say(tr("This text has no file yet. Save it first."));
  hide();
  // Git counts LF, and reads the text as it is here.
  const editor::Snapshot text = document->text();
  const int line = document->editor()->caretLine();
  const qint64 start = document->editor()->lineStart(line);
  auto found = std::make_shared<QVector<BlamedLine>>();
  jobs_->start(
      tr("Reading"),
      [text, start, found, path = document->path(),
       encoding = document->encoding()](const GitJob& job) -> GitResult {
        auto lines = workbench::blame({path, text, encoding, text.slice(0, start).count('\n') + 1},
                                      job.cancelled);
        if (!lines) return tl::unexpected(lines.error());
        *found = std::move(*lines);
        return QByteArray();
      },
      [this, document, line, take, found](const GitResult& result) {
        if (!result) return actions_->say(result.error().message());
        if (!document || found->isEmpty() || document->editor()->caretLine() != line) return;
        take(document, line, found->constFirst());
      });
}

void LineBlame::show() {
  ask([this](const QPointer<Document>& document, int line, const BlamedLine& blamed) {
    const QString said =
        blamed.commit.isEmpty()
            ? tr("Not committed yet")
            : tr("%1, %2: %3 (%4)")
                  .arg(blamed.author,
                       QLocale().toString(QDateTime::fromSecsSinceEpoch(blamed.when).date(),
                                          QLocale::ShortFormat),
                       blamed.subject, QString::fromLatin1(blamed.commit.left(10)));
    editor::CodeEditor* editor = document->editor();
    hint_ = new editor::LineHint(editor, editor->ghost());
    hint_->setObjectName(QStringLiteral("lineBlame"));
    hint_->offer(line, said, said);
    editor::announce(editor, said);
    connect(editor, &editor::CodeEditor::textChanged, hint_, [this] { hide(); });
    connect(editor, &editor::CodeEditor::cursorMoved, hint_, [this, line](int now, int) {
      if (now != line) hide();
    });
  });
}

void LineBlame::openCommit() {
  ask([this](const QPointer<Document>& document, int, const BlamedLine& blamed) {
    if (blamed.commit.isEmpty()) return actions_->say(tr("This line is not committed yet."));
    Q_EMIT commitWanted(blamed.commit, document->path());
  });
}

}  // namespace waferpair::gui
