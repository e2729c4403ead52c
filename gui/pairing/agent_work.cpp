// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/agent_work.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/kit/elided.h"
#include "gui/kit/small_button.h"

namespace waferpair::gui {
namespace {

using pairing::AgentPlanEntry;
using pairing::AgentStep;

QString stepMark(AgentStep::State state) {
  switch (state) {
    case AgentStep::State::kPending:
      return QStringLiteral("○");
    case AgentStep::State::kRunning:
      return QStringLiteral("●");
    case AgentStep::State::kDone:
      return QStringLiteral("✓");
    case AgentStep::State::kFailed:
      return QStringLiteral("✗");
    case AgentStep::State::kCanceled:
      return QStringLiteral("–");
  }
  Q_UNREACHABLE();
}

QString stepStateText(AgentStep::State state) {
  switch (state) {
    case AgentStep::State::kPending:
      return AgentWork::tr("waiting");
    case AgentStep::State::kRunning:
      return AgentWork::tr("running");
    case AgentStep::State::kDone:
      return AgentWork::tr("done");
    case AgentStep::State::kFailed:
      return AgentWork::tr("failed");
    case AgentStep::State::kCanceled:
      return AgentWork::tr("not done");
  }
  Q_UNREACHABLE();
}

QString planMark(AgentPlanEntry::State state) {
  switch (state) {
    case AgentPlanEntry::State::kPending:
      return QStringLiteral("☐");
    case AgentPlanEntry::State::kRunning:
      return QStringLiteral("▸");
    case AgentPlanEntry::State::kDone:
      return QStringLiteral("☑");
  }
  Q_UNREACHABLE();
}

QString stepDetails(const AgentStep& step) {
  QStringList parts;
  if (!step.command.isEmpty()) parts.append(QStringLiteral("$ ") + step.command);
  if (!step.folder.isEmpty()) parts.append(AgentWork::tr("in %1").arg(step.folder));
  if (!step.output.isEmpty()) parts.append(step.output.trimmed());
  return parts.join(u'\n');
}

}  // namespace

AgentWork::AgentWork(const QFont& codeFont, QWidget* parent)
    : QWidget(parent),
      codeFont_(codeFont),
      plan_(new QLabel(this)),
      adopt_(makeSmallButton(
          "agentPlanAdopt", tr("Open as Plan"),
          tr("Its steps become a plan of yours, which follows the agent while it works"), this)),
      earlier_(new QToolButton(this)),
      column_(new QVBoxLayout(this)) {
  setObjectName(QStringLiteral("agentWork"));
  plan_->setObjectName(QStringLiteral("agentPlan"));
  plan_->setTextFormat(Qt::PlainText);
  plan_->setWordWrap(true);
  plan_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  plan_->setAccessibleName(tr("Plan"));
  earlier_->setObjectName(QStringLiteral("agentEarlierSteps"));
  earlier_->setProperty("role", QStringLiteral("place"));
  earlier_->setFocusPolicy(Qt::TabFocus);
  connect(earlier_, &QToolButton::clicked, this, [this] {
    showsAll_ = true;
    fold();
  });
  connect(adopt_, &QPushButton::clicked, this, &AgentWork::planWanted);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(2);
  column_->addWidget(plan_);
  column_->addWidget(adopt_, 0, Qt::AlignLeft);
  column_->addWidget(earlier_);
}

void AgentWork::addRow() {
  Row row{new ElidedButton(this), new QWidget(this), new QVBoxLayout, nullptr, {}};
  row.text = new QLabel(row.details);
  row.button->setObjectName(QStringLiteral("agentStep"));
  row.button->setProperty("role", QStringLiteral("place"));
  row.button->setCheckable(true);
  row.button->setFocusPolicy(Qt::TabFocus);
  row.button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  row.text->setObjectName(QStringLiteral("agentStepDetails"));
  row.text->setTextFormat(Qt::PlainText);
  row.text->setWordWrap(true);
  row.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row.text->setFont(codeFont_);
  row.text->setProperty("role", QStringLiteral("muted"));
  row.places->setSpacing(0);
  auto* details = new QVBoxLayout(row.details);
  details->setContentsMargins(18, 0, 0, 4);
  details->setSpacing(2);
  details->addLayout(row.places);
  details->addWidget(row.text);
  row.details->hide();
  connect(row.button, &QToolButton::toggled, row.details, &QWidget::setVisible);
  column_->addWidget(row.button);
  column_->addWidget(row.details);
  rows_.append(row);
}

void AgentWork::showStep(Row* row, const AgentStep& step) {
  row->step = step;
  const QString title =
      editor::shownForm(step.title.isEmpty() ? step.kind : step.title.simplified());
  const QString details = editor::shownForm(stepDetails(step));
  row->button->setText(stepMark(step.state) + u' ' + title);
  row->button->setToolTip(tr("%1 (%2)").arg(title, stepStateText(step.state)));
  row->button->setAccessibleName(row->button->toolTip());
  row->button->setEnabled(!details.isEmpty() || !step.paths.isEmpty());
  row->text->setText(details);
  row->text->setVisible(!details.isEmpty());
  showPlaces(*row);
}

void AgentWork::showPlaces(const Row& row) {
  while (QLayoutItem* item = row.places->takeAt(0)) {
    // One of them may be what was just pressed.
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  const AgentStep& step = row.step;
  for (qsizetype i = 0; i < std::min(step.paths.size(), kShownPlaces); ++i) {
    auto* button = new ElidedButton(row.details);
    button->setObjectName(QStringLiteral("agentStepPlace"));
    button->setProperty("role", QStringLiteral("place"));
    button->setText(tr("Open %1").arg(editor::shownForm(QFileInfo(step.paths[i]).fileName())));
    button->setToolTip(editor::shownForm(step.paths[i]));
    button->setAccessibleName(tr("Open %1").arg(button->toolTip()));
    button->setFocusPolicy(Qt::TabFocus);
    button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    const int line = i == 0 ? std::max(step.line, 1) : 1;
    connect(button, &QToolButton::clicked, this,
            [this, path = step.paths[i], line] { Q_EMIT placeWanted(path, line); });
    row.places->addWidget(button);
  }
}

void AgentWork::show(const QVector<AgentPlanEntry>& plan, const QVector<AgentStep>& steps) {
  QStringList lines;
  for (const AgentPlanEntry& entry : plan) lines.append(planMark(entry.state) + u' ' + entry.text);
  plan_->setText(lines.join(u'\n'));
  plan_->setVisible(!lines.isEmpty());
  adopt_->setVisible(!lines.isEmpty());
  const bool isMore = rows_.size() != steps.size();
  while (rows_.size() < steps.size()) addRow();
  for (qsizetype i = 0; i < steps.size(); ++i)
    if (rows_[i].step != steps[i]) showStep(&rows_[i], steps[i]);
  if (isMore) fold();
  setVisible(!plan.isEmpty() || !steps.isEmpty());
}

void AgentWork::fold() {
  const qsizetype hidden = showsAll_ ? 0 : std::max<qsizetype>(rows_.size() - kShownSteps, 0);
  for (qsizetype i = 0; i < rows_.size(); ++i) {
    rows_[i].button->setVisible(i >= hidden);
    rows_[i].details->setVisible(i >= hidden && rows_[i].button->isChecked());
  }
  earlier_->setText(tr("%n earlier step(s)", nullptr, static_cast<int>(hidden)));
  earlier_->setVisible(hidden > 0);
}

}  // namespace waferpair::gui
