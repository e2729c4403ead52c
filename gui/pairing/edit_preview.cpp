// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/edit_preview.h"

#include <utility>

namespace waferpair::gui {
namespace {

constexpr int kRestMs = 250;  // without a key

}  // namespace

using editor::Hunks;
using pairing::EditRun;

EditPreview::EditPreview(Hunks* shown, Send send, Refines refines, QObject* parent)
    : QObject(parent),
      shown_(shown),
      send_(std::move(send)),
      refines_(std::move(refines)),
      arriving_([](const QVector<editor::TextEdit>&) { return false; }),
      refined_([](const QVector<editor::TextEdit>&) { return false; }) {
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, &EditPreview::ask);
}

void EditPreview::type(const QString& instruction) {
  if (instruction.isEmpty()) return drop();
  if (instruction == wanted_) return;
  wanted_ = instruction;
  rest_.start();
}

void EditPreview::ask() {
  // Changes that wait for the user's word are replaced by what refines them, until this is dropped.
  const bool isFree = isShown_ || shown_->offeredCount() == 0 || refines_(wanted_);
  if (wanted_ == asked_ || !isFree) return;
  run_.reset();
  asked_.clear();
  arriving_.clear();
  auto run = send_(wanted_, &arriving_);
  if (!run) return drop();
  arriving_.offer({shown_->suggestion().document, {}, {}});
  run_ = std::move(run);
  asked_ = wanted_;
  connect(run_.get(), &EditRun::changed, this, &EditPreview::take);
  Q_EMIT changed();
}

// What is there stays until the next answer is whole: changes that both have do not flicker.
void EditPreview::take() {
  if (!isShown_ || run_->isOver()) show();
  Q_EMIT changed();
}

void EditPreview::show() {
  const bool isSame = isShown_ && shown_->hunks() == arriving_.hunks();
  if (!isShown_ && arriving_.offeredCount() == 0) return;
  if (!isShown_) refined_.offer(shown_->suggestion());
  isShown_ = arriving_.offeredCount() > 0;
  if (!isShown_) return bringBack();
  if (!isSame) shown_->offer(arriving_.suggestion());
}

void EditPreview::bringBack() {
  const editor::Suggestion before = refined_.suggestion();
  refined_.clear();
  shown_->offer(before);
}

void EditPreview::follow(const QVector<editor::TextEdit>& edits) {
  arriving_.follow(edits);
  refined_.follow(edits);
  if (run_) run_->follow(edits);
}

void EditPreview::drop() {
  rest_.stop();
  run_.reset();
  wanted_.clear();
  asked_.clear();
  arriving_.clear();
  if (std::exchange(isShown_, false)) bringBack();
}

std::unique_ptr<EditRun> EditPreview::keep(const QString& instruction) {
  if (!run_ || instruction != asked_ || run_->failure()) return nullptr;
  rest_.stop();
  run_->disconnect(this);
  run_->moveTo(shown_);
  isShown_ = false;
  refined_.clear();
  auto kept = std::move(run_);
  drop();
  return kept;
}

std::unique_ptr<EditRun> EditPreview::settle() {
  isShown_ = false;
  refined_.clear();
  if (run_) {
    run_->disconnect(this);
    if (!run_->isOver()) run_->stop();
  }
  auto kept = std::move(run_);
  drop();
  return kept;
}

}  // namespace waferpair::gui
