// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/branch_status.h"

#include <QToolButton>

#include "gui/kit/icons.h"
#include "workbench/git/git_watch.h"

namespace waferpair::gui {

using workbench::GitOperation;
using workbench::GitStatus;

namespace {

constexpr int kLongestBranch = 28;  // characters; the tool tip has the whole name

QString operationText(GitOperation operation) {
  switch (operation) {
    case GitOperation::kMerge:
      return BranchStatus::tr("merge under way");
    case GitOperation::kRevert:
      return BranchStatus::tr("revert under way");
    case GitOperation::kCherryPick:
      return BranchStatus::tr("cherry-pick under way");
    case GitOperation::kBisect:
      return BranchStatus::tr("bisect under way");
    case GitOperation::kRebase:
      return BranchStatus::tr("rebase under way");
    case GitOperation::kApply:
      return BranchStatus::tr("patches are being applied");
    case GitOperation::kNone:
      break;
  }
  return {};
}

// As few signs as the status bar has room for.
QString shortText(const GitStatus& status) {
  const QString name = status.branch.isEmpty() ? status.commit : status.branch;
  QString text =
      name.size() > kLongestBranch ? name.left(kLongestBranch - 1) + QChar(0x2026) : name;
  if (status.ahead > 0) text += QStringLiteral(" \u2191%1").arg(status.ahead);
  if (status.behind > 0) text += QStringLiteral(" \u2193%1").arg(status.behind);
  const QString operation = operationText(status.operation);
  return operation.isEmpty() ? text : text + QStringLiteral(", ") + operation;
}

QString fullText(const GitStatus& status) {
  QStringList parts;
  if (status.branch.isEmpty())
    parts.append(BranchStatus::tr("Detached at commit %1").arg(status.commit));
  else
    parts.append(BranchStatus::tr("Branch %1").arg(status.branch));
  if (status.commit.isEmpty()) parts.append(BranchStatus::tr("no commit yet"));
  if (!status.upstream.isEmpty()) {
    if (status.ahead > 0)
      parts.append(
          BranchStatus::tr("%n commit(s) ahead of %1", nullptr, status.ahead).arg(status.upstream));
    if (status.behind > 0)
      parts.append(
          BranchStatus::tr("%n commit(s) behind %1", nullptr, status.behind).arg(status.upstream));
    if (status.ahead + status.behind == 0)
      parts.append(BranchStatus::tr("even with %1").arg(status.upstream));
  }
  const QString operation = operationText(status.operation);
  if (!operation.isEmpty()) parts.append(operation);
  return parts.join(QStringLiteral(", "));
}

}  // namespace

BranchStatus::BranchStatus(workbench::GitWatch* git, QWidget* parent)
    : StatusRow(parent), git_(git), branch_(new QToolButton(this)) {
  setObjectName(QStringLiteral("branchStatus"));
  branch_->setObjectName(QStringLiteral("branch"));
  branch_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  addField(branch_, StatusRank::kBranch, {});
  connect(branch_, &QToolButton::clicked, this, [this] {
    git_->refresh();
    Q_EMIT choiceWanted();
  });
  connect(git_, &workbench::GitWatch::changed, this, &BranchStatus::show);
  show();
}

void BranchStatus::show() {
  const auto& status = git_->status();
  const QString problem = git_->problem().message();
  const QString full = status ? fullText(*status) : problem;
  branch_->setText(status              ? shortText(*status)
                   : problem.isEmpty() ? QString()
                                       : tr("git: problem"));
  branch_->setIcon(problem.isEmpty() ? icon(QStringLiteral("branch"))
                                     : icon(QStringLiteral("warning"), IconTint::kWarning));
  branch_->setToolTip(full);
  branch_->setAccessibleName(tr("Git: %1").arg(full));
  setWanted(branch_, !full.isEmpty());
}

}  // namespace waferpair::gui
