// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a lesson, as it is read. UI thread only.
#pragma once

#include <QScrollArea>
#include <functional>

#include "gui/lessons/lesson.h"

class QVBoxLayout;

namespace waferpair::gui {

class LessonRun;

class LessonPage : public QScrollArea {
  Q_OBJECT
 public:
  // Runs a command of the window; returns why it could not, or an empty text.
  using RunCommand = std::function<QString(const QString& id)>;

  LessonPage(RunCommand runCommand, QWidget* parent);

  // `run` outlives what is shown. `points`: the size of its letters.
  void showStep(LessonRun* run, int step, double points);
  void showProblem(const QString& markdown, double points);
  // The keyboard goes to the first thing that can be used.
  void focusFirst();

 protected:
  // At either end the keys that turn pages are the window's.
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QVBoxLayout* begin(double points);
  void end(QVBoxLayout* column);
  void addCommand(const LessonCommand& command, QWidget* parent, QVBoxLayout* column);

  RunCommand runCommand_;
};

}  // namespace waferpair::gui
