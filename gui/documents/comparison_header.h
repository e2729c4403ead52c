// SPDX-License-Identifier: GPL-3.0-or-later
// The bar over two compared texts: which they are, how many changes there are, and buttons for what
// the keys do. UI thread only.
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace waferpair::gui {

class Comparison;
class ElidedLabel;

class ComparisonHeader : public QFrame {
  Q_OBJECT
 public:
  ComparisonHeader(Comparison* comparison, QWidget* parent);

  // Says this in place of the number of changes.
  void showProblem(const QString& problem);

 private:
  void refresh();

  Comparison* comparison_;
  ElidedLabel* titles_;
  QLabel* count_;
  QToolButton* previous_;
  QToolButton* next_;
  QToolButton* take_;
  QToolButton* takeAll_;
  QToolButton* give_;
  QToolButton* inline_;
};

}  // namespace waferpair::gui
