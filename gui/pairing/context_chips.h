// SPDX-License-Identifier: GPL-3.0-or-later
// What goes along unasked with what is being typed, a chip each: pressed down it goes along, up it
// is struck. Nothing is hidden while it is struck, so it can be taken back. UI thread only.
#pragma once

#include <QWidget>

#include "pairing/context/context_item.h"

class QToolButton;

namespace waferpair::gui {

class ContextChips : public QWidget {
  Q_OBJECT
 public:
  explicit ContextChips(QWidget* parent);

  // Shows the items that go along unasked, and those that would if they were not struck.
  void setItems(const QVector<pairing::ContextItem>& items);

 Q_SIGNALS:
  void struck(const waferpair::pairing::ContextItem& item, bool isStruck);

 private:
  QToolButton* makeChip();
  void fill(QToolButton* chip, const pairing::ContextItem& item);

  QVector<pairing::ContextItem> items_;
  QVector<QToolButton*> chips_;  // as many as were ever shown at a time
};

}  // namespace waferpair::gui
