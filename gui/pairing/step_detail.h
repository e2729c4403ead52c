// SPDX-License-Identifier: GPL-3.0-or-later
// A step in detail: what can be done with it, its changes, its command, and what the model wrote.
// UI thread only.
#pragma once

#include <QFont>
#include <QWidget>

#include "gui/pairing/answer_blocks.h"
#include "pairing/plans/plan_session.h"

class QButtonGroup;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QVBoxLayout;

namespace waferpair::gui {

class CommandBox;
class MessageView;
class ReviewList;

class StepDetail : public QWidget {
  Q_OBJECT
 public:
  // `session` outlives this.
  StepDetail(pairing::PlanSession* session, QWidget* parent);

  // No plan or no such step: it hides itself.
  void show(const QString& planId, const QString& stepId);
  // The step's answer or output has more text.
  void grow();
  void setCodeFont(const QFont& font);
  void setUnsaved(qsizetype texts);
  ReviewList* review() const { return review_; }
  CommandBox* command() const { return command_; }
  // Gives the keyboard to what waits for the user's decision; false: nothing does.
  bool enter();

 Q_SIGNALS:
  void runWanted();
  void doneWanted();
  void restoreWanted();
  void undoRestoreWanted();
  // Sent for an answer: code is to be put in, or offered as changes, and a link was clicked.
  void insertWanted(const QString& code);
  void applyWanted(const waferpair::gui::AnswerBlock& block);
  void linkClicked(const QUrl& address);

 private:
  enum Page { kChanges, kCommand, kAnswer };
  void layOut();
  const pairing::PlanStep* step() const;
  void showActions();
  void showPages();
  void showAnswer();

  pairing::PlanSession* session_;
  QString planId_, stepId_;
  pairing::StepState shownState_ = pairing::StepState::kToDo;
  QPushButton* run_;
  QPushButton* done_;
  QPushButton* restore_;
  QPushButton* undoRestore_;
  QLabel* problem_;
  QPushButton* copy_;
  QWidget* problemRow_;
  QButtonGroup* pages_;
  QStackedWidget* stack_;
  ReviewList* review_;
  CommandBox* command_;
  QScrollArea* answers_;
  QVBoxLayout* answerColumn_;
  MessageView* answer_ = nullptr;  // of the step in front; null: it has none
  QFont codeFont_;
};

}  // namespace waferpair::gui
