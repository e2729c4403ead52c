// SPDX-License-Identifier: GPL-3.0-or-later
// The pop-up behind the status bar's model part: every figure with its unit and its clock, what
// went wrong and what can be done, "Restart model" and "Choose model".
#pragma once

#include <QFrame>

class QFormLayout;
class QLabel;
class QPushButton;

namespace waferpair::gui {

class ProjectFeed;
class RuntimeService;

class RuntimeDetails : public QFrame {
  Q_OBJECT
 public:
  // Neither is owned, both outlive the pop-up; `feed` may be null. It deletes itself when closed.
  RuntimeDetails(RuntimeService* runtime, const ProjectFeed* feed, QWidget* parent);

  // Opens above `anchor`, within its screen.
  void popUpAbove(const QWidget* anchor);

 Q_SIGNALS:
  void chooseModelWanted();

 private:
  QLabel* addRow(QFormLayout* form, const QString& name, const QString& title,
                 QLabel* value = nullptr);
  void refresh();

  RuntimeService* runtime_;
  const ProjectFeed* feed_;
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
  QLabel* memory_;
  QLabel* computing_;
  QLabel* context_;
  QLabel* projectFiles_ = nullptr;  // with a feed only
  QPushButton* choose_;
};

}  // namespace waferpair::gui
