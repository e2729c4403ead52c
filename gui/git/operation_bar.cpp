// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/operation_bar.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "gui/kit/elided.h"
#include "gui/kit/small_button.h"
#include "workbench/git/discards.h"

namespace waferpair::gui {

using workbench::GitChange;
using workbench::GitJob;
using workbench::GitOperation;
using workbench::GitResult;
using workbench::GitState;

namespace {

// Git's command for it.
QString verbOf(GitOperation operation) {
  switch (operation) {
    case GitOperation::kMerge:
      return QStringLiteral("merge");
    case GitOperation::kRevert:
      return QStringLiteral("revert");
    case GitOperation::kCherryPick:
      return QStringLiteral("cherry-pick");
    case GitOperation::kRebase:
      return QStringLiteral("rebase");
    case GitOperation::kApply:
      return QStringLiteral("am");
    case GitOperation::kBisect:
      return QStringLiteral("bisect");
    case GitOperation::kNone:
      break;
  }
  return {};
}

QString titleOf(GitOperation operation) {
  switch (operation) {
    case GitOperation::kMerge:
      return OperationBar::tr("A merge is under way");
    case GitOperation::kRevert:
      return OperationBar::tr("A commit is being reverted");
    case GitOperation::kCherryPick:
      return OperationBar::tr("A commit is being picked");
    case GitOperation::kRebase:
      return OperationBar::tr("A rebase is under way");
    case GitOperation::kApply:
      return OperationBar::tr("Patches are being applied");
    case GitOperation::kBisect:
      return OperationBar::tr("A bisection is under way");
    case GitOperation::kNone:
      break;
  }
  return {};
}

bool canSkip(GitOperation operation) {
  return operation != GitOperation::kMerge && operation != GitOperation::kNone &&
         operation != GitOperation::kBisect;
}

bool canContinue(GitOperation operation) {
  return operation != GitOperation::kNone && operation != GitOperation::kBisect;
}

}  // namespace

OperationBar::OperationBar(FileActions* actions, workbench::GitWatch* watch, QWidget* parent)
    : QFrame(parent),
      actions_(actions),
      watch_(watch),
      text_(new ElidedLabel(this)),
      continue_(makeSmallButton("gitContinue", tr("C&ontinue"),
                                tr("Go on: what is staged is the result"), this)),
      skip_(makeSmallButton("gitSkip", tr("S&kip"), tr("Go on without this commit"), this)),
      abort_(makeSmallButton("gitAbort", tr("A&bort"),
                             tr("As it was before; the files are kept among what was discarded"),
                             this)) {
  setObjectName(QStringLiteral("operationBar"));
  setAccessibleName(tr("What git is in the middle of"));
  setProperty("role", QStringLiteral("banner"));
  text_->setObjectName(QStringLiteral("operationText"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 3, 8, 3);
  row->setSpacing(4);
  row->addWidget(text_, 1);
  row->addWidget(continue_);
  row->addWidget(skip_);
  row->addWidget(abort_);
  connect(continue_, &QPushButton::clicked, this, &OperationBar::goOn);
  connect(skip_, &QPushButton::clicked, this, &OperationBar::skip);
  connect(abort_, &QPushButton::clicked, this, &OperationBar::abort);
  connect(watch, &workbench::GitWatch::changed, this, &OperationBar::refresh);
  refresh();
}

void OperationBar::refresh() {
  const auto status = watch_->status();
  const GitOperation operation = status ? status->operation : GitOperation::kNone;
  setVisible(operation != GitOperation::kNone);
  if (operation == GitOperation::kNone) return;
  int conflicts = 0;
  for (const GitChange& change : status->unstaged)
    conflicts += change.state == GitState::kConflict ? 1 : 0;
  text_->setText(conflicts > 0 ? tr("%1: %2.").arg(titleOf(operation),
                                                   tr("%n file(s) in conflict", nullptr, conflicts))
                               : tr("%1.").arg(titleOf(operation)));
  continue_->setVisible(canContinue(operation));
  continue_->setEnabled(conflicts == 0);
  continue_->setToolTip(conflicts == 0 ? tr("Go on: what is staged is the result")
                                       : tr("Resolve the conflicts and stage the files first"));
  skip_->setVisible(canSkip(operation));
}

void OperationBar::run(const QString& way) {
  const auto status = watch_->status();
  const QString verb = status ? verbOf(status->operation) : QString();
  if (verb.isEmpty()) return actions_->say(tr("Nothing is under way."));
  const bool isThere = way == QLatin1String("--abort") ||
                       (way == QLatin1String("--skip") ? canSkip(status->operation)
                                                       : canContinue(status->operation));
  if (!isThere) return actions_->say(tr("Git has no such way here."));
  const QStringList arguments = status->operation == GitOperation::kBisect
                                    ? QStringList{verb, QStringLiteral("reset")}
                                    : QStringList{verb, way};
  QStringList touched;
  if (way != QLatin1String("--continue")) {
    for (const GitChange& change : status->staged) touched.append(change.path);
    for (const GitChange& change : status->unstaged)
      if (change.state != GitState::kUntracked) touched.append(change.path);
    touched.removeDuplicates();
  }
  actions_->whenSaved([this, arguments, touched, at = status->workFolder, way] {
    const QString title = way == QLatin1String("--abort")  ? tr("Aborting")
                          : way == QLatin1String("--skip") ? tr("Skipping")
                                                           : tr("Continuing");
    actions_->run(title, [at, arguments, touched](const GitJob& job) -> GitResult {
      const auto kept = workbench::keepDiscarded(at, touched);
      if (!kept) return tl::unexpected(kept.error());
      return job.call(at, arguments);
    });
  });
}

void OperationBar::goOn() { run(QStringLiteral("--continue")); }
void OperationBar::skip() { run(QStringLiteral("--skip")); }
void OperationBar::abort() { run(QStringLiteral("--abort")); }

}  // namespace waferpair::gui
