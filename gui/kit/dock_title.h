// SPDX-License-Identifier: GPL-3.0-or-later
// The head of a dock: its name, and flat buttons for what can be done with it.
#pragma once

#include <QWidget>

class QDockWidget;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace waferpair::gui {

class DockTitle : public QWidget {
  Q_OBJECT
 public:
  // Becomes the title bar of `dock`, with a button that closes it.
  explicit DockTitle(QDockWidget* dock);

  QToolButton* addButton(const QString& name, const QString& symbol, const QString& text);
  // Has `widget`, which names the dock in its own way, in place of the name.
  void setName(QWidget* widget);

 private:
  QLabel* name_;
  QHBoxLayout* buttons_;
};

}  // namespace waferpair::gui
