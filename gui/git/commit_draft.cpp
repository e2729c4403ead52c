// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/commit_draft.h"

#include <QFile>

#include "gui/git/changes_panel.h"
#include "gui/git/file_actions.h"
#include "pairing/context/gather_context.h"
#include "pairing/models/model_roster.h"

namespace waferpair::gui {

using pairing::ModelReply;
using pairing::ModelRoster;
using pairing::ReplyDone;
using workbench::GitJob;
using workbench::GitResult;

namespace {

constexpr int kMostMessageTokens = 400;
constexpr qint64 kMostGuarded = 4 << 20;  // bytes of a file that are looked through for secrets

// What is staged, or else all that changed, file by file, without what may not go to a model.
GitResult changesToDescribe(const QString& folder, const GitJob& job) {
  QStringList what{QStringLiteral("--cached")};
  auto names = job.call(folder, QStringList{QStringLiteral("diff"), QStringLiteral("--name-only"),
                                            QStringLiteral("-z")} +
                                    what);
  if (names && names->isEmpty()) {
    what = {QStringLiteral("HEAD")};
    names = job.call(folder, QStringList{QStringLiteral("diff"), QStringLiteral("--name-only"),
                                         QStringLiteral("-z")} +
                                 what);
  }
  if (!names) return names;
  QByteArray all;
  bool isAny = false;
  for (const QByteArray& name : names->split('\0')) {
    if (name.isEmpty()) continue;
    const QString path = QString::fromUtf8(name);
    if (all.size() > CommitDraft::kMostOfAll) break;
    auto patch =
        job.call(folder,
                 QStringList{QStringLiteral("diff"), QStringLiteral("--no-color"),
                             QStringLiteral("--no-ext-diff"), QStringLiteral("--no-textconv")} +
                     what + QStringList{QStringLiteral("--"), path},
                 {}, {workbench::literalPaths()});
    if (!patch) return patch;
    // Neither a change with a secret goes along nor one beside a secret, not even the file's name.
    QFile file(folder + u'/' + path);
    const QByteArray whole =
        file.open(QIODevice::ReadOnly) ? file.read(kMostGuarded) : QByteArray();
    if (!pairing::heldBack(folder, file.fileName(), *patch).isEmpty() ||
        !pairing::heldBack(folder, file.fileName(), whole).isEmpty())
      continue;
    isAny = true;
    if (patch->size() > CommitDraft::kMostOfFile)
      *patch = patch->left(patch->lastIndexOf('\n', CommitDraft::kMostOfFile) + 1) + "(cut)\n";
    all += *patch + '\n';
  }
  if (!isAny) return editor::fail(CommitDraft::tr("There are no changes that may go to a model."));
  return all;
}

// A model may put it in a block, or say something before it.
QString messageIn(QString text) {
  const QString fence = QStringLiteral("```");
  if (text.contains(fence)) {
    text = text.section(fence, 1, 1);
    text = text.mid(text.indexOf(u'\n') + 1);
  }
  return text.trimmed();
}

}  // namespace

CommitDraft::CommitDraft(ChangesPanel* panel, FileActions* actions, workbench::GitJobs* jobs,
                         ModelRoster* roster, QObject* parent)
    : QObject(parent), panel_(panel), actions_(actions), jobs_(jobs), roster_(roster) {}

CommitDraft::~CommitDraft() {
  if (reply_) reply_->disconnect(this);
}

void CommitDraft::end() {
  if (reply_) reply_.release()->deleteLater();
}

// What the user typed meanwhile stays.
void CommitDraft::take() {
  if (!panel_->message().isEmpty() && panel_->message() != last_) return reply_->cancel();
  last_ = messageIn(reply_->text());
  panel_->setMessage(last_);
}

void CommitDraft::draft() {
  if (reply_) return reply_->cancel();  // finished() ends it
  const QString folder = actions_->folder();
  if (folder.isEmpty()) return;
  if (!panel_->message().isEmpty() && panel_->message() != last_)
    return actions_->say(tr("There is a message already. Clear it to have one drafted."));
  const ModelRoster::Choice choice = roster_->choose(pairing::Work::kQuestion);
  if (!choice.endpoint) return actions_->say(choice.reason);
  jobs_->start(
      tr("Reading"), [folder](const GitJob& job) { return changesToDescribe(folder, job); },
      [this](const GitResult& changes) {
        if (!changes) return actions_->say(changes.error().message());
        ask(*changes);
      });
}

void CommitDraft::ask(const QByteArray& changes) {
  const ModelRoster::Choice choice = roster_->choose(pairing::Work::kQuestion);
  if (!choice.endpoint) return actions_->say(choice.reason);  // not any more
  if (reply_) return;
  auto request = pairing::ModelRequest::of(
      QStringLiteral(
          "You write the message of a git commit. Its first line is one sentence of at most 72 "
          "characters that says what is so now, without a full stop. Where that is not plain, a "
          "blank line follows and a short paragraph that says why. Answer with the message alone."),
      QString::fromUtf8(changes));
  request.mostOutputTokens = kMostMessageTokens;
  reply_ = choice.endpoint->send(request);
  connect(reply_.get(), &ModelReply::textArrived, this, [this] { take(); });
  connect(reply_.get(), &ModelReply::finished, this, [this](ReplyDone) {
    take();
    end();
  });
  connect(reply_.get(), &ModelReply::failed, this, [this](const pairing::ReplyFailure& failure) {
    actions_->say(failure.message());
    end();
  });
}

}  // namespace waferpair::gui
