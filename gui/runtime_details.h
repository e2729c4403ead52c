// SPDX-License-Identifier: GPL-3.0-or-later
// The pop-up behind the status bar's model part: every figure with its unit and its clock, what
// went wrong and what can be done, "Restart model" and "Choose model".
#pragma once

#include <QFrame>

class QFormLayout;
class QLabel;
class QPushButton;

namespace waferpair::gui {

class RuntimeService;

class RuntimeDetails : public QFrame {
  Q_OBJECT
 public:
  // `runtime` is not owned and outlives the pop-up. It deletes itself when closed.
  explicit RuntimeDetails(RuntimeService* runtime, QWidget* parent);

  // Above `anchor`, within its screen.
  void popUpAbove(const QWidget* anchor);

 Q_SIGNALS:
  void chooseModelWanted();

 private:
  QLabel* addRow(QFormLayout* form, const QString& name, const QString& title);
  void refresh();

  RuntimeService* runtime_;
  QLabel* problem_;
  QLabel* state_;
  QLabel* model_;
  QLabel* file_;
  QLabel* hostRate_;
  QLabel* hostFirstToken_;
  QLabel* waferRate_;
  QLabel* waferFirstToken_;
  QLabel* wafer_;
  QLabel* shadow_;
  QLabel* context_;
  QPushButton* choose_;
};

}  // namespace waferpair::gui
