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
  failure_.reset();
}

ChangeReview* ReviewSession::review() const {
  return review_ && !review_->set().files.isEmpty() ? review_.get() : nullptr;
}

editor::Result<void> ReviewSession::askForRemarks() {
  return begin(tr("Review of my changes"), true, mentionOf(QLatin1String(kDiffMention)), {},
               &remarksRequest);
}

editor::Result<void> ReviewSession::askForTests(const TestTask& task, const QStringList& files) {
  // The text that is to be tested, the test that there is or else one like it.
  const QStringList tests = testFilesFor(task.path, files);
  QString mentions = mentionOf(task.path);
  if (!tests.isEmpty()) mentions += u' ' + mentionOf(tests.constFirst());
  return begin(tr("Tests for %1").arg(task.path), false, mentions, files,
               [task, tests](const QVector<ContextItem>& context, bool) {
                 return testsRequest(task, context, tests);
               });
}

editor::Result<void> ReviewSession::begin(const QString& title, bool isForRemarks,
                                          const QString& mentions, const QStringList& files,
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
  const ContextRequest request{folder_, files, mentions, services_.open(),       {},
                               {},      {},    {},       budgetOf(*choice.model)};
  gatherInBackground(request, {}, this, [this, round = round_](const GatheredContext& gathered) {
    if (round_ == round && state_ == State::kGathering) send(gathered.items);
  });
  Q_EMIT changed();
  return {};
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
  const auto request = ShownRequest::of(make_(context, choice.model->keepsForms));
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
                               tr("Commit a part of the changes, or choose another model.")};
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
    review_ = std::make_unique<ChangeReview>(
        ChangeReview::Parts{services_.texts, services_.changes, folder_}, ChangeSet::make(title_));
    connect(review_.get(), &ChangeReview::changed, this, &ReviewSession::changed);
    leftOver_ = propose(answer.changes(), {}, review_.get());
    for (const AnswerProblem& problem : answer.problems)
      leftOver_.append(LeftOverChange{{}, {}, {problem.what, {}}});
  }
  Q_EMIT changed();
}

void ReviewSession::placeRemarks() {
  QStringList files;
  for (const ContextItem& item : std::as_const(context_))
    if (item.path.startsWith(folder_ + u'/')) files.append(item.path.mid(folder_.size() + 1));
  for (Remark& remark : remarks_) {
    const QString meant = fileMeant(remark.path, folder_, files);
    const auto text = meant.isEmpty() ? editor::Result<FileText>(FileText())
                                      : services_.texts->read(folder_ + u'/' + meant);
    const bool isThere = text && text->exists && remark.line <= text->text.lineCount();
    if (isThere) {
      remark.path = meant;
    } else {
      remark.line = 0;
    }
  }
}

}  // namespace waferpair::pairing
