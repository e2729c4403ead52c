// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/edit_run.h"

#include <QFileInfo>
#include <utility>

#include "pairing/placement.h"
#include "pairing/translate.h"

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

// Models shorten paths and lengthen them; the name is what they keep.
bool isOf(const QString& path, const EditTask& task) {
  return path.isEmpty() || QFileInfo(path).fileName() == QFileInfo(task.path).fileName();
}

QByteArray firstLineOf(const QByteArray& text) {
  const QByteArray trimmed = text.trimmed();
  return trimmed.left(trimmed.indexOf('\n')).trimmed();
}

// A model that was to write blocks wrote a text: that of the file, or of the lines it was to edit.
bool isWholeFile(const QByteArray& newText, const EditTask& task) {
  if (task.target.first == 0) return task.target.count == task.text.lineCount();
  return firstLineOf(newText) == firstLineOf(task.text.slice(0, task.text.size()));
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
      text_(std::move(text)) {
  connect(reply_.get(), &ModelReply::textArrived, this, [this](const QString& delta) {
    answer_.feed(delta);
    state_ = State::kReading;
    take();
  });
  connect(reply_.get(), &ModelReply::reasoningArrived, this, [this] {
    state_ = State::kReading;
    Q_EMIT changed();
  });
  connect(reply_.get(), &ModelReply::finished, this, [this](ReplyDone done) {
    cutShort_ = done.reason == ReplyDone::Reason::kLength;
    const bool stopped = done.reason == ReplyDone::Reason::kCanceled;
    answer_.finish(!stopped && !cutShort_);
    take();
    end(stopped ? State::kStopped : State::kDone);
  });
  connect(reply_.get(), &ModelReply::failed, this, [this](const ReplyFailure& failure) {
    failure_ = failure;
    answer_.finish(false);
    end(State::kFailed);
  });
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

void EditRun::end(State state) {
  state_ = state;
  since_.clear();
  Q_EMIT changed();
}

void EditRun::take() {
  for (const ProposedChange& change : answer_.takeChanges()) place(change);
  Q_EMIT changed();
}

void EditRun::place(const ProposedChange& change) {
  const auto leaveOut = [&](const Error& why) {
    unplaced_.append({change.oldText, change.newText, why});
  };
  const Result<QVector<Hunk>> hunks = hunksOf(change);
  if (!hunks) return leaveOut(hunks.error());
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
    leaveOut({translate("It changes lines that another change of this answer changes."),
              translate("Accept that one, and put this one in by hand.")});
  } else if (!fitting.isEmpty()) {
    ++placed_;
  }
}

// Returns hunks for the text as it is. The model saw it as it was: there its quotes stand, and from
// there the hunks follow what was edited since. Where that took their lines away, the change may
// still fit beside what came.
Result<QVector<Hunk>> EditRun::hunksOf(const ProposedChange& change) const {
  if (!isOf(change.path, task_)) {
    return fail(translate("It is a change of another file, %1.").arg(change.path),
                translate("Open that file, and put it in there."));
  }
  if (change.kind == Kind::kDelete || change.kind == Kind::kRename) {
    return fail(translate("The model wants the file deleted or renamed."),
                translate("Do that in the folder tree, if it is what you want."));
  }
  const Snapshot now = text_();  // and since_ is complete
  const Result<QVector<TextEdit>> edits = editsInTask(change);
  if (edits) {
    QVector<Hunk> hunks = editor::suggestionOf({}, *edits).hunks;
    bool allFit = true;
    for (Hunk& hunk : hunks) {
      for (const TextEdit& edit : since_) hunk.follow(edit);
      allFit = allFit && hunk.state == HunkState::kOffered;
    }
    if (allFit || change.kind != Kind::kReplace) return hunks;
  }
  if (since_.isEmpty()) return tl::unexpected(edits.error());
  const Result<Placement> placed = pairing::place(now, change);
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
  if (change.kind == Kind::kWholeFile && !isWholeFile(change.newText, task_)) {
    QByteArray lines = change.newText;
    // The last line of a text may be without its end.
    if (task_.target.end() == text.lineCount() && lines.endsWith('\n') &&
        text.lineStart(task_.target.end()) == text.lineEnd(task_.target.end() - 1))
      lines.chop(1);
    return edits(
        placeLines(text, text, {task_.target.first, task_.target.count, std::move(lines)}));
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
  if (cutShort_)
    return translate("The answer was cut short: it has as many tokens as the model may write.");
  if (state_ != State::kDone) return {};
  if (!answer_.problems().isEmpty()) return answer_.problems().first().what;
  if (placed_ > 0 || !unplaced_.isEmpty()) return {};
  const QString prose = QString::fromUtf8(answer_.prose()).trimmed();
  if (prose.isEmpty()) return translate("The model proposes no change.");
  return translate("The model proposes no change, and says: %1").arg(prose);
}

}  // namespace waferpair::pairing
