// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/growing_change.h"

#include <utility>

#include "editor/widget/decorations.h"

namespace waferpair::gui {
namespace {

constexpr int kGrowingFrameMs = 16;

}  // namespace

using pairing::EditRun;

GrowingChange::GrowingChange(Document* document, QObject* parent)
    : QObject(parent), document_(document) {
  frame_.setSingleShot(true);
  frame_.setInterval(kGrowingFrameMs);
  frame_.setTimerType(Qt::PreciseTimer);
  connect(&frame_, &QTimer::timeout, this, [this] {
    if (isDue_) show();
  });
}

void GrowingChange::watch(EditRun* run) {
  if (run_) run_->disconnect(this);
  drop();
  run_ = run;
  placed_ = 0;
  seen_ = 0;
  if (run_) connect(run_, &EditRun::changed, this, &GrowingChange::come);
}

// A line that comes first in a frame is drawn at once, and the rest of it at its end. What is no
// whole line has nothing to draw, and begins no frame.
void GrowingChange::come() {
  const bool isSettled = run_->isOver() || run_->placedCount() != placed_;
  const QString& said = run_->answer();
  const bool isAnew = said.size() < seen_;  // the model was asked once more
  const bool isLine = isAnew || said.indexOf(u'\n', seen_) >= 0;
  seen_ = said.size();
  if (!isLine && !isSettled) return;
  isDue_ = true;
  if (isSettled || !frame_.isActive()) show();
}

void GrowingChange::show() {
  isDue_ = false;
  if (!run_) return;
  placed_ = run_->placedCount();
  document_->editor()->flushEdits();
  partial_ = run_->partial();
  document_->decorations()->grow(partial_.hunks);
  if (run_->isOver()) {
    frame_.stop();
  } else {
    frame_.start();
  }
  Q_EMIT grew();
}

void GrowingChange::follow(const QVector<editor::TextEdit>& edits) {
  if (partial_.hunks.isEmpty()) return;
  for (editor::Hunk& hunk : partial_.hunks)
    for (const editor::TextEdit& edit : edits) hunk.follow(edit);
  partial_.hunks.removeIf(
      [](const editor::Hunk& hunk) { return hunk.state != editor::HunkState::kOffered; });
  document_->decorations()->grow(partial_.hunks);
}

void GrowingChange::drop() {
  frame_.stop();
  isDue_ = false;
  partial_ = {};
  document_->decorations()->grow({});
}

}  // namespace waferpair::gui
