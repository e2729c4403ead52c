// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/step_detail.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/kit/small_button.h"
#include "gui/pairing/command_box.h"
#include "gui/pairing/message_view.h"
#include "gui/pairing/review_list.h"

namespace waferpair::gui {

using pairing::PlanStep;
using pairing::StepState;

StepDetail::StepDetail(pairing::PlanSession* session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      run_(makeSmallButton("stepRun", tr("Run"), tr("Carry out this step (Enter)"), this)),
      done_(makeSmallButton("stepDone", tr("Done"), tr("Say that it is done, or is not (Space)"),
                            this)),
      restore_(makeSmallButton(
          "stepRestore", tr("Restore to Before"),
          tr("Take out what this step and those after it changed; the rest stays"), this)),
      undoRestore_(makeSmallButton("stepUndoRestore", tr("Undo Restore"),
                                   tr("Put back what was taken out last"), this)),
      problem_(new QLabel(this)),
      copy_(makeSmallButton("stepCopy", tr("Copy"), tr("Copy what found no place"), this)),
      problemRow_(new QWidget(this)),
      pages_(new QButtonGroup(this)),
      stack_(new QStackedWidget(this)),
      review_(new ReviewList(this)),
      command_(new CommandBox(this)),
      answers_(new QScrollArea(this)),
      answerColumn_(nullptr) {
  setObjectName(QStringLiteral("stepDetail"));
  setAccessibleName(tr("The step in detail"));
  layOut();
  connect(run_, &QPushButton::clicked, this, &StepDetail::runWanted);
  connect(done_, &QPushButton::clicked, this, &StepDetail::doneWanted);
  connect(restore_, &QPushButton::clicked, this, &StepDetail::restoreWanted);
  connect(undoRestore_, &QPushButton::clicked, this, &StepDetail::undoRestoreWanted);
  connect(copy_, &QPushButton::clicked, this, [this] {
    if (step()) QApplication::clipboard()->setText(step()->leftOver.join(QStringLiteral("\n\n")));
  });
  connect(pages_, &QButtonGroup::idClicked, stack_, &QStackedWidget::setCurrentIndex);
  // The session lets go of reviews when the project is another one.
  connect(session_, &pairing::PlanSession::plansChanged, this, [this] {
    if (!step()) show({}, {});
  });
}

void StepDetail::layOut() {
  problem_->setObjectName(QStringLiteral("stepProblem"));
  problem_->setProperty("role", QStringLiteral("warning"));
  problem_->setTextFormat(Qt::PlainText);
  problem_->setWordWrap(true);
  auto* problemLayout = new QHBoxLayout(problemRow_);
  problemLayout->setContentsMargins(12, 0, 8, 0);
  problemLayout->addWidget(problem_, 1);
  problemLayout->addWidget(copy_);
  auto* content = new QWidget(answers_);
  content->setObjectName(QStringLiteral("planMessages"));
  answerColumn_ = new QVBoxLayout(content);
  answerColumn_->setContentsMargins(0, 0, 0, 0);
  answerColumn_->addStretch(1);
  answers_->setObjectName(QStringLiteral("planAnswers"));
  answers_->setWidget(content);
  answers_->setWidgetResizable(true);
  answers_->setFrameShape(QFrame::NoFrame);
  answers_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  stack_->addWidget(review_);
  stack_->addWidget(command_);
  stack_->addWidget(answers_);
  auto* actions = new QHBoxLayout;
  actions->setContentsMargins(12, 4, 8, 0);
  actions->setSpacing(4);
  for (QPushButton* button : {run_, done_, restore_, undoRestore_}) actions->addWidget(button);
  actions->addStretch(1);
  auto* pageRow = new QHBoxLayout;
  pageRow->setContentsMargins(8, 0, 8, 0);
  pageRow->setSpacing(2);
  const QString names[] = {tr("Changes"), tr("Command"), tr("Answer")};
  const char* ids[] = {"stepChanges", "stepCommand", "stepAnswer"};
  for (int page = kChanges; page <= kAnswer; ++page) {
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1String(ids[page]));
    button->setText(names[page]);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    pages_->addButton(button, page);
    pageRow->addWidget(button);
  }
  pageRow->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 4);
  column->setSpacing(4);
  column->addLayout(actions);
  column->addWidget(problemRow_);
  column->addLayout(pageRow);
  column->addWidget(stack_, 1);
}

const PlanStep* StepDetail::step() const {
  const pairing::Plan* plan = session_->find(planId_);
  return plan ? plan->find(stepId_) : nullptr;
}

void StepDetail::setCodeFont(const QFont& font) {
  codeFont_ = font;
  review_->setCodeFont(font);
  command_->setCodeFont(font);
}

