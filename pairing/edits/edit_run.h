// SPDX-License-Identifier: GPL-3.0-or-later
// One instruction on its way: the model's answer is read as it streams in, and each change becomes
// hunks over the text as soon as it is whole, wherever its lines stand by then. One that would
// leave the text broken by itself waits for those that mend it. The text is never touched. One
// thread.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "editor/assist/hunks.h"
#include "pairing/edits/edit_request.h"
#include "pairing/edits/growing_edit.h"
#include "pairing/edits/streamed_answer.h"
#include "pairing/placing/fenced_code.h"

namespace waferpair::pairing {

class EditRun : public QObject {
  Q_OBJECT
 public:
  enum class State {
    kAsking,   // nothing came yet
    kReading,  // the answer comes in
    kDone,
    kStopped,  // by stop()
    kFailed,   // see failure()
  };

  // A change that has no place in the text as it is.
  struct Unplaced {
    QByteArray oldText;
    QByteArray newText;
    editor::Error why;
  };

  // The text as it is, every edit told to follow(). Called when a change came.
  using Text = std::function<editor::Snapshot()>;

  // The hunks are of the task's text and are told of each edit before follow() is. They and what
  // `text` asks outlive this.
  EditRun(const EditTask& task, std::unique_ptr<ModelReply> reply, editor::Hunks* hunks, Text text,
          QObject* parent = nullptr);
  ~EditRun() override;

  // The answer is the target's lines, written anew (rewrite.h): it is checked as a whole, and where
  // it cannot be used the model is asked again, kMostAttempts times in all. Called before anything
  // came.
  // `again` has the number of the attempt, from 2; null: it can't be asked any more.
  using Again = std::function<std::unique_ptr<ModelReply>(int attempt)>;
  void mayAskAgain(Again again) { again_ = std::move(again); }

  // Changes of other files are kept for elsewhere(); else they have no place. Called before
  // anything came.
  void mayChangeOthers() { keepsOthers_ = true; }
  const QVector<ProposedChange>& elsewhere() const { return elsewhere_; }
  // They have no place after all.
  void refuseElsewhere(const editor::Error& why);

  // The change that is being written, for the eye alone: never a part of the hunks on offer.
  struct Partial {
    QVector<editor::Hunk> hunks;  // in the text as it is; empty: its place is not certain
    qint64 lines = 0;             // that came of it
    QByteArray text = {};         // those lines

    bool operator==(const Partial&) const = default;
  };
  // Behind a stop, a failure, or an answer that was cut short, what there was of it when that came.
  // It costs as much as the lines that came since the last call, and a copy of all.
  Partial partial();

  // To be told of every edit of the text since the task was made, in order.
  void follow(const QVector<editor::TextEdit>& edits);
  // What came so far is offered there, in place of what was, and all else follows.
  void moveTo(editor::Hunks* hunks);
  // At once. The hunks so far stay; a change that is not whole is dropped.
  void stop();

  State state() const { return state_; }
  bool isOver() const { return state_ != State::kAsking && state_ != State::kReading; }
  // Changes that became hunks, and those that did not.
  qsizetype placedCount() const { return placed_; }
  const QVector<Unplaced>& unplaced() const { return unplaced_; }
  // Answers so far, the one that comes in among them.
  int attempts() const { return attempts_; }
  // The last answer as the model wrote it.
  const QString& answer() const { return said_; }
  // The answer was code in a fence, and nothing else.
  bool isInFence() const { return isInFence_; }
  // Set in kFailed. What came before it stays.
  const std::optional<editor::Error>& failure() const { return failure_; }
  // Tells the user, when it is over, what the model said instead of a change, or that the answer
  // was cut short; empty: nothing is amiss.
  QString remark() const;
  const ModelReply& reply() const { return *reply_; }
  const ReplyTimings& timings() const { return reply_->timings(); }
  std::optional<double> tokensPerSecond() const { return reply_->tokensPerSecond(); }
  const TokenUsage& usage() const { return reply_->usage(); }

 Q_SIGNALS:
  // Something came, or state() is another one; and as often as the reply says that it is waited
  // for.
  void changed();

 private:
  // A change on its way to the text, and its hunks in the task's text; none: only the text as it
  // is has a place for it.
  struct Held {
    ProposedChange change;
    QVector<editor::Hunk> hunks;
    editor::Error why;  // without hunks
  };

  void listen();
  void finish(ReplyDone::Reason reason);
  bool holdRewritten();
  bool askAgain();
  void take();
  void forget();
  void hold(const ProposedChange& change);
  void holdCodes();
  void offerHeld(bool isOver);
  void offer(const Held& held);
  void leaveOut(const ProposedChange& change, const editor::Error& why);
  editor::Snapshot withHeld() const;
  editor::Result<QVector<editor::Hunk>> hunksOf(const Held& held) const;
  editor::Result<QVector<editor::TextEdit>> editsInTask(const ProposedChange& change) const;
  CodeTarget codeTarget() const;
  bool overlapsOffered(const editor::Hunk& hunk) const;
  void end(State state);

  EditTask task_;
  std::unique_ptr<ModelReply> reply_;
  editor::Hunks* hunks_;
  Text text_;
  StreamedAnswer answer_;
  QString said_;
  GrowingEdit growing_;
  Partial kept_;                   // of a run that is over
  QVector<ProposedChange> codes_;  // blocks, to be placed when all of them are there
  QVector<ProposedChange> read_;   // the changes of the file so far
  QVector<Held> held_;
  QVector<editor::Hunk> offered_;    // in the task's text
  QVector<editor::TextEdit> since_;  // edits of the text since the task was made
  State state_ = State::kAsking;
  qsizetype placed_ = 0;
  QVector<Unplaced> unplaced_;
  std::optional<editor::Error> failure_;
  bool cutShort_ = false;
  bool isInFence_ = false;
  bool keepsOthers_ = false;
  QVector<ProposedChange> elsewhere_;
  Again again_;  // null: one answer is all
  int attempts_ = 1;
  std::optional<editor::Error> refusal_;  // why the first rewritten lines were not offered
};

}  // namespace waferpair::pairing
