// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/job_status.h"

#include <QRegularExpression>
#include <QToolButton>
#include <chrono>

#include "gui/kit/icons.h"
#include "workbench/git/git_jobs.h"

namespace waferpair::gui {
namespace {

constexpr std::chrono::milliseconds kJobPatience(400);

}  // namespace

JobStatus::JobStatus(workbench::GitJobs* jobs, QWidget* parent)
    : StatusRow(parent), jobs_(jobs), job_(new QToolButton(this)) {
  setObjectName(QStringLiteral("jobStatus"));
  job_->setObjectName(QStringLiteral("gitJob"));
  job_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  job_->setIcon(icon(QStringLiteral("close")));
  addField(job_, StatusRank::kDownload, {});
  setWanted(job_, false);
  patience_.setSingleShot(true);
  patience_.setInterval(kJobPatience);
  connect(&patience_, &QTimer::timeout, this, &JobStatus::refresh);
  connect(job_, &QToolButton::clicked, jobs_, &workbench::GitJobs::cancel);
  connect(jobs, &workbench::GitJobs::changed, this, [this] {
    if (!jobs_->isRunning()) {
      patience_.stop();
      setWanted(job_, false);
    } else if (!job_->isVisible()) {
      if (!patience_.isActive()) patience_.start();
    } else {
      refresh();
    }
  });
}

void JobStatus::refresh() {
  if (!jobs_->isRunning()) return;
  static const QRegularExpression percent(QStringLiteral("(\\d+)%"));
  const auto part = percent.match(jobs_->news());
  const QString title = jobs_->title();
  job_->setText(part.hasMatch() ? tr("%1 %2 %").arg(title, part.captured(1)) : title);
  const QString news = jobs_->news();
  job_->setToolTip((news.isEmpty() ? title : title + QStringLiteral(": ") + news) + u'\n' +
                   tr("Click to cancel"));
  job_->setAccessibleName(tr("Git: %1. Press to cancel.").arg(job_->text()));
  setWanted(job_, true);
}

}  // namespace waferpair::gui
