// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/plan_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/kit/banner.h"
#include "gui/kit/elided.h"
#include "gui/kit/icons.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/kit/small_button.h"
#include "gui/kit/start_gate.h"
#include "gui/pairing/ask_input.h"
#include "gui/pairing/command_box.h"
#include "gui/pairing/message_view.h"
#include "gui/pairing/no_model_note.h"
#include "gui/pairing/plan_list.h"
#include "gui/pairing/plan_meter.h"
#include "gui/pairing/plan_model.h"
#include "gui/pairing/review_list.h"
#include "gui/pairing/review_marks.h"
#include "gui/pairing/step_detail.h"
#include "pairing/threads/thread_text.h"

namespace waferpair::gui {
namespace {

using pairing::Message;
using pairing::MessageState;
using pairing::Plan;
using pairing::PlanStep;
using pairing::StepState;

constexpr int kGrowEveryMs = 50;
constexpr char kPlanProblem[] = "planProblem";

}  // namespace

PlanPanel::PlanPanel(pairing::PlanSession* session, const Window& window, QWidget* parent)
    : QWidget(parent),
      session_(session),
      window_(window),
      title_(new ElidedLabel(this)),
      count_(new QLabel(this)),
      banners_(new BannerStack(this)),
      empty_(new QLabel(this)),
      model_(new PlanModel(session, this)),
      list_(new PlanList(this)),
      detail_(new StepDetail(session, this)),
      revision_(new QWidget(this)),
      revisionText_(new QLabel(revision_)),
      talk_(new QLabel(this)),
      queued_(new QVBoxLayout),
      noModel_(new NoModelNote(QStringLiteral("plan"), this)),
      input_(new AskInput(this)),
      who_(new ElidedLabel(this)),
      meter_(new PlanMeter(session, input_, this)),
      send_(new QToolButton(this)),
      stop_(new QToolButton(this)) {
  setObjectName(QStringLiteral("planPanel"));
  setAccessibleName(tr("Plan"));
  list_->setModel(model_);
  input_->setObjectName(QStringLiteral("planInput"));
  input_->setAccessibleName(tr("What is to be planned, or changed in the plan"));
  layOut();
  connectParts();
  connectDetail();
  showPlans();
}

void PlanPanel::layOut() {
  title_->setObjectName(QStringLiteral("planTitle"));
  title_->setProperty("role", QStringLiteral("heading"));
  count_->setObjectName(QStringLiteral("planCount"));
  count_->setProperty("role", QStringLiteral("muted"));
  empty_->setObjectName(QStringLiteral("planEmpty"));
  empty_->setProperty("role", QStringLiteral("muted"));
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  empty_->setMargin(12);
  for (QLabel* label : {revisionText_, talk_}) {
    label->setProperty("role", QStringLiteral("muted"));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
  }
  talk_->setObjectName(QStringLiteral("planTalk"));
  talk_->setContentsMargins(12, 0, 12, 0);

  revision_->setObjectName(QStringLiteral("planRevision"));
  QPushButton* keep = makeSmallButton("planKeepRevision", tr("Keep"),
                                      tr("The plan stays as the model revised it"), revision_);
  QPushButton* undo =
      makeSmallButton("planUndoRevision", tr("Undo"),
                      tr("The plan becomes what it was before the model revised it"), revision_);
  connect(keep, &QPushButton::clicked, this, [this] { session_->acceptRevision(planId_); });
  connect(undo, &QPushButton::clicked, this, [this] { session_->undoRevision(planId_); });
  auto* revisionRow = new QHBoxLayout(revision_);
  revisionRow->setContentsMargins(12, 2, 8, 2);
  revisionRow->addWidget(revisionText_, 1);
  revisionRow->addWidget(keep);
  revisionRow->addWidget(undo);

  who_->setObjectName(QStringLiteral("planModel"));
  who_->setProperty("role", QStringLiteral("muted"));
  send_->setObjectName(QStringLiteral("planSend"));
  send_->setText(tr("Send"));
  send_->setToolTip(tr("Have the plan written or changed (Enter)"));
  runAll_ = makeSmallButton("planRunAll", tr("Run All"),
                            tr("Carry out one step after another, up to a command"), this);
  acceptAll_ =
      makeSmallButton("planAcceptAll", tr("Accept All Steps"),
                      tr("Accept the changes that wait for a decision in all steps"), this);
  for (QPushButton* button : {runAll_, acceptAll_})
    button->setAccessibleDescription(button->toolTip());
  allState_ = new QLabel(this);
  allState_->setObjectName(QStringLiteral("planAllState"));
  allState_->setProperty("role", QStringLiteral("muted"));
  allState_->setTextFormat(Qt::PlainText);
  allState_->setWordWrap(true);
  allState_->setContentsMargins(12, 0, 12, 0);
  connect(runAll_, &QPushButton::clicked, this, &PlanPanel::runAll);
  connect(acceptAll_, &QPushButton::clicked, this, &PlanPanel::acceptAll);
  stop_->setObjectName(QStringLiteral("planStop"));
  stop_->setText(tr("Stop"));
  stop_->setToolTip(tr("Stop what runs (Esc)"));
  auto* addStep = new QToolButton(this);
  addStep->setObjectName(QStringLiteral("planAdd"));
  addStep->setText(tr("Add Step"));
  addStep->setToolTip(tr("Add a step behind the chosen one (Insert adds before it)"));
  connect(addStep, &QToolButton::clicked, this, [this] { add(list_->currentRow() + 1); });
  for (QToolButton* button : {send_, stop_, addStep}) {
    button->setAccessibleName(button->toolTip());
    button->setFocusPolicy(Qt::TabFocus);
  }
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(12, 0, 8, 6);
  foot->setSpacing(8);
  foot->addWidget(who_, 1);
  foot->addWidget(meter_);
  foot->addWidget(addStep);
  foot->addWidget(stop_);
  foot->addWidget(send_);

  auto* allRow = new QHBoxLayout;
  allRow->setContentsMargins(12, 0, 12, 0);
  allRow->setSpacing(6);
  allRow->addWidget(runAll_);
  allRow->addWidget(acceptAll_);
  allRow->addStretch(1);
  auto* titleRow = new QHBoxLayout;
  titleRow->setContentsMargins(12, 6, 12, 2);
  titleRow->addWidget(title_, 1);
  titleRow->addWidget(count_);
  auto* inputRow = new QHBoxLayout;
  inputRow->setContentsMargins(8, 0, 8, 0);
  inputRow->addWidget(input_);
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->setObjectName(QStringLiteral("planParts"));
  parts->addWidget(list_);
  parts->addWidget(detail_);
  parts->setChildrenCollapsible(false);
  parts->setStretchFactor(0, 2);
  parts->setStretchFactor(1, 3);
  parts->setSizes({200, 300});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(titleRow);
  column->addLayout(allRow);
  column->addWidget(allState_);
  column->addWidget(banners_);
  column->addWidget(empty_, 1);
  column->addWidget(revision_);
  column->addWidget(parts, 1);
  column->addWidget(talk_);
  column->addLayout(queued_);
  column->addWidget(noModel_);
  column->addLayout(inputRow);
  column->addLayout(foot);
}

void PlanPanel::connectParts() {
  connect(session_, &pairing::PlanSession::plansChanged, this, &PlanPanel::showPlans);
  connect(session_, &pairing::PlanSession::planChanged, this, [this](const QString& id) {
    if (id == planId_) showPlan();
  });
  connect(session_, &pairing::PlanSession::modelsChanged, this, [this] {
    showModel();
    if (detail_->isVisible()) showStep();
  });
  growSoon_.setSingleShot(true);
  growSoon_.setInterval(kGrowEveryMs);
  connect(&growSoon_, &QTimer::timeout, this, [this] {
    detail_->grow();
    showTalk();
  });
  connect(session_, &pairing::PlanSession::stepGrew, this,
          [this](const QString& id, const QString& stepId) {
            const bool isShown = id == planId_ && (stepId.isEmpty() || stepId == stepId_);
            if (isShown && !growSoon_.isActive()) growSoon_.start();
          });
  connect(list_, &PlanList::currentRowChanged, this, [this](int row) {
    const QString id = model_->stepAt(row);
    if (!id.isEmpty()) stepId_ = id;
    showStep();
  });
  connect(list_, &PlanList::runWanted, this, &PlanPanel::run);
  connect(list_, &PlanList::addWanted, this, &PlanPanel::add);
  connect(list_, &PlanList::strikeWanted, this, [this](int row) {
    const PlanStep* step = plan()->find(model_->stepAt(row));
    if (step) session_->strike(planId_, step->id, step->state != StepState::kStruck);
  });
  connect(list_, &PlanList::doneWanted, this, [this](int row) {
    const PlanStep* step = plan()->find(model_->stepAt(row));
    if (step) session_->setDone(planId_, step->id, step->state != StepState::kDone);
  });
  connect(list_, &PlanList::moveWanted, this,
          [this](int row, int to) { session_->move(planId_, model_->stepAt(row), to); });
  connect(input_, &AskInput::sent, this, &PlanPanel::send);
  connect(send_, &QToolButton::clicked, this, [this] {
    const QString text = input_->toPlainText().trimmed();
    if (!text.isEmpty()) send(text);
  });
  connect(stop_, &QToolButton::clicked, this, &PlanPanel::stop);
}

void PlanPanel::connectDetail() {
  connect(detail_, &StepDetail::runWanted, this, [this] { run(list_->currentRow()); });
  connect(detail_, &StepDetail::doneWanted, list_,
          [this] { Q_EMIT list_->doneWanted(list_->currentRow()); });
  connect(detail_, &StepDetail::restoreWanted, this,
          [this] { complain(session_->restoreBefore(planId_, stepId_)); });
  connect(detail_, &StepDetail::undoRestoreWanted, this,
          [this] { complain(session_->undoRestore(planId_)); });
  connect(detail_, &StepDetail::insertWanted, this, [this](const QString& code) {
    if (!window_.insert(code))
      complain({tr("No text is open to put the code into."), tr("Open a file, or copy the code.")});
  });
  connect(detail_, &StepDetail::applyWanted, this, [this](const AnswerBlock& block) {
    const QStringList problems = window_.apply(block);
    if (!problems.isEmpty()) complain({problems.join(u'\n'), {}});
  });
  connect(detail_, &StepDetail::linkClicked, this, [this](const QUrl& address) {
    const QString shown = address.toDisplayString();
    banners_
        ->show(QStringLiteral("planLink"), Banner::Kind::kInfo,
               tr("The answer links to %1").arg(shown))
        .addButton(QStringLiteral("planLinkCopy"), tr("Copy Address"),
                   [shown] { QApplication::clipboard()->setText(shown); });
  });
  const auto review = [this] { return session_->review(planId_, stepId_); };
  connect(detail_->review(), &ReviewList::openWanted, this,
          [this, review](const pairing::HunkPlace& place) {
            pairing::ChangeReview* of = review();
            if (of && !window_.marks->show(of, place))
              complain({tr("The file is not there; the list shows all of it."), {}});
          });
  connect(detail_->review(), &ReviewList::decideWanted, this,
          [this, review](const pairing::HunkPlace& place, bool accept) {
            pairing::ChangeReview* of = review();
            if (of)
              window_.marks->around(
                  of, [&] { complain(accept ? of->accept(place) : of->reject(place)); });
          });
  connect(detail_->review(), &ReviewList::decideAllWanted, this, [this, review](bool accept) {
    pairing::ChangeReview* of = review();
    if (of)
      window_.marks->around(of, [&] { complain(accept ? of->acceptAll() : of->rejectAll()); });
  });
  CommandBox* command = detail_->command();
  // The command was read in its box; what it runs is the folder's.
  connect(command, &CommandBox::runWanted, this, [this](const QString& text) {
    window_.gate->start(
        {session_->folder(), programs::GivenStart::Kind::kCommand, text, {}, {}},
        [this, plan = planId_, step = stepId_, text] { session_->approve(plan, step, text); });
  });
  connect(command, &CommandBox::declineWanted, this,
          [this] { session_->decline(planId_, stepId_); });
  connect(command, &CommandBox::stopWanted, this, &PlanPanel::stop);
  connect(command, &CommandBox::saveAllWanted, this, [this] {
    window_.saveAll();
    showUnsaved();
  });
}

// -- The plan in front

void PlanPanel::showPlans() {
  if (!plan()) {
    isChosen_ = false;
    planId_ = session_->newPlan();
    stepId_.clear();
    reworded_.clear();
  }
  // The plan used last, once the plans have been read.
  if (!isChosen_ && plan()->isEmpty())
    for (const Plan& each : session_->plans())
      if (!each.isEmpty()) {
        planId_ = each.id();
        break;
      }
  showPlan();
}

void PlanPanel::showPlan() {
  const Plan* shown = plan();
  if (!shown) return;
  title_->setText(shown->talk.title.isEmpty() ? tr("New plan") : shown->talk.title);
  title_->setToolTip(title_->text());
  const auto done =
      std::count_if(shown->steps.begin(), shown->steps.end(),
                    [](const PlanStep& step) { return step.state == StepState::kDone; });
  const auto all =
      std::count_if(shown->steps.begin(), shown->steps.end(),
                    [](const PlanStep& step) { return step.state != StepState::kStruck; });
  count_->setText(all == 0 ? QString() : tr("%1 of %2 done").arg(done).arg(all));
  const bool hasSteps = !shown->steps.isEmpty();
  list_->parentWidget()->setVisible(hasSteps);
  empty_->setVisible(!hasSteps);
  // The text that is being typed is not lost to a list with other steps.
  const auto typed = list_->typed();
  const bool isOther = model_->show(planId_);
  int row = model_->rowOf(stepId_);
  if (row < 0 && hasSteps) {
    const PlanStep* next = shown->next();
    row = next ? model_->rowOf(next->id) : 0;
    stepId_ = model_->stepAt(row);
  }
  // The list forgets what is current when its rows are others.
  if (row >= 0 && row != list_->currentRow()) list_->setCurrentIndex(model_->index(row));
  if (isOther && typed && model_->rowOf(stepId_) >= 0) list_->reword(*typed);
  revision_->setVisible(shown->revision.has_value());
  if (shown->revision) {
    const qsizetype marked = pairing::marksOf(*shown->revision).size();
    revisionText_->setText(marked == 1
                               ? tr("The model changed one step. It is marked.")
                               : tr("The model changed %1 steps. They are marked.").arg(marked));
  }
  stop_->setVisible(isRunning());
  send_->setVisible(!isRunning());
  input_->setAsked(shown->talk.asked());
  showAllActions();
  showTalk();
  showQueued();
  showStep();
  showModel();
  Q_EMIT changed();
}

void PlanPanel::showAllActions() {
  const bool isGoingOn = session_->isRunningAll(planId_);
  const bool hasNext = plan()->next() != nullptr;
  runAll_->setVisible(hasNext && !isGoingOn && session_->choice().endpoint);
  runAll_->setEnabled(!isRunning());
  acceptAll_->setVisible(hasChangesToReview());
  const QString text = isGoingOn ? tr("Carrying out all steps, up to a command. Esc stops.")
                                 : session_->endOfAll(planId_);
  allState_->setText(text);
  allState_->setVisible(!text.isEmpty());
}

// Says in a line what became of the last message.
void PlanPanel::showTalk() {
  const Plan* shown = plan();
  QString text;
  bool isProblem = false;
  const auto last = std::find_if(
      shown->talk.messages.rbegin(), shown->talk.messages.rend(),
      [](const Message& message) { return message.author == Message::Author::kModel; });
  const bool isWriting = isRunning() && session_->runningStep(planId_).isEmpty();
  if (session_->isFollowing(planId_)) {
    text = tr("An agent works on this plan, which follows it. It can be stopped in Ask.");
  } else if (isWriting) {
    const bool hasText = last != shown->talk.messages.rend() &&
                         last->state == MessageState::kStreaming && !last->text.isEmpty();
    if (hasText)
      text = tr("The plan is being written: %1 lines so far. Esc stops.")
                 .arg(last->text.count(u'\n') + 1);
    else if (last != shown->talk.messages.rend() && !last->progress.isEmpty())
      text = tr("%1. Esc stops.").arg(last->progress);
    else
      text = tr("Asking for the plan… Esc stops.");
  } else if (last != shown->talk.messages.rend()) {
    // A plan that came may have its flaw, too.
    if (!last->problem.what.isEmpty()) text = last->problem.message();
    if (last->state == MessageState::kInterrupted) text = tr("The plan was not written: stopped.");
    isProblem = !text.isEmpty();
    if (text.isEmpty() && !last->figures.model.isEmpty())
      text = pairing::figuresText(last->figures);
  }
  const QString role = isProblem ? QStringLiteral("warning") : QStringLiteral("muted");
  if (talk_->property("role").toString() != role) {
    talk_->setProperty("role", role);
    talk_->style()->unpolish(talk_);
    talk_->style()->polish(talk_);
  }
  talk_->setText(text);
  talk_->setVisible(!text.isEmpty());
}

void PlanPanel::showQueued() {
  QVector<MessageView*> views;
  for (const Message& message : plan()->talk.messages) {
    if (message.state != MessageState::kQueued) continue;
    const auto known = std::find_if(queuedViews_.begin(), queuedViews_.end(),
                                    [&](MessageView* view) { return view->id() == message.id; });
    MessageView* view = known == queuedViews_.end() ? new MessageView(font(), this) : *known;
    if (known == queuedViews_.end()) {
      connectQueued(view);
      queued_->addWidget(view);
    }
    view->show(message);
    views.append(view);
  }
  for (MessageView* view : std::as_const(queuedViews_)) {
    if (views.contains(view)) continue;
    view->hide();
    view->deleteLater();  // it may be in the middle of a click
  }
  queuedViews_ = views;
}

void PlanPanel::connectQueued(MessageView* view) {
  connect(view, &MessageView::sendNowWanted, this,
          [this](const QString& id) { session_->sendNow(planId_, id); });
  connect(view, &MessageView::withdrawWanted, this, [this](const QString& id) {
    const QString text = session_->withdraw(planId_, id);
    if (reworded_ == id) reworded_.clear();
    // It is not lost, unless another one is being typed.
    if (input_->toPlainText().trimmed().isEmpty()) input_->setText(text);
    input_->setFocus();
  });
  connect(view, &MessageView::rewordWanted, this, [this](const QString& id) {
    const Message* message = plan()->talk.find(id);
    if (!message) return;
    reworded_ = id;
    input_->setText(message->text);
    input_->setFocus();
  });
}

void PlanPanel::showStep() {
  const bool had = detail_->isAncestorOf(QApplication::focusWidget());
  const QString shown = plan() && plan()->find(stepId_) ? stepId_ : QString();
  detail_->show(planId_, shown);
  meter_->setPlace(planId_, shown);
  showUnsaved();
  // The widget that had the keyboard may be gone.
  if (had && !detail_->isAncestorOf(QApplication::focusWidget())) list_->setFocus();
}

void PlanPanel::showUnsaved() { detail_->setUnsaved(window_.unsaved()); }

void PlanPanel::showModel() {
  const pairing::ModelRoster::Choice choice = session_->choice();
  noModel_->setVisible(!choice.endpoint);
  meter_->setVisible(choice.endpoint);
  meter_->renew();
  noModel_->setText(
      tr("%1 Steps are written and done by hand; commands (\"$ make\") run on your word.")
          .arg(choice.reason));
  empty_->setText(choice.endpoint
                      ? tr("Say what is to be done, and the model writes the steps; or add them "
                           "yourself. Each step ends in changes that you review, or in a command "
                           "that runs when you approve it, and can be taken back.")
                      : tr("Add what is to be done, step by step. What you change in open texts "
                           "while a step runs is kept with it, and can be taken back. A step that "
                           "begins with \"$ \" is a command."));
  if (choice.endpoint) {
    who_->setText(QStringLiteral("%1, %2").arg(choice.model->name, choice.model->place()));
    who_->setToolTip(tr("Plans go to %1: %2").arg(who_->text(), choice.reason));
  } else {
    who_->setText(tr("Without a model"));
    who_->setToolTip(noModel_->text());
  }
  input_->setPlaceholderText(!choice.endpoint                    ? tr("A step, or $ and a command")
                             : plan() && plan()->steps.isEmpty() ? tr("What is to be done?")
                                                                 : tr("What should change?"));
}

// -- What the user wants

// Without a model what is typed is a step.
void PlanPanel::send(const QString& text) {
  banners_->remove(QLatin1String(kPlanProblem));
  if (!session_->choice().endpoint && reworded_.isEmpty()) {
    stepId_ = session_->addStep(planId_, plan()->steps.size(), text);
    input_->clear();
    showPlan();
    return;
  }
  const auto said = reworded_.isEmpty() ? session_->say(planId_, text)
                                        : session_->rewordMessage(planId_, reworded_, text);
  if (!said) return complain(said.error());
  reworded_.clear();
  input_->clear();
}

void PlanPanel::run(int row) {
  const QString stepId = model_->stepAt(row);
  if (stepId.isEmpty()) return;
  banners_->remove(QLatin1String(kPlanProblem));
  stepId_ = stepId;
  // A step that waits for the user is not begun anew by the key that leads to it.
  const StepState state = plan()->find(stepId)->state;
  if ((state == StepState::kReview || state == StepState::kApproval) && list_->hasFocus() &&
      detail_->enter())
    return;
  const auto begun = session_->run(planId_, stepId);
  if (!begun) complain(begun.error());
}

void PlanPanel::runNext() {
  const PlanStep* next = plan() ? plan()->next() : nullptr;
  if (!next) return;
  list_->setCurrentIndex(model_->index(model_->rowOf(next->id)));
  run(list_->currentRow());
}

void PlanPanel::runAll() {
  banners_->remove(QLatin1String(kPlanProblem));
  if (const auto begun = session_->runAll(planId_); !begun) complain(begun.error());
}

// What the later ones change may lie beside what the earlier ones do.
void PlanPanel::acceptAll() {
  QVector<pairing::FileProblem> problems;
  for (pairing::ChangeReview* of : session_->waiting(planId_))
    window_.marks->around(of, [&] { problems += of->acceptAll(); });
  complain(problems);
}

void PlanPanel::add(int row) {
  const QString id = session_->addStep(planId_, row, tr("New step"));
  stepId_ = id;
  showPlan();
  list_->setCurrentIndex(model_->index(model_->rowOf(id)));
  list_->setFocus();
  list_->reword();
}

bool PlanPanel::stop() {
  if (!session_->stop(planId_)) return false;
  if (!isAncestorOf(QApplication::focusWidget())) list_->setFocus();
  return true;
}

void PlanPanel::sendQueuedNow() {
  if (hasQueued()) session_->sendNow(planId_, plan()->talk.firstQueued()->id);
}

void PlanPanel::enter() {
  if (plan() && !plan()->steps.isEmpty()) {
    list_->setFocus(Qt::ShortcutFocusReason);
  } else {
    input_->setFocus(Qt::ShortcutFocusReason);
  }
}

void PlanPanel::openPlan(const QString& planId) {
  planId_ = planId;
  isChosen_ = true;
  stepId_.clear();
  reworded_.clear();
  banners_->remove(QLatin1String(kPlanProblem));
  showPlan();
  enter();
}

void PlanPanel::newPlan() { openPlan(session_->newPlan()); }

void PlanPanel::choosePlan() {
  QList<PickerItem> items;
  for (const Plan& each : session_->plans()) {
    if (each.isEmpty()) continue;
    items.append({each.talk.title, 0,
                  QLocale().toString(each.talk.changed.toLocalTime(), QLocale::ShortFormat),
                  icon(QStringLiteral("check")), each.id()});
  }
  window_.picker->open(tr("Plans of this project"), tr("Words of a plan"), items,
                       [this](const QVariant& id) { openPlan(id.toString()); });
  if (items.isEmpty()) window_.picker->setNote(tr("Nothing has been planned in this project yet."));
}

void PlanPanel::renamePlan() {
  window_.prompt->open(
      tr("Rename Plan"), plan()->talk.title, plan()->talk.title.size(),
      [](const QString& text) {
        return text.trimmed().isEmpty() ? tr("A plan needs a name.") : QString();
      },
      [this, id = planId_](const QString& text) { session_->rename(id, text); });
}

void PlanPanel::deletePlan() {
  const Plan removed = session_->remove(planId_);
  if (removed.isEmpty()) return;
  banners_
      ->show(QStringLiteral("planDeleted"), Banner::Kind::kInfo,
             tr("The plan \"%1\" was deleted.").arg(removed.talk.title))
      .addButton(QStringLiteral("planUndelete"), tr("Undo"), [this, removed] {
        session_->bringBack(removed);
        openPlan(removed.id());
      });
}

// -- Around it

void PlanPanel::setModelActions(QAction* choose, QAction* get) {
  noModel_->setModelActions(choose, get);
}

void PlanPanel::setCodeFont(const QFont& font) { detail_->setCodeFont(font); }

void PlanPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!std::exchange(wasShown_, true)) Q_EMIT firstShown();
  showPlan();
}

// Esc comes here when nothing in the panel has a use for it.
void PlanPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && stop()) return;
  QWidget::keyPressEvent(event);
}

void PlanPanel::complain(const editor::Error& problem) {
  banners_->show(QLatin1String(kPlanProblem), Banner::Kind::kWarning, problem.message());
}

void PlanPanel::complain(const QVector<pairing::FileProblem>& problems) {
  banners_->remove(QLatin1String(kPlanProblem));
  QStringList texts;
  for (const pairing::FileProblem& problem : problems) texts.append(problem.error.message());
  if (!texts.isEmpty()) complain(editor::Error{texts.join(u'\n'), {}});
}

}  // namespace waferpair::gui
