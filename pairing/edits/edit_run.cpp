// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/edit_run.h"

#include <algorithm>
#include <utility>

#include "editor/text/line_diff.h"
#include "editor/text/translate.h"
#include "pairing/edits/rewrite.h"
#include "pairing/edits/rewrite_request.h"
#include "pairing/placing/answer_habits.h"
#include "pairing/placing/answer_placement.h"
#include "pairing/placing/placement.h"

namespace waferpair::pairing {

using editor::Error;
using editor::fail;
using editor::Hunk;
using editor::HunkState;
using editor::Result;
using editor::Snapshot;
using editor::TextEdit;

namespace {

using Kind = ProposedChange::Kind;

// Models shorten paths and lengthen them; the name is what they keep, and the folder that it is in.
bool isOf(const QString& path, const EditTask& task) {
  QStringList named = QString(path).replace(u'\\', u'/').split(u'/', Qt::SkipEmptyParts);
  named.removeAll(QStringLiteral("."));
  const QStringList own = task.path.split(u'/', Qt::SkipEmptyParts);
  if (named.isEmpty()) return true;
  if (own.isEmpty() || named.last() != own.last()) return false;
  return named.size() < 2 || own.size() < 2 || named[named.size() - 2] == own[own.size() - 2];
}

Error changedMeanwhile() {
  return {translate("The lines that it changes were changed since it was asked for."),
          translate("Ask for it again, for the text as it is.")};
}

bool isExact(const Result<Placement>& placement) {
  return placement && placement->fit != Fit::kMerged;
}

}  // namespace

EditRun::EditRun(const EditTask& task, std::unique_ptr<ModelReply> reply, editor::Hunks* hunks,
                 Text text, QObject* parent)
    : QObject(parent),
      task_(task),
      reply_(std::move(reply)),
      hunks_(hunks),
      text_(std::move(text)),
      growing_(task) {
  listen();
}

void EditRun::listen() {
  connect(reply_.get(), &ModelReply::textArrived, this, [this](const QString& delta) {
    answer_.feed(delta);
    said_ += delta;
    state_ = State::kReading;
    take();
  });
  connect(reply_.get(), &ModelReply::reasoningArrived, this, [this] {
    state_ = State::kReading;
    Q_EMIT changed();
  });
  connect(reply_.get(), &ModelReply::waited, this, &EditRun::changed);
  connect(reply_.get(), &ModelReply::finished, this,
          [this](ReplyDone done) { finish(done.reason); });
  connect(reply_.get(), &ModelReply::failed, this, [this](const ReplyFailure& failure) {
    failure_ = failure;
    answer_.finish(false);
    offerHeld(true);
    kept_ = partial();
    end(State::kFailed);
  });
}

void EditRun::finish(ReplyDone::Reason reason) {
  cutShort_ = reason == ReplyDone::Reason::kLength;
  const bool stopped = reason == ReplyDone::Reason::kCanceled;
  answer_.finish(!stopped && !cutShort_);
  take();
  const bool isRewrite =
      again_ && placed_ == 0 && held_.isEmpty() && unplaced_.isEmpty() && elsewhere_.isEmpty();
  if (isRewrite && !stopped) {
    if (!holdRewritten() && attempts_ < kMostAttempts && askAgain()) return;
  } else if (!stopped && !cutShort_) {
    isInFence_ = !codes_.isEmpty() && placed_ == 0 && held_.isEmpty();
    holdCodes();
  }
  offerHeld(true);
  // Lines that only ran on are worth nothing.
  if (stopped || (cutShort_ && !isRewrite)) kept_ = partial();
  end(stopped ? State::kStopped : State::kDone);
}

// Lines of the target that the model wrote anew: the first of its fences that stand up to it.
bool EditRun::holdRewritten() {
  QVector<ProposedChange> codes;
  if (!cutShort_) codes = std::exchange(codes_, {});
  if (!cutShort_ && codes.isEmpty()) {
    codes.resize(1);
    codes.first().newText = answer_.prose();
  }
  if (cutShort_ && !refusal_)
    refusal_ = {translate("The answer is more than twice as long as the lines."), {}};
  for (ProposedChange& code : codes) {
    const Result<Snapshot> made = rewritten(task_, code.newText);
    if (made) {
      code.kind = Kind::kCode;
      held_.append(
          {code, editor::suggestionOf({}, editor::lineEdits(task_.text, *made)).hunks, {}});
      cutShort_ = false;
      return true;
    }
    if (!refusal_) refusal_ = made.error();
  }
  return false;
}

bool EditRun::askAgain() {
  auto reply = again_(attempts_ + 1);
  if (!reply) return false;
  ++attempts_;
  forget();
  answer_ = StreamedAnswer();
  said_.clear();
  growing_.clear();
  reply_->disconnect(this);
  reply_.release()->deleteLater();  // it is sending a signal
  reply_ = std::move(reply);
  state_ = State::kAsking;
  listen();
  Q_EMIT changed();
  return true;
}

EditRun::~EditRun() {
  if (!isOver()) reply_->disconnect(this);
}

void EditRun::follow(const QVector<TextEdit>& edits) {
  if (!isOver()) since_ += edits;
}

void EditRun::moveTo(editor::Hunks* hunks) {
  hunks->offer(hunks_->suggestion());
  hunks_ = hunks;
}

void EditRun::stop() { reply_->cancel(); }

EditRun::Partial EditRun::partial() {
  if (isOver()) return kept_;
  if (const auto change = answer_.underWay()) {
    // Beside changes that have their place a block is an example.
    const bool isExample = change->kind == Kind::kCode && (placed_ > 0 || !held_.isEmpty());
    if (isExample || !isOf(change->path, task_)) {
      growing_.clear();
    } else {
      growing_.take(*change);
    }
  } else if (!growing_.isCode() && held_.isEmpty()) {
    growing_.clear();  // it is on offer by now, or has no place
  }
  Partial partial{{}, growing_.lineCount(), growing_.text()};
  for (Hunk& hunk : growing_.hunks()) {
    for (const TextEdit& edit : std::as_const(since_)) hunk.follow(edit);
    if (hunk.state == HunkState::kOffered && !overlapsOffered(hunk)) partial.hunks.append(hunk);
  }
  return partial;
}

bool EditRun::overlapsOffered(const Hunk& hunk) const {
  const auto& all = hunks_->hunks();
  return std::any_of(all.begin(), all.end(), [&hunk](const Hunk& other) {
    return other.state == HunkState::kOffered && other.range.start() < hunk.range.end() &&
           hunk.range.start() < other.range.end();
  });
}

void EditRun::end(State state) {
  state_ = state;
  since_.clear();
  Q_EMIT changed();
}

void EditRun::take() {
  if (answer_.takeRestart()) forget();
  for (const ProposedChange& change : answer_.takeChanges()) {
    if (change.kind == Kind::kCode) {
      codes_.append(change);
    } else {
      hold(change);
    }
  }
  offerHeld(false);
  Q_EMIT changed();
}

// All that came so far was no answer.
void EditRun::forget() {
  hunks_->clear();
  growing_.clear();
  codes_.clear();
  read_.clear();
  held_.clear();
  offered_.clear();
  unplaced_.clear();
  elsewhere_.clear();
  placed_ = 0;
}

void EditRun::leaveOut(const ProposedChange& change, const Error& why) {
  unplaced_.append({change.oldText, change.newText, why});
}

void EditRun::refuseElsewhere(const Error& why) {
  for (const ProposedChange& change : std::exchange(elsewhere_, {})) leaveOut(change, why);
}

void EditRun::hold(const ProposedChange& change) {
  if (!isOf(change.path, task_)) {
    if (keepsOthers_) return elsewhere_.append(change);
    return leaveOut(change, {translate("It is a change of another file, %1.").arg(change.path),
                             translate("Open that file, and put it in there.")});
  }
  if (change.kind == Kind::kDelete || change.kind == Kind::kRename) {
    return leaveOut(change, {translate("The model wants the file deleted or renamed."),
                             translate("Do that in the folder tree, if it is what you want.")});
  }
  const Result<ProposedChange> ready = readied(change, read_, task_.text, task_.path);
  if (!ready) return leaveOut(change, ready.error());
  read_.append(*ready);
  Held held{*ready, {}, {}};
  if (const auto edits = editsInTask(*ready)) {
    held.hunks = editor::suggestionOf({}, *edits).hunks;
  } else {
    held.why = edits.error();
  }
  held_.append(held);
}

CodeTarget EditRun::codeTarget() const {
  CodeTarget target{task_.path, {}, task_.instruction};
  if (task_.target.count < task_.text.lineCount())
    target.lines = std::pair(task_.target.first, task_.target.end());
  return target;
}

// Blocks of code tell together what they are for. An answer that is nothing but code needs none.
void EditRun::holdCodes() {
  const bool isBare = codes_.isEmpty() && placed_ == 0 && held_.isEmpty() && unplaced_.isEmpty() &&
                      elsewhere_.isEmpty() && answer_.problems().isEmpty();
  QVector<ProposedChange> codes;
  for (const ProposedChange& code : withoutWrapping(codes_, task_.text, task_.path)) {
    if (isOf(code.path, task_)) {
      codes.append(code);
    } else {
      hold(code);
    }
  }
  if (isBare) {
    ProposedChange all;
    all.kind = Kind::kCode;
    all.newText = answer_.prose();
    codes.append(all);
  }
  if (codes.isEmpty()) return;
  const AnswerPlacement placed = placeCodes(task_.text, codes, codeTarget());
  // Beside changes that have their place a block is an example, and prose is no code.
  const bool isExample = isBare || placed_ > 0 || !held_.isEmpty();
  for (const RefusedChange& refused : placed.refused)
    if (!isExample) leaveOut(refused.change, refused.why);
  if (!placed.isPlaced()) return;
  const auto edits = editor::lineEdits(task_.text, placed.text);
  held_.append({codes.first(), editor::suggestionOf({}, edits).hunks, {}});
}

// The task's text with all that is offered and held in it.
Snapshot EditRun::withHeld() const {
  QVector<Hunk> all = offered_;
  for (const Held& held : held_) all += held.hunks;
  std::stable_sort(all.begin(), all.end(),
                   [](const Hunk& a, const Hunk& b) { return a.range.start() < b.range.start(); });
  Snapshot text = task_.text;
  qint64 free = text.size() + 1;  // what two would change is left to the first
  for (auto hunk = all.crbegin(); hunk != all.crend(); ++hunk) {
    if (hunk->range.end() > free) continue;
    text = text.replaced(hunk->range.start(), hunk->range.end(), hunk->text);
    free = hunk->range.start();
  }
  return text;
}

void EditRun::offerHeld(bool isOver) {
  if (held_.isEmpty()) return;
  const auto broken = brokenBy(task_.text, withHeld(), task_.path);
  if (broken && !isOver) return;
  for (const Held& held : std::exchange(held_, {})) {
    if (broken) {
      leaveOut(held.change, *broken);
    } else {
      offer(held);
    }
  }
}

void EditRun::offer(const Held& held) {
  const Result<QVector<Hunk>> hunks = hunksOf(held);
  if (!hunks) return leaveOut(held.change, hunks.error());
  // Lines of a whole text that were changed meanwhile stay as they are, and the rest is offered.
  QVector<Hunk> fitting;
  for (const Hunk& hunk : *hunks) {
    if (hunk.state == HunkState::kOffered) {
      fitting.append(hunk);
    } else {
      unplaced_.append({{}, hunk.text, changedMeanwhile()});
    }
  }
  if (!hunks_->add(fitting)) {
    leaveOut(held.change,
             {translate("It changes lines that another change of this answer changes."),
              translate("Accept that one, and put this one in by hand.")});
  } else if (!fitting.isEmpty()) {
    ++placed_;
    offered_ += held.hunks;
  }
}

// Returns hunks for the text as it is. The model saw it as it was: there its quotes stand, and from
// there the hunks follow what was edited since. Where that took their lines away, the change may
// still fit beside what came.
Result<QVector<Hunk>> EditRun::hunksOf(const Held& held) const {
  const Snapshot now = text_();  // and since_ is complete
  if (!held.hunks.isEmpty()) {
    QVector<Hunk> hunks = held.hunks;
    bool allFit = true;
    for (Hunk& hunk : hunks) {
      for (const TextEdit& edit : since_) hunk.follow(edit);
      allFit = allFit && hunk.state == HunkState::kOffered;
    }
    if (allFit || held.change.kind != Kind::kReplace) return hunks;
  }
  if (since_.isEmpty() && !held.why.what.isEmpty()) return tl::unexpected(held.why);
  if (since_.isEmpty()) return QVector<Hunk>();
  const Result<Placement> placed = pairing::place(now, held.change);
  if (!placed) return tl::unexpected(placed.error());
  return editor::suggestionOf({}, placed->edits).hunks;
}

// In the task's text.
Result<QVector<TextEdit>> EditRun::editsInTask(const ProposedChange& change) const {
  const Snapshot& text = task_.text;
  const auto edits = [](const Result<Placement>& placed) -> Result<QVector<TextEdit>> {
    if (!placed) return tl::unexpected(placed.error());
    return placed->edits;
  };
  if (change.kind == Kind::kReplace && change.oldText.isEmpty() && !text.isEmpty()) {
    return fail(translate("Only a line number says where the change is to be inserted."),
                translate("Ask for it with the lines around it."));
  }
  if (change.kind != Kind::kReplace || change.oldText.isEmpty())
    return edits(pairing::place(text, change));
  // Lines that stand several times in the file may stand once in those that it is about.
  const qint64 start = text.lineStart(task_.target.first);
  const Snapshot target(text.slice(start, text.lineStart(task_.target.end())));
  ProposedChange inTarget = change;
  if (change.hintLine >= 0)
    inTarget.hintLine = std::max<qint64>(0, change.hintLine - task_.target.first);
  Result<Placement> near = pairing::place(target, inTarget);
  if (near) {
    for (TextEdit& edit : near->edits) {
      edit.start += start;
      edit.end += start;
    }
  }
  if (isExact(near)) return edits(near);
  const Result<Placement> anywhere = pairing::place(text, change);
  if (isExact(anywhere) || !near) return edits(anywhere);
  return edits(near);
}

QString EditRun::remark() const {
  Q_ASSERT(isOver());
  if (again_ && refusal_ && placed_ == 0 && unplaced_.isEmpty() && state_ == State::kDone)
    return translate("The model could not do it. %1").arg(refusal_->message());
  if (cutShort_)
    return translate("The answer was cut short: it has as many tokens as the model may write.");
  if (state_ != State::kDone) return {};
  for (const AnswerProblem& problem : answer_.problems())
    if (!problem.isHarmless) return problem.what;
  if (placed_ > 0 || !unplaced_.isEmpty() || !elsewhere_.isEmpty()) return {};
  const QString prose = QString::fromUtf8(answer_.prose()).trimmed();
  if (prose.isEmpty()) return translate("The model proposes no change.");
  return translate("The model proposes no change, and says: %1").arg(prose);
}

}  // namespace waferpair::pairing
