// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/next_edit_status.h"

#include "gui/kit/picker.h"
#include "gui/kit/status_row.h"
#include "gui/pairing/next_edit_service.h"
#include "gui/pairing/taught_edits.h"
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
  QString text = tr("%1 shown, %2 taken, %3 dismissed since the program began")
                     .arg(counts.shown)
                     .arg(counts.accepted)
                     .arg(counts.dismissed);
  if (counts.shownByModel > 0)
    text += tr("; of these %1 shown and %2 taken are a model's")
                .arg(counts.shownByModel)
                .arg(counts.acceptedByModel);
  return text;
}

// Who is asked where the finders have nothing; empty: nobody.
QString NextEditStatus::modelText() const {
  const TaughtEdits& taught = service_->taught();
  const QString model = taught.modelText();
  if (model.isEmpty()) return {};
  return taught.problem().isEmpty() ? tr("Where no finder has one, it comes from %1.").arg(model)
                                    : tr("Nothing comes from %1. %2").arg(model, taught.problem());
}

void NextEditStatus::refresh() {
  const QString offered = service_->offered();
  const NextEditService::Counts& counts = service_->counts();
  const QString text = offered.isEmpty()
                           ? tr("Next edits: %1 of %2 taken").arg(counts.accepted).arg(counts.shown)
                           : tr("Next edit: %1").arg(offered);
  setText(text);
  setAccessibleName(text);
  QStringList tip = {tr("Next edits: %1").arg(countsText()), modelText()};
  tip.removeAll(QString());
  setToolTip(tip.join(u'\n'));
  setAccessibleDescription(toolTip());
  if (row_)
    row_->setWanted(this, settings_->get().offersNextEdits() &&
                              (counts.shown > 0 || !service_->taught().problem().isEmpty()));
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
  QStringList note = {countsText() + u'.', modelText()};
  note.removeAll(QString());
  picker_->setNote(note.join(u' '));
}

}  // namespace waferpair::gui
