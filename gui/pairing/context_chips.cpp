// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/context_chips.h"

#include <QLocale>

#include "gui/kit/elided.h"
#include "gui/kit/wrap_layout.h"

namespace waferpair::gui {

using pairing::ContextItem;

ContextChips::ContextChips(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("contextChips"));
  setAccessibleName(tr("What goes along"));
  auto* row = new WrapLayout(this);
  row->setAlignment(Qt::AlignLeft);
  row->setContentsMargins(8, 0, 8, 0);
  row->setSpacing(4);
  hide();
}

QToolButton* ContextChips::makeChip() {
  auto* chip = new ElidedButton(this);
  chip->setObjectName(QStringLiteral("contextChip"));
  chip->setProperty("role", QStringLiteral("chip"));
  chip->setCheckable(true);
  chip->setFocusPolicy(Qt::TabFocus);
  layout()->addWidget(chip);
  connect(chip, &QToolButton::clicked, this, [this, chip](bool isPressed) {
    const qsizetype index = chips_.indexOf(chip);
    if (index < items_.size()) Q_EMIT struck(items_[index], !isPressed);
  });
  return chip;
}

void ContextChips::fill(QToolButton* chip, const ContextItem& item) {
  const bool goes = item.outcome != ContextItem::Outcome::kStruck;
  chip->setText(item.name.section(u'/', -1));
  chip->setChecked(goes);
  QFont letters = font();
  letters.setStrikeOut(!goes);
  chip->setFont(letters);
  const QString size = tr("%1 tokens, estimated").arg(QLocale().toString(item.tokens));
  const QString what =
      goes ? (item.why.isEmpty() ? size : item.why) : tr("It does not go along this time.");
  chip->setToolTip(item.name + u'\n' + what + u'\n' +
                   (goes ? tr("Press to leave it out.") : tr("Press to send it along.")));
  chip->setAccessibleName(goes ? tr("%1 goes along").arg(item.name)
                               : tr("%1 is left out").arg(item.name));
  chip->setAccessibleDescription(what);
}

// A chip that has the keyboard keeps it: another item may be in its place.
void ContextChips::setItems(const QVector<ContextItem>& items) {
  items_ = items;
  items_.removeIf([](const ContextItem& item) {
    return !item.isUnasked() || item.outcome == ContextItem::Outcome::kLeftOut;
  });
  while (chips_.size() < items_.size()) chips_.append(makeChip());
  for (qsizetype i = 0; i < chips_.size(); ++i) {
    if (i < items_.size()) fill(chips_[i], items_[i]);
    chips_[i]->setVisible(i < items_.size());
  }
  setVisible(!items_.isEmpty());
}

}  // namespace waferpair::gui
