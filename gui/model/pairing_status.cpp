// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/pairing_status.h"

#include <QToolButton>

#include "gui/kit/elided.h"
#include "gui/model/pairing_models.h"

namespace waferpair::gui {

using pairing::ModelRoster;

PairingStatus::PairingStatus(const PairingModels* models, QWidget* parent)
    : StatusRow(parent), models_(models), button_(new ElidedButton) {
  setObjectName(QStringLiteral("pairingStatusRow"));
  button_->setObjectName(QStringLiteral("pairingStatus"));
  button_->setFocusPolicy(Qt::TabFocus);
  addField(button_, StatusRank::kPairing, {});
  connect(button_, &QToolButton::clicked, this, &PairingStatus::choiceWanted);
  connect(models_, &PairingModels::changed, this, &PairingStatus::show);
  show();
}

void PairingStatus::show() {
  using Role = ModelRoster::Role;
  const QString fast = models_->wantedText(Role::kFast);
  const QString deep = models_->wantedText(Role::kDeep);
  const ModelRoster::Routing routing = models_->roster()->routing();
  QString name;
  if (routing == ModelRoster::Routing::kByWork) {
    name = fast.isEmpty() || deep.isEmpty() || fast == deep ? (fast.isEmpty() ? deep : fast)
                                                            : tr("%1 / %2").arg(fast, deep);
  } else if (routing == ModelRoster::Routing::kFast) {
    name = fast.isEmpty() ? deep : tr("%1 (fast)").arg(fast);
  } else {
    name = deep.isEmpty() ? fast : tr("%1 (deep)").arg(deep);
  }
  const QString text = tr("pair: %1").arg(name.isEmpty() ? tr("no model") : name);
  if (button_->text() != text) {
    button_->setText(text);
    button_->setAccessibleName(text);
  }
  const auto line = [this](const QString& what, const QString& who, Role role) {
    const pairing::ModelEntry* model = models_->roster()->inRole(role);
    const QString memory = models_->memoryText(role);
    const QString whose = model ? tr("%1: %2, on %3").arg(what, who, model->place())
                                : tr("%1: %2").arg(what, who.isEmpty() ? tr("none") : who);
    return memory.isEmpty() ? whose : tr("%1: %2").arg(whose, memory);
  };
  QStringList lines = {text, line(tr("Fast"), fast, Role::kFast),
                       line(tr("Deep"), deep, Role::kDeep)};
  if (const QString taught = models_->wantedText(Role::kNextEdit); !taught.isEmpty())
    lines.append(line(tr("Next edits"), taught, Role::kNextEdit));
  if (routing == ModelRoster::Routing::kFast) lines.append(tr("You chose the fast one for all."));
  if (routing == ModelRoster::Routing::kDeep) lines.append(tr("You chose the deep one for all."));
  if (fast.isEmpty() && deep.isEmpty()) lines.append(models_->servedRefusal());
  lines.removeAll(QString());
  button_->setToolTip(lines.join(u'\n'));
  button_->setAccessibleDescription(button_->toolTip());
}

}  // namespace waferpair::gui
