// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/testing/test_status.h"

#include <QToolButton>
#include <chrono>

#include "gui/kit/icons.h"
#include "gui/testing/test_runner.h"

namespace waferpair::gui {

TestStatus::TestStatus(TestRunner* runner, QWidget* parent)
    : StatusRow(parent), runner_(runner), button_(new QToolButton(this)) {
  setObjectName(QStringLiteral("testStatus"));
  button_->setObjectName(QStringLiteral("testState"));
  button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  addField(button_, StatusRank::kTask, {});
  connect(button_, &QToolButton::clicked, this, &TestStatus::panelWanted);
  connect(runner_, &TestRunner::changed, this, &TestStatus::show);
  second_.setInterval(std::chrono::seconds(1));
  connect(&second_, &QTimer::timeout, this, &TestStatus::show);
  show();
}

void TestStatus::show() {
  const bool isRunning = runner_->isRunning();
  if (isRunning != second_.isActive()) isRunning ? second_.start() : second_.stop();
  setWanted(button_, isRunning || runner_->hasRun());
  const int failed = runner_->count(workbench::TestState::kFailed);
  const int passed = runner_->count(workbench::TestState::kPassed);
  const int done = runner_->done();
  // More may be run than the files show: a test with several data is one of them.
  const QString count = runner_->total() >= done && runner_->total() > 0
                            ? tr("%1/%2").arg(done).arg(runner_->total())
                            : QString::number(done);
  const QString wrong = failed > 0 ? tr("%n failed", nullptr, failed) : QString();
  const QString text = isRunning ? (wrong.isEmpty() ? count : count + QStringLiteral(", ") + wrong)
                       : failed > 0 ? wrong
                       : done > 0   ? tr("%n passed", nullptr, passed)
                                    : tr("none run");
  button_->setText(tr("Tests: %1").arg(text));
  button_->setIcon(failed > 0  ? icon(QStringLiteral("error"), IconTint::kDanger)
                   : isRunning ? icon(QStringLiteral("play"), IconTint::kAccent)
                               : icon(QStringLiteral("check")));
  const QString step = runner_->step().isEmpty() ? QString() : u'\n' + runner_->step();
  button_->setToolTip(tr("Tests: %1, %2 s. Show them").arg(text).arg(runner_->took() / 1000) +
                      step);
  // The count is not part of it: a screen reader would say each.
  button_->setAccessibleName(isRunning ? tr("Tests run") : tr("Tests: %1").arg(text));
}

}  // namespace waferpair::gui
