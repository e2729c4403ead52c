// SPDX-License-Identifier: GPL-3.0-or-later
// Other answers to the instruction whose changes are on offer, and what an answer has for other
// files.
#include "editor/assist/hunks.h"
#include "gui/pairing/edit_bar.h"
#include "gui/pairing/edit_preview.h"
#include "gui/pairing/edit_progress.h"
#include "gui/pairing/edit_session.h"
#include "gui/pairing/hunk_alternatives.h"
#include "gui/pairing/hunk_bar.h"
#include "gui/pairing/second_answer.h"

namespace waferpair::gui {

using editor::Hunks;
using pairing::EditRun;
using pairing::ModelRoster;

namespace {

// The temperature at which a model is asked for another answer.
constexpr double kOtherwise = 0.8;

}  // namespace

// Another model's, where there is one; else the same model's, which is not held to its first
// choice.
void EditSession::another() {
  if (second_ || !run_ || !run_->isOver() || document_->hunks()->offeredCount() == 0) {
    open();
    return bar_->say(tr("Another answer can be had for changes that a model has offered."));
  }
  const ModelRoster::Choice own = parts_.roster->choose(pairing::Work::kSmallEdit);
  const ModelRoster::Choice other = parts_.roster->chooseAfterFailure(asked_.model);
  const ModelRoster::Choice choice = other.endpoint ? other : own;
  if (!choice.endpoint) return bar_->say(choice.reason, EditBar::Tone::kProblem);
  const bool isSameModel = choice.model->id == asked_.model;
  second_ = new SecondAnswer(document_, model_, choice.model->name, this);
  connect(second_, &SecondAnswer::secondTaken, this, [this, choice] {
    model_ = choice.model->name;
    auto run = second_->takeRun();
    endSecond();
    follow(std::move(run));
    step(+1);
  });
  connect(second_, &SecondAnswer::firstTaken, this, [this](const QString& news) {
    endSecond();
    if (!news.isEmpty()) bar_->say(news);
  });
  QString problem;
  const bool begun = second_->begin([&](Hunks* hunks) {
    const auto temperature = isSameModel ? std::optional(kOtherwise) : std::nullopt;
    return begin(asked_.instruction, choice, hunks, &problem, temperature);
  });
  if (begun) return;
  delete second_;
  bar_->say(problem, EditBar::Tone::kProblem);
}

void EditSession::alternative(int direction) {
  if (second_ || preview_->isShown() || (run_ && !run_->isOver()) || !offeredTask_ ||
      document_->text() != offeredTask_->text)
    return;
  const ModelRoster::Choice choice = parts_.roster->choose(pairing::Work::kSmallEdit);
  QString problem;
  const bool isAny =
      alternatives_->step(direction, offeredAnswer_, [&](Hunks* hunks) -> std::unique_ptr<EditRun> {
        if (!choice.endpoint) {
          problem = choice.reason;
          return nullptr;
        }
        return askFor(*offeredTask_, choice, hunks, &problem, kOtherwise);
      });
  if (isAny) return;
  if (alternatives_->run()) return;  // it is on its way
  if (problem.isEmpty())
    problem = direction < 0 ? tr("There is no answer before this one.")
                            : tr("There are no more than %1 answers to one instruction.")
                                  .arg(HunkAlternatives::kMost);
  bar_->say(problem);
}

void EditSession::showAlternative(const QString& news) {
  if (!alternatives_->answer().isNull()) {
    offeredAnswer_ = alternatives_->answer();
    offeredHunks_ = document_->hunks()->hunks();
  }
  hunkBar_->setAlternative(alternatives_->text());
  const EditRun* run = alternatives_->run();
  bar_->setRunning(run || (run_ && !run_->isOver()));
  QString text = news;
  if (run) {
    text = tr("Another answer: %1").arg(progressOf(*run, model_, 0));
  } else if (news.isEmpty() && !alternatives_->text().isEmpty()) {
    text = tr("%1 is shown. Alt+] and Alt+[ show the others.")
               .arg(alternatives_->text().replace(0, 1, alternatives_->text().at(0).toUpper()));
  }
  if (!text.isEmpty()) bar_->say(text);
}

// Called by a signal of it.
void EditSession::endSecond() {
  second_->deleteLater();
  second_ = nullptr;
  document_->setFocus();
}

// Changes of other files wait in the list of those to review.
void EditSession::proposeElsewhere() {
  const auto changes = run_->elsewhere();
  if (changes.isEmpty() || !run_->isOver() || !elsewhere_.isEmpty()) return;
  QStringList files;
  for (const pairing::ProposedChange& change : changes)
    if (!files.contains(change.path)) files.append(change.path);
  const QString problem = parts_.propose(asked_.instruction, changes);
  if (!problem.isEmpty()) return run_->refuseElsewhere({problem, {}});
  elsewhere_ = files.size() == 1
                   ? tr("Changes of %1 wait in the list to review.").arg(files.constFirst())
                   : tr("Changes of %1 other files wait in the list to review.").arg(files.size());
}

}  // namespace waferpair::gui
