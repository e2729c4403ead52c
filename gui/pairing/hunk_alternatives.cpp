// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/hunk_alternatives.h"

#include <algorithm>
#include <utility>

namespace waferpair::gui {

using editor::Hunk;
using editor::Hunks;
using pairing::EditRun;

namespace {

bool areAllOffered(const Hunks& hunks) {
  return std::all_of(hunks.hunks().cbegin(), hunks.hunks().cend(),
                     [](const Hunk& hunk) { return hunk.state == editor::HunkState::kOffered; });
}

}  // namespace

HunkAlternatives::HunkAlternatives(Hunks* shown, QObject* parent)
    : QObject(parent),
      shown_(shown),
      arriving_([](const QVector<editor::TextEdit>&) { return false; }) {
  connect(shown_, &Hunks::changed, this, &HunkAlternatives::hunksChanged);
}

bool HunkAlternatives::step(int direction, const QString& answer, const Send& send) {
  const qsizetype to = at_ + direction;
  if (!all_.isEmpty() && to >= 0 && to < all_.size()) {
    show(to);
    return true;
  }
  if (direction < 0 || run_ || all_.size() >= kMost || shown_->offeredCount() == 0 ||
      !areAllOffered(*shown_))
    return false;
  arriving_.offer({shown_->suggestion().document, {}, {}});
  auto run = send(&arriving_);
  if (!run) return false;
  if (all_.isEmpty()) {
    all_ = {{shown_->suggestion(), answer}};
    at_ = 0;
  }
  run_ = std::move(run);
  connect(run_.get(), &EditRun::changed, this, &HunkAlternatives::arrived);
  Q_EMIT changed({});
  return true;
}

void HunkAlternatives::arrived() {
  if (!run_->isOver()) return Q_EMIT changed({});
  const editor::Suggestion made = arriving_.suggestion();
  const QString answer = run_->answer();
  const bool isWhole = run_->state() == EditRun::State::kDone;
  const bool isAllHere = run_->unplaced().isEmpty() && run_->elsewhere().isEmpty();
  const QString failure = run_->failure() ? run_->failure()->message() : QString();
  endRun();
  const bool isKnown = std::any_of(all_.cbegin(), all_.cend(), [&made](const One& one) {
    return one.changes.hunks == made.hunks;
  });
  if (!isWhole) return Q_EMIT changed(failure);
  if (!isAllHere)
    return Q_EMIT changed(
        tr("The next answer has changes that have no place in this text, and is left out."));
  if (made.hunks.isEmpty()) return Q_EMIT changed(tr("The next answer changes nothing."));
  if (isKnown) return Q_EMIT changed(tr("The next answer is one that is there already."));
  all_.append({made, answer});
  show(all_.size() - 1);
}

// It may be in the middle of a signal.
void HunkAlternatives::endRun() {
  run_->disconnect(this);
  run_.release()->deleteLater();
}

void HunkAlternatives::show(qsizetype which) {
  at_ = which;
  isShowing_ = true;
  shown_->offer(all_[which].changes);
  isShowing_ = false;
  Q_EMIT changed({});
}

// Somebody has decided about a change, or offers others.
void HunkAlternatives::hunksChanged() {
  if (isShowing_ || all_.isEmpty()) return;
  if (shown_->hunks() != all_[at_].changes.hunks) clear();
}

void HunkAlternatives::textEdited() {
  if (!all_.isEmpty()) clear();
}

void HunkAlternatives::clear() {
  const bool isAny = !all_.isEmpty();
  if (run_) {
    run_->disconnect(this);
    run_->stop();
    endRun();
  }
  all_.clear();
  at_ = 0;
  if (isAny) Q_EMIT changed({});
}

bool HunkAlternatives::stop() {
  if (!run_) return false;
  run_->disconnect(this);
  run_->stop();
  endRun();
  Q_EMIT changed(tr("Stopped. What is on offer stays."));
  return true;
}

QString HunkAlternatives::text() const {
  if (all_.isEmpty()) return {};
  const QString dots = run_ ? QStringLiteral("…") : QString();
  return tr("answer %1 of %2%3").arg(at_ + 1).arg(all_.size() + (run_ ? 1 : 0)).arg(dots);
}

}  // namespace waferpair::gui
