// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/contender_box.h"

#include <QSignalBlocker>

#include "gui/race/race.h"

namespace waferpair::gui {

ContenderBox::ContenderBox(QWidget* parent) : ElidedComboBox(parent) {
  setAccessibleName(tr("Contender"));
  setMaxVisibleItems(24);
  addItem(tr("Nobody"), QString());
}

void ContenderBox::setContenders(const ExperimentAnswer& contenders) {
  const QSignalBlocker quiet(this);
  const QString before = contender();
  clear();
  addItem(tr("Nobody"), QString());
  addItem(tr("This computer, measured"), QLatin1String(kHostContender));
  for (const ExperimentFigure& figure : contenders.figures) {
    const QString kind = figure.name.section(u' ', 0, 0);
    const QString text = kind == u"wafer"  ? tr("Wafer, emulated: %1").arg(figure.label)
                         : kind == u"gpu"  ? tr("GPU, modelled: %1").arg(figure.label)
                         : kind == u"pace" ? tr("Published pace: %1").arg(figure.label)
                                           : QString();
    if (!text.isEmpty()) addItem(text, figure.name);
  }
  choose(before);
}

void ContenderBox::choose(const QString& contender) {
  const QSignalBlocker quiet(this);
  setCurrentIndex(qMax(0, findData(contender)));
}

}  // namespace waferpair::gui
