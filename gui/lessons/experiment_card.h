// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment in a lesson: its choices, a button that runs it, and its figures; where something
// else than the first values is chosen, beside those, which stay as marks. UI thread only.
#pragma once

#include <QFrame>

#include "gui/lessons/lesson.h"

class QLabel;
class QPushButton;

namespace waferpair::gui {

class LessonRun;

class ExperimentCard : public QFrame {
  Q_OBJECT
 public:
  // `run` outlives the card; `experiment` is one of its lesson.
  ExperimentCard(LessonRun* run, const LessonExperiment& experiment, QWidget* parent);

 private:
  void showAnswer();

  LessonRun* run_;
  LessonExperiment experiment_;
  QPushButton* button_;
  QLabel* note_;
  QWidget* table_ = nullptr;  // of figures; made anew with each answer
};

}  // namespace waferpair::gui
