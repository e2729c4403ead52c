// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/commit_draft.h"

#include "editor/text/guest_file.h"
#include "gui/git/changes_panel.h"
#include "gui/git/file_actions.h"
#include "pairing/context/gather_context.h"
#include "pairing/context/git_changes.h"
#include "pairing/models/model_roster.h"
#include "pairing/request/reply_wait.h"
#include "pairing/review/commit_message.h"

namespace waferpair::gui {

using pairing::ModelReply;
using pairing::ModelRoster;
using pairing::ReplyDone;
using workbench::GitJob;
using workbench::GitResult;

namespace {

constexpr qint64 kMostGuarded = 4 << 20;  // bytes of a file that are looked through for secrets

// What is staged, or else all that changed, file by file, without what may not go to a model.
GitResult changesToDescribe(const QString& folder) {
  auto changes = pairing::changesSinceHead(folder, pairing::ChangesIn::kIndex);
  if (changes && changes->isEmpty()) changes = pairing::changesSinceHead(folder);
  if (!changes) return tl::unexpected(changes.error());
  QByteArray all;
  bool isAny = false;
  for (pairing::FileChange& change : *changes) {
    if (all.size() > CommitDraft::kMostOfAll) break;
    // Neither a change with a secret goes along nor one beside a secret, not even the file's name.
    // What cannot be looked through as a whole does not go along either.
    const auto whole = editor::readGuestFile(change.path, kMostGuarded);
    if (!whole || !pairing::heldBack(folder, change.path, change.patch).isEmpty() ||
        !pairing::heldBack(folder, change.path, whole->value_or(QByteArray())).isEmpty())
      continue;
    isAny = true;
    if (change.patch.size() > CommitDraft::kMostOfFile)
      change.patch =
          change.patch.left(change.patch.lastIndexOf('\n', CommitDraft::kMostOfFile) + 1) +
          "(cut)\n";
    all += change.patch + '\n';
  }
  if (!isAny) return editor::fail(CommitDraft::tr("There are no changes that may go to a model."));
  return all;
}

}  // namespace

CommitDraft::CommitDraft(ChangesPanel* panel, FileActions* actions, workbench::GitJobs* jobs,
                         ModelRoster* roster, QObject* parent)
    : QObject(parent), panel_(panel), actions_(actions), jobs_(jobs), roster_(roster) {}

CommitDraft::~CommitDraft() {
  if (reply_) reply_->disconnect(this);
}

void CommitDraft::end() {
  panel_->showWaiting({});
  if (reply_) reply_.release()->deleteLater();
}

// What the user typed meanwhile stays.
void CommitDraft::take() {
  if (!panel_->message().isEmpty() && panel_->message() != last_) return reply_->cancel();
  last_ = pairing::commitMessageIn(reply_->text(), keepsForms_);
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
      tr("Reading"), [folder](const GitJob&) { return changesToDescribe(folder); },
      [this](const GitResult& changes) {
        if (!changes) return actions_->say(changes.error().message());
        ask(*changes);
      });
}

void CommitDraft::ask(const QByteArray& changes) {
  const ModelRoster::Choice choice = roster_->choose(pairing::Work::kQuestion);
  if (!choice.endpoint) return actions_->say(choice.reason);  // not any more
  if (reply_) return;
  keepsForms_ = choice.model->keepsForms;
  const auto shown =
      pairing::ShownRequest::of(pairing::commitRequest(QString::fromUtf8(changes), keepsForms_));
  if (!shown) return actions_->say(shown.error().message());
  reply_ = choice.endpoint->send(*shown);
  connect(reply_.get(), &ModelReply::textArrived, this, [this] { take(); });
  connect(reply_.get(), &ModelReply::waited, this, &CommitDraft::showWaiting);
  connect(reply_.get(), &ModelReply::finished, this, [this](ReplyDone) {
    take();
    end();
  });
  connect(reply_.get(), &ModelReply::failed, this, [this](const pairing::ReplyFailure& failure) {
    actions_->say(failure.message());
    end();
  });
  showWaiting();
}

void CommitDraft::showWaiting() {
  panel_->showWaiting(tr("%1. Draft again to stop.").arg(pairing::progressText(*reply_)));
}

}  // namespace waferpair::gui