void StepDetail::setUnsaved(qsizetype texts) { command_->setUnsaved(texts); }

void StepDetail::show(const QString& planId, const QString& stepId) {
  const bool isOther = planId != planId_ || stepId != stepId_;
  planId_ = planId;
  stepId_ = stepId;
  setVisible(step() != nullptr);
  if (!step()) {
    review_->show(nullptr);
    return;
  }
  review_->show(session_->review(planId_, stepId_));
  showActions();
  const bool running = session_->runningStep(planId_) == stepId_;
  command_->show(*step(), session_->folder(),
                 running ? session_->runningCommand(planId_) : std::nullopt);
  if (isOther) {
    delete answer_;
    answer_ = nullptr;
  }
  showAnswer();
  if (isOther || shownState_ != step()->state) {
    shownState_ = step()->state;
    showPages();
  } else if (!pages_->button(stack_->currentIndex())->isVisibleTo(this)) {
    showPages();
  }
}

void StepDetail::showActions() {
  const bool isRunning = session_->isRunning(planId_) || session_->isFollowing(planId_);
  const StepState state = step()->state;
  const bool byModel = session_->choice().endpoint != nullptr;
  run_->setText(state == StepState::kToDo || state == StepState::kStruck
                    ? (byModel ? tr("Run") : tr("Begin"))
                    : tr("Run Again"));
  run_->setEnabled(!isRunning && state != StepState::kStruck);
  done_->setText(state == StepState::kDone ? tr("Not Done") : tr("Done"));
  const bool isByHand = session_->isByHand(planId_) && session_->runningStep(planId_) == stepId_;
  done_->setEnabled(isByHand || session_->runningStep(planId_) != stepId_);
  restore_->setVisible(session_->canRestore(planId_, stepId_));
  undoRestore_->setVisible(!session_->find(planId_)->restored.isEmpty());
  undoRestore_->setEnabled(!isRunning);
  QStringList problems;
  if (!step()->problem.isEmpty()) problems.append(step()->problem);
  for (const QString& left : step()->leftOver)
    problems.append(tr("No place: %1").arg(left.section(u'\n', 0, 0)));
  problem_->setText(problems.join(u'\n'));
  problemRow_->setVisible(!problems.isEmpty());
  copy_->setVisible(!step()->leftOver.isEmpty());
}

void StepDetail::showPages() {
  const PlanStep& of = *step();
  const bool hasChanges = !of.changesId.isEmpty();
  const bool hasCommand =
      !of.command.isEmpty() || !of.runs.isEmpty() || session_->isCommandRunning(planId_);
  const bool hasAnswer = of.answer.has_value();
  pages_->button(kChanges)->setVisible(hasChanges);
  pages_->button(kCommand)->setVisible(hasCommand);
  pages_->button(kAnswer)->setVisible(hasAnswer);
  const bool isCommand = of.state == StepState::kApproval || session_->isCommandRunning(planId_) ||
                         (!of.runs.isEmpty() && of.state == StepState::kFailed);
  Page page = kAnswer;
  if (isCommand) {
    page = kCommand;
  } else if (hasChanges && of.state != StepState::kRunning) {
    page = kChanges;
  } else if (hasCommand && !hasAnswer) {
    page = kCommand;
  }
  stack_->setVisible(hasChanges || hasCommand || hasAnswer);
  stack_->setCurrentIndex(page);
  pages_->button(page)->setChecked(true);
}

void StepDetail::showAnswer() {
  const PlanStep& of = *step();
  if (!of.answer) {
    delete answer_;
    answer_ = nullptr;
    return;
  }
  if (!answer_) {
    answer_ = new MessageView(codeFont_, answers_->widget());
    answer_->setActionsShown(false);  // what can be done about it is above
    connect(answer_, &MessageView::insertWanted, this, &StepDetail::insertWanted);
    connect(answer_, &MessageView::applyWanted, this, &StepDetail::applyWanted);
    connect(answer_, &MessageView::linkClicked, this, &StepDetail::linkClicked);
    answerColumn_->insertWidget(0, answer_);
  }
  answer_->show(*of.answer);
}

void StepDetail::grow() {
  if (!step()) return;
  if (const auto running = session_->runningCommand(planId_)) {
    command_->grow(*running);
    return;
  }
  showAnswer();
  if (!pages_->button(kAnswer)->isVisibleTo(this)) showPages();
}

bool StepDetail::enter() {
  const PlanStep* of = step();
  if (!of) return false;
  if (of->state == StepState::kReview) {
    review_->tree()->setFocus();
  } else if (of->state == StepState::kApproval) {
    command_->field()->setFocus();
  } else {
    return false;
  }
  return true;
}

}  // namespace waferpair::gui
