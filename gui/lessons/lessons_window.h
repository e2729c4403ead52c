// SPDX-License-Identifier: GPL-3.0-or-later
// The window of the lessons: which there are, the step that is read, the way through it by
// keyboard, a presentation in large letters without anything around, and handouts. UI thread only.
#pragma once

#include <QPointer>
#include <QWidget>
#include <memory>

#include "gui/lessons/lesson_page.h"
#include "gui/lessons/lesson_progress.h"
#include "gui/lessons/lesson_run.h"
#include "gui/lessons/lesson_shelf.h"

class QLabel;
class QListWidget;
class QComboBox;
class QPushButton;

namespace waferpair::gui {

class LessonsWindow : public QWidget {
  Q_OBJECT
 public:
  struct Parts {
    LessonRun::Ask ask;
    LessonPage::RunCommand runCommand;
    QString folder;    // with the user's own lessons
    QString progress;  // the file that it is kept in
  };
  LessonsWindow(Parts parts, QWidget* parent);

  void open(int lesson);  // by index
  int lesson() const { return current_; }
  int step() const { return step_; }
  LessonRun* run() const { return run_.get(); }  // null: the lesson has a mistake
  bool isPresenting() const { return presenting_; }
  void setPresenting(bool on);
  // Reads all files again, and stays where it is.
  void reload();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void layOut();
  void showStep(int step);
  void turnTo(int step);
  void showChooser();
  void markDone();
  void keep();
  void chooseHandout();
  void writeHandout(const QString& path);

  Parts parts_;
  LessonProgress progress_;
  QVector<ShelvedLesson> shelf_;
  std::unique_ptr<LessonRun> run_;
  int current_ = -1, step_ = 0;
  bool presenting_ = false;
  Qt::WindowStates before_;
  QListWidget* list_;
  QComboBox* chooser_;  // in place of the list where there is little room
  QLabel* title_;
  QLabel* place_;
  LessonPage* page_;
  QWidget* bar_;
  QLabel* note_;
  QPushButton *back_, *next_, *present_, *handout_;
};

}  // namespace waferpair::gui
