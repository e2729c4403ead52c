// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/second_answer.h"

#include <algorithm>

#include "editor/widget/code_editor.h"
#include "gui/documents/document.h"
#include "gui/pairing/edit_progress.h"
#include "gui/pairing/two_answers.h"

namespace waferpair::gui {

using editor::Hunk;
using pairing::EditRun;

SecondAnswer::SecondAnswer(Document* document, const QString& first, const QString& second,
                           QObject* parent)
    : QObject(parent),
      document_(document),
      first_(first),
      second_(second),
      hunks_([](const QVector<editor::TextEdit>&) { return false; }) {}

// The view shows changes that end here.
SecondAnswer::~SecondAnswer() { delete view_; }

bool SecondAnswer::begin(const Send& send) {
  hunks_.offer({document_->id(), {}, {}});
  run_ = send(&hunks_);
  if (!run_) return false;
  view_ = new TwoAnswers(document_, document_->hunks(), &hunks_);
  view_->setCaption(TwoAnswers::kFirst, tr("First answer · %1").arg(first_));
  connect(view_, &TwoAnswers::closed, this, [this] {
    end();
    Q_EMIT firstTaken({});
  });
  connect(view_, &TwoAnswers::taken, this, [this](int side) {
    if (side == TwoAnswers::kSecond) run_->moveTo(document_->hunks());
    end();
    if (side == TwoAnswers::kSecond) return Q_EMIT secondTaken();
    Q_EMIT firstTaken({});
  });
  // The document may go first: what its view shows goes with it.
  connect(document_->hunks(), &QObject::destroyed, this, [this] { delete view_; });
  // Neither is of the text as it is by then.
  const auto giveUp = [this] {
    if (isOver_) return;
    end();
    Q_EMIT firstTaken(tr("The text has changed: ask for another answer again."));
  };
  connect(document_->editor(), &editor::CodeEditor::edited, this, giveUp);
  connect(document_->editor(), &editor::CodeEditor::documentReset, this, giveUp);
  connect(run_.get(), &EditRun::changed, this, &SecondAnswer::follow);
  follow();
  view_->choose(TwoAnswers::kSecond);
  view_->reveal();
  return true;
}

void SecondAnswer::follow() {
  const auto count = hunks_.offeredCount();
  QString state = count == 1 ? tr("1 change") : tr("%1 changes").arg(count);
  if (!run_->isOver()) state = progressOf(*run_, second_, 0);
  if (run_->isOver() && run_->failure()) state = run_->failure()->message();
  view_->setCaption(TwoAnswers::kSecond, tr("Second answer · %1 · %2").arg(second_, state));
  view_->setComplete(TwoAnswers::kSecond, run_->isOver() && count > 0);
  if (!run_->isOver() || run_->failure()) return;
  if (count > 0 && !isSame()) return;
  end();
  Q_EMIT firstTaken(count > 0 ? tr("The second answer is the same.")
                              : tr("The second answer changes nothing."));
}

bool SecondAnswer::isSame() const {
  const auto offered = [](const editor::Hunks& hunks) {
    QVector<Hunk> open;
    std::copy_if(hunks.hunks().begin(), hunks.hunks().end(), std::back_inserter(open),
                 [](const Hunk& hunk) { return hunk.state == editor::HunkState::kOffered; });
    return open;
  };
  return offered(hunks_) == offered(*document_->hunks());
}

// May be called by a signal of the view.
void SecondAnswer::end() {
  if (std::exchange(isOver_, true)) return;
  if (run_) {
    run_->disconnect(this);
    if (!run_->isOver()) run_->stop();
  }
  if (!view_) return;
  view_->disconnect(this);
  view_->hide();
  view_->deleteLater();
}

}  // namespace waferpair::gui
