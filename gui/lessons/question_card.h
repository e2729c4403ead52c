// SPDX-License-Identifier: GPL-3.0-or-later
// A question in a lesson: what the reader says, and what the experiment says of it. UI thread only.
#pragma once

#include <QFrame>

#include "gui/lessons/lesson.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;

namespace waferpair::gui {

class LessonRun;

class QuestionCard : public QFrame {
  Q_OBJECT
 public:
  // `run` outlives the card; `question` is one of its lesson.
  QuestionCard(LessonRun* run, const LessonQuestion& question, QWidget* parent);

 private:
  void check();
  void showVerdict();

  LessonRun* run_;
  QString id_;
  QLineEdit* number_ = nullptr;      // of a number
  QButtonGroup* options_ = nullptr;  // of the others
  QPushButton* check_;
  QLabel* verdict_;
};

}  // namespace waferpair::gui
