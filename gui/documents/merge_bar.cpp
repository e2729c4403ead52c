// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/merge_bar.h"

#include <QHBoxLayout>

#include "gui/documents/merge_conflicts.h"
#include "gui/kit/elided.h"
#include "gui/kit/icon_button.h"
#include "gui/kit/small_button.h"

namespace waferpair::gui {

using editor::Resolution;

MergeBar::MergeBar(MergeConflicts* conflicts, QWidget* parent)
    : QFrame(parent), conflicts_(conflicts), count_(new ElidedLabel(this)) {
  setObjectName(QStringLiteral("mergeBar"));
  setAccessibleName(tr("Conflicts of a merge"));
  count_->setObjectName(QStringLiteral("conflictCount"));
  count_->setTextFormat(Qt::PlainText);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 3, 6, 3);
  row->setSpacing(4);
  row->addWidget(count_, 1);
  const auto step = [&](const char* name, const char* symbol, const QString& text, int direction) {
    QToolButton* button = makeIconButton(QLatin1String(name), QLatin1String(symbol), text, this);
    row->addWidget(button);
    connect(button, &QToolButton::clicked, conflicts,
            [conflicts, direction] { conflicts->step(direction); });
  };
  step("conflictPrevious", "chevron-up", tr("Previous conflict"), -1);
  step("conflictNext", "chevron-down", tr("Next conflict"), +1);
  const auto add = [&](const char* name, const QString& text, const QString& tip,
                       Resolution resolution, bool all) {
    QPushButton* button = makeSmallButton(name, text, tip, this);
    row->addWidget(button);
    if (!all) here_.append(button);
    connect(button, &QPushButton::clicked, conflicts, [conflicts, resolution, all] {
      if (all) {
        conflicts->resolveAll(resolution);
      } else {
        conflicts->resolve(conflicts->current(), resolution);
      }
    });
  };
  add("keepOurs", tr("Ours"), tr("Keep our side of the conflict at the caret"), Resolution::kOurs,
      false);
  add("keepTheirs", tr("Theirs"), tr("Keep their side of the conflict at the caret"),
      Resolution::kTheirs, false);
  add("keepBoth", tr("Both"), tr("Keep both sides of the conflict at the caret, ours first"),
      Resolution::kBoth, false);
  row->addSpacing(8);
  add("keepAllOurs", tr("All Ours"), tr("Keep our side of all conflicts"), Resolution::kOurs, true);
  add("keepAllTheirs", tr("All Theirs"), tr("Keep their side of all conflicts"),
      Resolution::kTheirs, true);
  connect(conflicts, &MergeConflicts::changed, this, &MergeBar::refresh);
}

void MergeBar::refresh() {
  const auto& all = conflicts_->conflicts();
  const qsizetype current = conflicts_->current();
  const auto count = static_cast<int>(all.size());
  for (QPushButton* button : std::as_const(here_)) button->setEnabled(current >= 0);
  if (current < 0) {
    count_->setText(tr("%n conflict(s)", nullptr, count));
  } else {
    const editor::Conflict& at = all[current];
    const QString ours = at.oursName.isEmpty() ? tr("ours") : at.oursName;
    const QString theirs = at.theirsName.isEmpty() ? tr("theirs") : at.theirsName;
    count_->setText(tr("%1 of %n conflict(s): %2 and %3", nullptr, count)
                        .arg(QString::number(current + 1), ours, theirs));
  }
  count_->setToolTip(count_->text());
}

}  // namespace waferpair::gui
