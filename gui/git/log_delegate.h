// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a commit's row: how it follows others, the names that point there, its subject, and who
// made it when. UI thread only.
#pragma once

#include "gui/kit/shown_texts.h"

namespace waferpair::gui {

class LogModel;

// Of this theme; they come again after some.
QColor laneColor(int lane);

class LogDelegate : public ShownDelegate {
  Q_OBJECT
 public:
  // `model` outlives this.
  LogDelegate(const LogModel* model, QObject* parent) : ShownDelegate(parent), model_(model) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const LogModel* model_;
};

}  // namespace waferpair::gui
