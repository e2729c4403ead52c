// SPDX-License-Identifier: GPL-3.0-or-later
// Paints rows of a tree with a letter at their end, in the row's color; names give way to it.
#pragma once

#include "gui/kit/shown_texts.h"

namespace waferpair::gui {

class MarkedDelegate : public ShownDelegate {
  Q_OBJECT
 public:
  // `markRole` has the letter; empty: none.
  MarkedDelegate(int markRole, QObject* parent);

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 private:
  int markRole_;
};

}  // namespace waferpair::gui
