// SPDX-License-Identifier: GPL-3.0-or-later
// A table of figures that is only read: names at the left, which take what room there is, figures
// at the right. UI thread only.
#pragma once

#include <QHeaderView>
#include <QStringList>
#include <QTableWidget>

namespace waferpair::gui {

inline void setUpFigureTable(QTableWidget* table, const QStringList& columns) {
  table->setColumnCount(static_cast<int>(columns.size()));
  table->setHorizontalHeaderLabels(columns);
  for (int i = 0; i < columns.size(); ++i)
    table->horizontalHeaderItem(i)->setTextAlignment((i == 0 ? Qt::AlignLeft : Qt::AlignRight) |
                                                     Qt::AlignVCenter);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setAlternatingRowColors(true);
  table->setShowGrid(false);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  table->horizontalHeader()->setHighlightSections(false);
}

}  // namespace waferpair::gui
