// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the work of an agent or a model for an answer: its plan as a list, and its steps, each of
// which opens to show its command, what that wrote, and the way to its files.
#pragma once

#include <QFont>
#include <QVector>
#include <QWidget>

#include "pairing/agents/agent_activity.h"

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace waferpair::gui {

class AgentWork : public QWidget {
  Q_OBJECT
 public:
  // The last steps are shown where there are more; the others on demand.
  static constexpr qsizetype kShownSteps = 8;

  AgentWork(const QFont& codeFont, QWidget* parent);

  void show(const QVector<pairing::AgentPlanEntry>& plan, const QVector<pairing::AgentStep>& steps);

 Q_SIGNALS:
  // The user wants the agent's plan as one of his own.
  void planWanted();
  // A file of a step's is to be opened. `path`: as the step has it.
  void placeWanted(const QString& path, int line);

 private:
  // A step that has several files leads to these.
  static constexpr qsizetype kShownPlaces = 4;

  struct Row {
    QToolButton* button;
    QWidget* details;  // hidden while the step is folded
    QVBoxLayout* places;
    QLabel* text;
    pairing::AgentStep step;
  };
  void addRow();
  void showStep(Row* row, const pairing::AgentStep& step);
  void showPlaces(const Row& row);
  void fold();

  QFont codeFont_;
  QLabel* plan_;
  QPushButton* adopt_;
  QToolButton* earlier_;
  QVBoxLayout* column_;
  QVector<Row> rows_;
  bool showsAll_ = false;
};

}  // namespace waferpair::gui
