// SPDX-License-Identifier: GPL-3.0-or-later
// Shows where a tab that is being dragged would lie.
#pragma once

#include <QWidget>

namespace waferpair::gui {

class DropMark : public QWidget {
  Q_OBJECT
 public:
  explicit DropMark(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("dropMark"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
  }

  // In the parent's coordinates.
  void showAt(const QRect& area);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace waferpair::gui
