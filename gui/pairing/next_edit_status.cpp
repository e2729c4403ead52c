// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/next_edit_status.h"

#include "gui/kit/picker.h"
#include "gui/kit/status_row.h"
#include "gui/pairing/next_edit_service.h"
#include "gui/store/settings.h"

namespace waferpair::gui {

NextEditStatus::NextEditStatus(NextEditService* service, Settings* settings, Picker* picker)
    : service_(service), settings_(settings), picker_(picker) {
  setObjectName(QStringLiteral("nextEditStatus"));
  setFocusPolicy(Qt::TabFocus);
  connect(this, &QToolButton::clicked, this, [this] {
    if (service_->offered().isEmpty()) {
      showCounts();
    } else {
      service_->takeStep();
    }
  });
  connect(service_, &NextEditService::offerChanged, this, &NextEditStatus::refresh);
}

void NextEditStatus::addTo(StatusRow* row) {
  row_ = row;
  row->addField(this, StatusRank::kNextEdit, {});
  refresh();
}

QString NextEditStatus::countsText() const {
  const NextEditService::Counts& counts = service_->counts();
  return tr("%1 shown, %2 taken, %3 dismissed since the program began")
      .arg(counts.shown)
      .arg(counts.accepted)
      .arg(counts.dismissed);
}

void NextEditStatus::refresh() {
  const QString offered = service_->offered();
  const NextEditService::Counts& counts = service_->counts();
  const QString text = offered.isEmpty()
                           ? tr("Next edits: %1 of %2 taken").arg(counts.accepted).arg(counts.shown)
                           : tr("Next edit: %1").arg(offered);
  setText(text);
  setAccessibleName(text);
  setToolTip(tr("Next edits: %1").arg(countsText()));
  setAccessibleDescription(toolTip());
  if (row_) row_->setWanted(this, settings_->get().nextEdits && counts.shown > 0);
}

void NextEditStatus::showCounts() {
  const bool on = settings_->get().nextEdits;
  picker_->open(tr("Next edits"), tr("Next edits"),
                {{on ? tr("Do not offer next edits") : tr("Offer next edits"), 0, {}, {}, !on}},
                [this](const QVariant& wanted) {
                  Preferences changed = settings_->get();
                  changed.nextEdits = wanted.toBool();
                  settings_->set(changed);
                });
  picker_->setNote(countsText());
}

}  // namespace waferpair::gui
