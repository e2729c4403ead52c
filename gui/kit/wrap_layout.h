// SPDX-License-Identifier: GPL-3.0-or-later
// Lays widgets out in a row at the right, or with Qt::AlignLeft at the left; those that have no
// room there go to rows below. None is made narrower than it wants to be while the whole width has
// room for it. With Qt::AlignVCenter the rows are in the middle of what height there is.
#pragma once

#include <QLayout>

namespace waferpair::gui {

class WrapLayout : public QLayout {
 public:
  using QLayout::QLayout;
  ~WrapLayout() override;

  void addItem(QLayoutItem* item) override { items_.append(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;

  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  // All in one row.
  QSize sizeHint() const override;
  // Each in a row of its own.
  QSize minimumSize() const override;
  void setGeometry(const QRect& rectangle) override;

 private:
  // Returns the rows' height in `rectangle`; `moves`: puts the items there.
  int arrange(const QRect& rectangle, bool moves) const;

  QList<QLayoutItem*> items_;
};

}  // namespace waferpair::gui
