// SPDX-License-Identifier: GPL-3.0-or-later
// A request over the open project whose answer is remarks and changes of several files: on its way,
// and then there to be gone through and decided about. One at a time; the next one takes its place.
// UI thread only; neither the disk nor the model is waited for.
#pragma once

#include <QObject>
#include <QStringEncoder>
#include <functional>
#include <memory>
#include <optional>

#include "pairing/answers/answer_reader.h"
#include "pairing/changes/answer_changes.h"
#include "pairing/changes/change_review.h"
#include "pairing/context/gather_context.h"
#include "pairing/models/model_roster.h"
#include "pairing/review/remarks.h"
#include "pairing/review/review_request.h"
#include "pairing/review/reviewed_commits.h"

namespace waferpair::pairing {

class ReviewSession : public QObject {
  Q_OBJECT
 public:
  struct Services {
    ChangeStore* changes;
    ProjectTexts* texts;
    ModelRoster* roster;
    std::function<QVector<OpenText>()> open;
  };
  enum class State {
    kIdle,       // nothing was asked for
    kGathering,  // what goes along
    kAsking,
    kReading,  // the answer comes in
    kDone,
    kStopped,  // what had come stays
    kFailed,   // see failure(); likewise
  };

  // All services outlive this.
  explicit ReviewSession(const Services& services, QObject* parent = nullptr);
  ~ReviewSession() override;

  // Ends what runs and forgets what is there. Empty: no folder is open.
  void setProject(const QString& folder);

  // Asks for remarks on what changed since the last commit, as it is on disk. All three fail, and
  // nothing has happened, without a folder or a model.
  editor::Result<void> askForRemarks();
  // On what commits changed. A remark stands at the line where the line that it is about is by now;
  // where that is another one, it has no place, and its changes are left over.
  editor::Result<void> askForRemarksOn(const ReviewedCommits& commits);
  // Asks for tests; `files`: of the project.
  editor::Result<void> askForTests(const TestTask& task, const QStringList& files);
  // Puts changes that were asked for elsewhere up for review: beside those that still wait for a
  // decision, or in place of what is there. What has no place is left over. Fails, and nothing has
  // happened, without a folder and while an answer is on its way.
  editor::Result<void> offer(const QString& title, const QVector<ProposedChange>& changes);
  // False: nothing runs.
  bool stop();

  State state() const { return state_; }
  bool isRunning() const {
    return state_ == State::kGathering || state_ == State::kAsking || state_ == State::kReading;
  }
  QString title() const { return title_; }
  // Remarks were asked for, and not changes alone.
  bool isForRemarks() const { return isForRemarks_; }
  // The model and where it is: "Scripted · this computer, port 8080".
  QString model() const { return model_; }
  // There is one that could be asked.
  bool hasModel() const { return services_.roster->choose(Work::kLargeEdit).endpoint != nullptr; }
  // Those whose place is one of the project's have its path, relative; of the others `line` is 0.
  const QVector<Remark>& remarks() const { return remarks_; }
  QString absolutePath(const Remark& remark) const { return folder_ + u'/' + remark.path; }
  // Commits are reviewed, and not what is on disk.
  bool isOfCommits() const { return isOfCommits_; }
  // What was not looked at, of commits that were reviewed; empty: nothing.
  const QString& note() const { return note_; }
  // The changes, once the answer is over; null: there are none.
  ChangeReview* review() const;
  const QVector<LeftOverChange>& leftOver() const { return leftOver_; }
  // What went along, and what did not.
  const QVector<ContextItem>& context() const { return context_; }
  // Set in kFailed.
  const std::optional<editor::Error>& failure() const { return failure_; }
  // Of the answer; null before there is one.
  const ModelReply* reply() const { return reply_.get(); }

 Q_SIGNALS:
  void changed();

 private:
  // `keepsForms`: as ModelEntry has it.
  using MakeRequest =
      std::function<ModelRequest(const QVector<ContextItem>& context, bool keepsForms)>;
  // Returns how much may go along, in estimated tokens.
  editor::Result<qint64> begin(const QString& title, bool isForRemarks, MakeRequest make);
  void gather(const QString& mentions, const QStringList& files, qint64 budget);
  void takeCommits(const GatheredCommits& gathered);
  void send(const QVector<ContextItem>& context);
  void takeText(const QString& delta);
  void end(State state);
  void makeReview();
  void placeRemarks();
  void placeRemark(Remark& remark, const QStringList& files);
  void proposeChanges(const Answer& answer);
  void fail(const editor::Error& error);
  void forget();

  Services services_;
  QString folder_;
  State state_ = State::kIdle;
  QString title_;
  bool isForRemarks_ = false;
  QString model_;
  MakeRequest make_;
  int round_ = 0;  // which request it is: answers to another one are dropped
  QVector<ContextItem> context_;
  QHash<QString, editor::Snapshot> reviewed_;  // texts of commits, as GatheredCommits has them
  bool isOfCommits_ = false;
  QString note_;
  std::unique_ptr<ModelReply> reply_;
  std::unique_ptr<AnswerReader> reader_;
  QStringEncoder encoder_{QStringEncoder::Utf8};  // surrogates may come in two deltas
  QVector<Remark> remarks_;
  std::unique_ptr<ChangeReview> review_;
  QVector<LeftOverChange> leftOver_;
  std::optional<editor::Error> failure_;
};

}  // namespace waferpair::pairing
