// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/tasks/task_status.h"

#include <QToolButton>
#include <chrono>

#include "gui/kit/icons.h"
#include "gui/tasks/task_runner.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kLongestTaskName = 24;  // characters; the tool tip has the whole name

QString shortName(const QString& name) {
  return name.size() > kLongestTaskName ? name.left(kLongestTaskName - 1) + QChar(0x2026) : name;
}

}  // namespace

TaskStatus::TaskStatus(TaskRunner* runner, QWidget* parent)
    : StatusRow(parent), runner_(runner), button_(new QToolButton(this)) {
  setObjectName(QStringLiteral("taskStatus"));
  button_->setObjectName(QStringLiteral("task"));
  button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  addField(button_, StatusRank::kTask, {});
  connect(button_, &QToolButton::clicked, runner_, &TaskRunner::show);
  connect(runner_, &TaskRunner::changed, this, &TaskStatus::show);
  second_.setInterval(std::chrono::seconds(1));
  connect(&second_, &QTimer::timeout, this, &TaskStatus::show);
  show();
}

void TaskStatus::show() {
  const TaskRunner::Run* run = runner_->last();
  setWanted(button_, run != nullptr);
  if (!run) return;
  const bool isRunning = !run->status;
  if (isRunning != second_.isActive()) isRunning ? second_.start() : second_.stop();
  const qint64 took = (isRunning ? run->clock.elapsed() : run->took) / 1000;
  const QString how = isRunning           ? tr("%1 s").arg(took)
                      : *run->status == 0 ? tr("done")
                      : run->errors > 0   ? tr("%n error(s)", nullptr, run->errors)
                      : *run->status > 0  ? tr("failed (%1)").arg(*run->status)
                                          : tr("ended");
  button_->setText(shortName(run->task.name) + QStringLiteral(": ") + how);
  button_->setIcon(isRunning           ? icon(QStringLiteral("play"), IconTint::kAccent)
                   : *run->status == 0 ? icon(QStringLiteral("check"))
                                       : icon(QStringLiteral("error"), IconTint::kDanger));
  button_->setToolTip(tr("Task “%1”, %2 s. Show its output").arg(run->task.name).arg(took));
  // The time is not part of it: a screen reader would say it each second.
  button_->setAccessibleName(isRunning ? tr("Task %1 runs").arg(run->task.name)
                                       : tr("Task %1: %2").arg(run->task.name, how));
}

}  // namespace waferpair::gui
