// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/shadow_placement_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/client/runtime_service.h"

namespace waferpair::gui {
namespace {

constexpr int kMostPositions = 1 << 24;  // that the planner plans for

}  // namespace

ShadowPlacementDialog::ShadowPlacementDialog(RuntimeService* runtime, QWidget* parent)
    : QDialog(parent),
      runtime_(runtime),
      objective_(new QComboBox(this)),
      context_(new QSpinBox(this)),
      note_(new QLabel(this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
  setObjectName(QStringLiteral("shadowPlacementDialog"));
  setWindowTitle(tr("Shadow Placement"));
  setAccessibleName(windowTitle());
  setMinimumWidth(460);

  objective_->setObjectName(QStringLiteral("shadowObjective"));
  objective_->setAccessibleName(tr("Place for"));
  objective_->setToolTip(tr("What the planner looks for when it places the shadow on wafers"));
  objective_->setAccessibleDescription(objective_->toolTip());
  objective_->addItem(tr("Lowest latency on the fewest wafers"), QStringLiteral("latency"));
  objective_->addItem(tr("Most replicas"), QStringLiteral("replicas"));
  objective_->addItem(tr("Longest context"), QStringLiteral("context"));
  const ShadowPlacement placement = runtime->shadow()->placement();
  objective_->setCurrentIndex(std::max(0, objective_->findData(placement.objective)));

  context_->setObjectName(QStringLiteral("shadowContext"));
  context_->setAccessibleName(tr("Context, in positions"));
  context_->setRange(0, kMostPositions);
  context_->setSingleStep(1024);
  context_->setGroupSeparatorShown(true);
  context_->setSpecialValueText(tr("Usual"));
  context_->setValue(placement.context);
  context_->setToolTip(tr(
      "Positions that the KV cache has room for; with the longest context, at most. 0: the usual "
      "number."));
  context_->setAccessibleDescription(context_->toolTip());

  note_->setObjectName(QStringLiteral("shadowPlacementNote"));
  note_->setWordWrap(true);
  note_->setAccessibleName(tr("Note"));

  auto* form = new QFormLayout;
  form->addRow(tr("&Place for"), objective_);
  form->addRow(tr("&Context"), context_);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(note_);
  column->addWidget(buttons_);
  connect(buttons_, &QDialogButtonBox::accepted, this, &ShadowPlacementDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(runtime->trace(), &TraceControl::changed, this, &ShadowPlacementDialog::showNote);
  showNote();
}

void ShadowPlacementDialog::showNote() {
  const bool recording = !runtime_->trace()->file().isEmpty();
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(!recording);
  if (recording)
    note_->setText(
        tr("A trace is being recorded, and a trace is of one placement. Stop the recording "
           "to change it (Wafer, Stop Recording)."));
  else if (const auto& shown = runtime_->shadow()->shown())
    note_->setText(tr("The shadow of %1 is placed anew.").arg(shown->model));
  else
    note_->setText(tr("For the next model that is chosen as a shadow."));
  note_->setAccessibleDescription(note_->text());
}

void ShadowPlacementDialog::accept() {
  context_->interpretText();
  runtime_->shadow()->setPlacement(
      {.objective = objective_->currentData().toString(), .context = context_->value()});
  QDialog::accept();
}

}  // namespace waferpair::gui
