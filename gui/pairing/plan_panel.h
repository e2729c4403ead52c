// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of the project: the steps of the one in front, the chosen step in detail, and what a plan
// is asked for with. UI thread only.
#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>

#include "editor/text/result.h"
#include "gui/pairing/answer_blocks.h"
#include "pairing/plans/plan_session.h"

class QAction;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace waferpair::gui {

class AskInput;
class BannerStack;
class ElidedLabel;
class InputPrompt;
class MessageView;
class NoModelNote;
class Picker;
class PlanList;
class PlanMeter;
class PlanModel;
class ReviewMarks;
class StartGate;
class StepDetail;

class PlanPanel : public QWidget {
  Q_OBJECT
 public:
  // The services that the panel asks of the window.
  struct Window {
    Picker* picker;
    InputPrompt* prompt;
    StartGate* gate;
    ReviewMarks* marks;
    std::function<qsizetype()> unsaved;  // open texts of the project that are not saved
    std::function<void()> saveAll;
    std::function<bool(const QString& code)> insert;  // at the caret; false: there is none
    std::function<QStringList(const AnswerBlock& block)> apply;  // as hunks; what has no place
  };
  // `session` and what `window` leads to outlive this.
  PlanPanel(pairing::PlanSession* session, const Window& window, QWidget* parent);

  void setCodeFont(const QFont& font);
  // Sets what the buttons run that are shown while there is no model: one to choose a model that is
  // here, one to get another; null: there is no such button.
  void setModelActions(QAction* choose, QAction* get);

  // -- What commands do

  // Gives the keyboard to what waits for the user, else to the steps, else to the input.
  void enter();
  void newPlan();
  void openPlan(const QString& planId);
  void choosePlan();
  void renamePlan();
  void deletePlan();
  // Carries out the step that is to be done next.
  void runNext();
  // Carries out one step after another, up to a command.
  void runAll();
  // Accepts what waits for decisions in all steps.
  void acceptAll();
  void showUnsaved();
  // False when there is nothing to stop.
  bool stop();
  // Sends the message that waits longest at once.
  void sendQueuedNow();

  // -- What is so, for contexts and tests

  const pairing::Plan* plan() const { return session_->find(planId_); }
  bool isRunning() const { return session_->isRunning(planId_); }
  bool hasChangesToReview() const { return session_->toReview(planId_) > 0; }
  bool hasQueued() const { return plan() && plan()->talk.firstQueued(); }
  PlanList* list() const { return list_; }
  StepDetail* detail() const { return detail_; }
  AskInput* input() const { return input_; }

 Q_SIGNALS:
  // The project is to be searched from now on.
  void firstShown();
  // isRunning(), hasQueued() or plan() may be others.
  void changed();

 protected:
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  void connectParts();
  void connectDetail();
  void connectQueued(MessageView* view);
  void showPlans();
  void showPlan();
  void showQueued();
  void showTalk();
  void showAllActions();
  void showStep();
  void showModel();
  void send(const QString& text);
  void run(int row);
  void add(int row);
  void complain(const editor::Error& problem);
  void complain(const QVector<pairing::FileProblem>& problems);

  pairing::PlanSession* session_;
  Window window_;
  QString planId_;
  QString stepId_;         // chosen
  bool isChosen_ = false;  // the plan is in front because the user wants it to be
  QString reworded_;       // what waits and is in the input; empty: nothing
  bool wasShown_ = false;
  QTimer growSoon_{this};

  ElidedLabel* title_;
  QLabel* count_;
  BannerStack* banners_;
  QLabel* empty_;
  PlanModel* model_;
  PlanList* list_;
  StepDetail* detail_;
  QWidget* revision_;
  QLabel* revisionText_;
  QLabel* talk_;
  QVBoxLayout* queued_;
  QVector<MessageView*> queuedViews_;
  NoModelNote* noModel_;
  AskInput* input_;
  ElidedLabel* who_;
  PlanMeter* meter_;
  QToolButton* send_;
  QToolButton* stop_;
  QPushButton* runAll_;
  QPushButton* acceptAll_;
  QLabel* allState_;
};

}  // namespace waferpair::gui
