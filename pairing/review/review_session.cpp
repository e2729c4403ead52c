// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/review/review_session.h"

#include <algorithm>
#include <utility>

#include "pairing/context/gather_in_background.h"
#include "pairing/context/mentions.h"
#include "pairing/context/token_estimate.h"
#include "pairing/edits/error_places.h"

namespace waferpair::pairing {
namespace {

constexpr qint64 kAssumedTokens = 16'384;  // of a model that does not say how much it takes
constexpr qint64 kMostOfReview = 8'192;    // tokens that are kept free for it
constexpr qint64 kInstructionTokens = 600;

qint64 budgetOf(const ModelEntry& model) {
  const qint64 limit = model.contextTokens > 0 ? model.contextTokens : kAssumedTokens;
  return std::max<qint64>(0, limit - kInstructionTokens - std::min(kMostOfReview, limit / 4));
}

}  // namespace

ReviewSession::ReviewSession(const Services& services, QObject* parent)
    : QObject(parent), services_(services) {
  connect(services_.roster, &ModelRoster::changed, this, &ReviewSession::changed);
}

ReviewSession::~ReviewSession() {
  if (reply_) reply_->disconnect(this);
}

void ReviewSession::setProject(const QString& folder) {
  forget();
  folder_ = folder;
  state_ = State::kIdle;
  title_.clear();
  Q_EMIT changed();
}

// A set of which nothing is in the project is of no use to anybody.
void ReviewSession::forget() {
  ++round_;
  if (reply_) reply_->disconnect(this);
  reply_.reset();
  reader_.reset();
  encoder_ = QStringEncoder(QStringEncoder::Utf8);
  const bool isUsed = review_ && review_->set().isInProject();
  if (review_ && !isUsed) services_.changes->remove(review_->set().id);
  review_.reset();
  remarks_.clear();
  leftOver_.clear();
  context_.clear();
  reviewed_.clear();
  isOfCommits_ = false;
  note_.clear();
  failure_.reset();
}

ChangeReview* ReviewSession::review() const {
  return review_ && !review_->set().files.isEmpty() ? review_.get() : nullptr;
}

editor::Result<void> ReviewSession::askForRemarks() {
  return begin(tr("Review of my changes"), true, &remarksRequest).map([this](qint64 budget) {
    gather(mentionOf(QLatin1String(kDiffMention)), {}, budget);
  });
}

editor::Result<void> ReviewSession::askForRemarksOn(const ReviewedCommits& commits) {
  // A subject with a secret would hold all of it back.
  QStringList subjects;
  for (const QString& subject : commits.subjects)
    if (secretInText(subject).isEmpty()) subjects.append(subject);
  const auto make = [about = commits.about, subjects](const QVector<ContextItem>& context,
                                                      bool keepsForms) {
    return commitRemarksRequest(context, about, subjects, keepsForms);
  };
  return begin(commits.title, true, make).map([&](qint64 budget) {
    isOfCommits_ = true;
    note_ = commits.note;
    gatherCommitsInBackground(folder_, commits, services_.open(), budget, this,
                              [this, round = round_](const GatheredCommits& gathered) {
                                if (round_ == round && state_ == State::kGathering)
                                  takeCommits(gathered);
                              });
  });
}

void ReviewSession::takeCommits(const GatheredCommits& gathered) {
  const QString files = gathered.files == 1 ? tr("1 file") : tr("%1 files").arg(gathered.files);
  if (gathered.files > 0) title_ = tr("%1, %2").arg(title_, files);
  reviewed_ = gathered.texts;
  send(gathered.items);
}

editor::Result<void> ReviewSession::askForTests(const TestTask& task, const QStringList& files) {
  // The text that is to be tested, the test that there is or else one like it.
  const QStringList tests = testFilesFor(task.path, files);
  QString mentions = mentionOf(task.path);
  if (!tests.isEmpty()) mentions += u' ' + mentionOf(tests.constFirst());
  return begin(tr("Tests for %1").arg(task.path), false,
               [task, tests](const QVector<ContextItem>& context, bool) {
                 return testsRequest(task, context, tests);
               })
      .map([&](qint64 budget) { gather(mentions, files, budget); });
}

editor::Result<qint64> ReviewSession::begin(const QString& title, bool isForRemarks,
                                            MakeRequest make) {
  if (folder_.isEmpty())
    return editor::fail(tr("No folder is open."), tr("Open the project's folder first."));
  const ModelRoster::Choice choice = services_.roster->choose(Work::kLargeEdit);
  if (!choice.endpoint) return editor::fail(choice.reason);
  forget();
  title_ = title;
  isForRemarks_ = isForRemarks;
  model_ = tr("%1 · %2").arg(choice.model->name, choice.model->place());
  make_ = std::move(make);
  state_ = State::kGathering;
  Q_EMIT changed();
  return budgetOf(*choice.model);
}

void ReviewSession::gather(const QString& mentions, const QStringList& files, qint64 budget) {
  const ContextRequest request{folder_, files, mentions, services_.open(), {}, {}, {}, {}, budget};
  gatherInBackground(request, {}, this, [this, round = round_](const GatheredContext& gathered) {
    if (round_ == round && state_ == State::kGathering) send(gathered.items);
  });
}

void ReviewSession::send(const QVector<ContextItem>& context) {
  context_ = context;
  const bool isAny = std::any_of(context.cbegin(), context.cend(),
                                 [](const ContextItem& item) { return item.isSent(); });
  if (!isAny) {
    QStringList reasons;
    for (const ContextItem& item : context)
      reasons.append(item.name + QStringLiteral(": ") + item.why);
    return fail({tr("There is nothing to send. %1.").arg(reasons.join(QStringLiteral("; "))), {}});
  }
  const ModelRoster::Choice choice = services_.roster->choose(Work::kLargeEdit);
  if (!choice.endpoint) return fail({choice.reason, {}});  // not any more
  model_ = tr("%1 · %2").arg(choice.model->name, choice.model->place());
  reader_ = makeAnswerReader(AnswerFormat::kSearchReplace);
  ModelRequest wanted = make_(context, choice.model->keepsForms);
  wanted.waitsOut = true;
  const auto request = ShownRequest::of(std::move(wanted));
  if (!request) return fail(request.error());
  reply_ = choice.endpoint->send(*request);
  state_ = State::kAsking;
  connect(reply_.get(), &ModelReply::textArrived, this, &ReviewSession::takeText);
  connect(reply_.get(), &ModelReply::waited, this, &ReviewSession::changed);
  connect(reply_.get(), &ModelReply::finished, this, [this](ReplyDone done) {
    using Reason = ReplyDone::Reason;
    const bool isCut = done.reason == Reason::kLength;
    if (!isCut && done.reason != Reason::kCanceled) reader_->finish();
    if (isCut)
      failure_ = editor::Error{tr("The answer is as long as the model may write, and not whole."),
                               isOfCommits_ ? tr("Review fewer commits, or choose another model.")
                                            : tr("Commit a part of the changes, or choose another "
                                                 "model.")};
    end(isCut ? State::kFailed : done.reason == Reason::kCanceled ? State::kStopped : State::kDone);
  });
  connect(reply_.get(), &ModelReply::failed, this, [this](const ReplyFailure& failure) {
    failure_ = failure;
    end(State::kFailed);
  });
  Q_EMIT changed();
}

void ReviewSession::takeText(const QString& delta) {
  state_ = State::kReading;
  reader_->feed(QByteArray(encoder_.encode(delta)));
  if (isForRemarks_) remarks_ = remarksIn(reader_->answer());
  Q_EMIT changed();
}

bool ReviewSession::stop() {
  if (!isRunning()) return false;
  if (reply_) {
    reply_->cancel();  // finished() ends it
  } else {
    end(State::kStopped);
  }
  return true;
}

void ReviewSession::fail(const editor::Error& error) {
  failure_ = error;
  end(State::kFailed);
}

// Changes are proposed together: several of one file build on one another.
void ReviewSession::end(State state) {
  state_ = state;
  if (reader_) {
    const Answer answer = reader_->answer();
    if (isForRemarks_) remarks_ = remarksIn(answer);
    placeRemarks();
    makeReview();
    proposeChanges(answer);
    for (const AnswerProblem& problem : answer.problems)
      leftOver_.append(LeftOverChange{{}, {}, {problem.what, {}}});
  }
  Q_EMIT changed();
}

void ReviewSession::makeReview() {
  review_ = std::make_unique<ChangeReview>(
      ChangeReview::Parts{services_.texts, services_.changes, folder_}, ChangeSet::make(title_));
  connect(review_.get(), &ChangeReview::changed, this, &ReviewSession::changed);
}

editor::Result<void> ReviewSession::offer(const QString& title,
                                          const QVector<ProposedChange>& changes) {
  if (folder_.isEmpty())
    return editor::fail(tr("No folder is open."), tr("Open the project's folder first."));
  if (isRunning())
    return editor::fail(tr("An answer for the list of changes to review is on its way."),
                        tr("Wait for it, or stop it."));
  const bool isWaiting = !remarks_.isEmpty() || (review() && review()->set().openCount() > 0);
  if (!isWaiting) {
    forget();
    title_ = title;
    isForRemarks_ = false;
    model_.clear();
    makeReview();
  }
  if (!review_) makeReview();
  leftOver_ += propose(changes, {}, review_.get());
  state_ = State::kDone;
  Q_EMIT changed();
  return {};
}

void ReviewSession::placeRemarks() {
  QStringList files;
  for (const ContextItem& item : std::as_const(context_))
    if (item.path.startsWith(folder_ + u'/')) files.append(item.path.mid(folder_.size() + 1));
  for (Remark& remark : remarks_) placeRemark(remark, files);
}

void ReviewSession::placeRemark(Remark& remark, const QStringList& files) {
  const qint64 line = std::exchange(remark.line, 0);
  const QString meant = fileMeant(remark.path, folder_, files);
  if (meant.isEmpty()) return;
  const auto text = services_.texts->read(folder_ + u'/' + meant);
  const bool isThere = text && text->exists;
  const auto reviewed = reviewed_.constFind(meant);
  if (reviewed == reviewed_.cend()) {
    if (!isThere || line > text->text.lineCount()) return;
    remark.line = line;
  } else {
    if (line > reviewed->lineCount()) return;
    remark.line = isThere ? lineByNow(*reviewed, text->text, line) : 0;
    if (remark.line == 0) remark.lineThen = line;
  }
  remark.path = meant;
}

// A remark about text that is not there any more may be as little at home in what is.
void ReviewSession::proposeChanges(const Answer& answer) {
  if (reviewed_.isEmpty()) {
    leftOver_ = propose(answer.changes(), {}, review_.get());
    return;
  }
  QVector<ProposedChange> changes;
  QVector<LeftOverChange> stale;
  for (const Remark& remark : std::as_const(remarks_)) {
    if (remark.lineThen == 0) {
      changes += remark.changes;
      continue;
    }
    for (const ProposedChange& change : remark.changes)
      stale.append({change.path.isEmpty() ? remark.path : change.path,
                    change.newText,
                    {tr("The text that the remark is about has changed since."), {}}});
  }
  const auto shown = [this](const QString& path) -> std::optional<editor::Snapshot> {
    const auto text = reviewed_.constFind(path);
    return text == reviewed_.cend() ? std::nullopt : std::optional(*text);
  };
  leftOver_ = propose(changes, {}, review_.get(), shown) + stale;
}

}  // namespace waferpair::pairing
