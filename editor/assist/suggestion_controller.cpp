// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/suggestion_controller.h"

#include <algorithm>
#include <utility>

#include "editor/assist/suggestion_stream.h"
#include "editor/assist/suggestion_view.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

constexpr int kFrameMs = 16;
constexpr int kRestMs = 300;
constexpr int kLinesLookedAt = 50;  // for the next line that is not blank

QByteArray nextLineBelow(const SuggestionView& view, int line) {
  const int last = std::min(view.lineCount() - 1, line + kLinesLookedAt);
  while (++line <= last) {
    const QByteArray text = view.textRange(view.lineStart(line), view.lineEnd(line));
    if (!text.trimmed().isEmpty()) return text;
  }
  return {};
}

}  // namespace

SuggestionController::SuggestionController(SuggestionView* view, CompletionProvider* provider,
                                           QObject* parent)
    : QObject(parent), view_(view), provider_(provider) {
  frame_.setInterval(kFrameMs);
  frame_.setTimerType(Qt::PreciseTimer);
  connect(&frame_, &QTimer::timeout, this, &SuggestionController::frameTick);
  requestSoon_.setSingleShot(true);
  requestSoon_.setInterval(0);
  connect(&requestSoon_, &QTimer::timeout, this, [this] { request(false); });
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, &SuggestionController::readAhead);
  namesAwaited_.setSingleShot(true);
  namesAwaited_.setTimerType(Qt::PreciseTimer);
  connect(&namesAwaited_, &QTimer::timeout, this, [this] {
    if (!view_->isGhostShown()) request(false, /*mayWait=*/false);
  });

  connect(view, &SuggestionView::wasReset, this, &SuggestionController::documentReset);
  connect(view, &SuggestionView::edited, this, &SuggestionController::documentEdited);
  connect(view, &SuggestionView::typed, this, &SuggestionController::userTyped);
  connect(view, &SuggestionView::caretMoved, this, &SuggestionController::caretMoved);
  connect(view, &SuggestionView::suggestionWanted, this, &SuggestionController::requestNow);
  connect(view, &SuggestionView::alternativeWanted, this, &SuggestionController::showAlternative);
  connect(view, &SuggestionView::ghostAccepted, this, [this](const QByteArray& text) {
    contradicted_ = false;
    Q_EMIT accepted(view_->caret() - text.size(), text);
    if (!view_->isGhostShown()) userTyped();
  });
  // The request is not wanted any more, and nothing of its answer was seen yet.
  connect(view, &SuggestionView::escaped, this, [this] {
    dropAll();
    settleState();
  });
  connect(view, &SuggestionView::ghostDismissed, this, [this] {
    dropAll();
    contradicted_ = true;
    Q_EMIT dismissed();
    settleState();
  });
  connect(view, &SuggestionView::ghostPainted, this, [this] {
    if (!std::exchange(awaitingPaint_, false)) return;
    if (const QElapsedTimer sinceKey = view_->sinceKey(); sinceKey.isValid())
      Q_EMIT firstGhostShown(static_cast<double>(sinceKey.nsecsElapsed()) / 1e6);
  });

  connect(provider, &CompletionProvider::completionText, this, &SuggestionController::textArrived);
  connect(provider, &CompletionProvider::completionFinished, this,
          &SuggestionController::streamFinished);
  connect(provider, &CompletionProvider::completionTakenOver, this,
          &SuggestionController::takenOver);
  connect(provider, &CompletionProvider::availabilityChanged, this, [this] { settleState(); });
}

SuggestionController::~SuggestionController() { closeDocument(); }

// -- The document

void SuggestionController::openDocument(const DocumentId& id) {
  document_ = id;
  documentReset();
  rest_.start();
}

void SuggestionController::closeDocument() {
  document_.clear();
  documentReset();
}

void SuggestionController::cameToFront() { rest_.start(); }

void SuggestionController::documentReset() {
  dropAll();
  settleState();
}

void SuggestionController::documentEdited(const QVector<TextEdit>& edits) {
  for (const TextEdit& edit : edits) {
    if (current_ != nullptr) {
      const bool showing = isShowing(*current_);
      if (!current_->follow(edit)) {
        contradicted_ = contradicted_ || showing;
        drop(&current_);
      }
    }
    if (older_ != nullptr && !older_->follow(edit)) drop(&older_);
    choices_.follow(edit);
    if (choice_ != nullptr && !choice_->follow(edit)) drop(&choice_);
  }
  if (current_ == nullptr) {
    drop(&ahead_);
    forgetChoices();
  } else if (choicesAsked_ > 0) {
    // Typing goes on with the one that is shown: no other comes in between.
    wantedStep_ = 0;
    if (choice_ == nullptr) choicesAsked_ = SuggestionChoices::kMost - 1;
    noteChoice();
  }
  settleState();
}

void SuggestionController::setOff(const QString& reason) {
  if (off_ == reason) return;
  off_ = reason;
  if (!off_.isEmpty()) dropAll();
  settleState();
}

void SuggestionController::setHeldBack(const QString& reason) {
  if (heldBack_ == reason) return;
  heldBack_ = reason;
  if (!heldBack_.isEmpty()) dropAll();
  settleState();
}

// -- Asking

void SuggestionController::userTyped() {
  // The suggestion at hand goes on: no request. One that has brought nothing yet may be about to
  // say something for the text as it was; ask for the text as it is now too.
  if (current_ != nullptr && current_->hasText() && (current_->isAhead() || !current_->isEnded()))
    return;
  if (takeAhead()) return;
  requestSoon_.start();
}

void SuggestionController::caretMoved() {
  namesAwaited_.stop();
  rest_.start();
  const qint64 caret = view_->caret();
  const bool plain = view_->hasPlainCaret();
  if (current_ != nullptr && (!plain || current_->position() != caret)) drop(&current_);
  if (older_ != nullptr && (!plain || older_->position() != caret)) drop(&older_);
  if (current_ == nullptr) {
    drop(&ahead_);
    forgetChoices();
  }
  settleState();
}

void SuggestionController::setNames(NameSource* names) {
  if (names == names_) return;
  if (names_) names_->disconnect(this);
  names_ = names;
  if (names_) connect(names_, &NameSource::came, this, &SuggestionController::namesCame);
}

// What is known about the name that is typed, or may be, behind the sign of a member.
KnownNames SuggestionController::namesFor(const QByteArray& linePrefix, qint64 caret) {
  if (!names_) return {};
  const auto name = std::find_if_not(linePrefix.rbegin(), linePrefix.rend(), isWordByte).base();
  const QByteArray before = linePrefix.first(name - linePrefix.begin());
  if (caretPlace(before) != CaretPlace::kMember) return {};
  const qint64 typed = linePrefix.size() - before.size();
  return names_->namesAt({document_, caret - typed, caret, before});
}

// Shown text stays as it is, whatever is known now.
void SuggestionController::namesCame(const DocumentId& document) {
  if (document != document_) return;
  const bool isAwaited = namesAwaited_.isActive();
  namesAwaited_.stop();
  const bool isLate = std::exchange(lacksNames_, false);
  if (view_->isGhostShown() || !view_->hasPlainCaret() || !(isAwaited || isLate)) return;
  const qint64 caret = view_->caret();
  const QByteArray linePrefix = view_->textRange(view_->lineStart(view_->lineAt(caret)), caret);
  if (isAwaited || !namesFor(linePrefix, caret).names.isEmpty()) request(false, /*mayWait=*/false);
}

void SuggestionController::requestNow() {
  dropAll();
  request(true);
}

void SuggestionController::request(bool manual, bool mayWait) {
  requestSoon_.stop();
  namesAwaited_.stop();
  lacksNames_ = false;
  view_->flushEdits();
  const bool silent = !view_->silence().isEmpty() || !off_.isEmpty();
  if (document_.isEmpty() || silent || (!manual && !heldBack_.isEmpty())) {
    if (current_ != nullptr && current_->isFinished() && !current_->isAhead()) drop(&current_);
    settleState();
    return;
  }
  const qint64 caret = view_->caret();
  if (!view_->hasPlainCaret()) return;
  drop(&ahead_);
  forgetChoices();
  // In the middle of a word nobody waits for a suggestion, unless asked for.
  if (!manual && !endsBeforeWord(caret)) {
    drop(&current_);
    settleState();
    return;
  }
  const QByteArray linePrefix = view_->textRange(view_->lineStart(view_->lineAt(caret)), caret);
  const CaretPlace place = caretPlace(linePrefix);
  const KnownNames known = namesFor(linePrefix, caret);
  if (!manual && mayWait && place == CaretPlace::kMember && known.names.isEmpty() && names_) {
    const std::chrono::milliseconds wait = names_->worthWaiting();
    if (wait.count() > 0) return namesAwaited_.start(wait);
  }
  lacksNames_ = !manual && known.names.isEmpty();
  const double least = manual ? 0 : gate_.leastProbability(place, contradicted_);
  if (place != CaretPlace::kWord) contradicted_ = false;  // the next word is another matter
  Stream asked = ask({.offset = caret,
                      .leastProbability = least,
                      .names = known.names,
                      .namesAreAll = known.areAll},
                     linePrefix, manual);
  if (asked == nullptr) {
    dropAll();
    setState(State::kSilent, provider_->silenceReason(document_));
    return;
  }
  // The oldest of the requests that have brought nothing yet is nearest to an answer: it is kept
  // beside the newest until one of the two brings text.
  if (current_ != nullptr && !current_->hasText() && older_ == nullptr) {
    older_ = std::move(current_);
  } else {
    drop(&current_);
  }
  current_ = std::move(asked);
  awaitingPaint_ = true;
  Q_EMIT requested();
  settleState();
}

// Asks the provider, for the present document and version. Null: nothing can be had. `linePrefix`
// ends with what is inserted.
SuggestionController::Stream SuggestionController::ask(CompletionQuery query,
                                                       const QByteArray& linePrefix, bool wanted) {
  query.document = document_;
  query.version = view_->version();
  const RequestId id = provider_->requestCompletion(query);
  if (id == 0) return nullptr;
  const int line = view_->lineAt(query.offset);
  return std::make_unique<SuggestionStream>(
      id, wanted, TypedSince(query.offset, view_->lineStart(line)),
      SuggestionFilter(linePrefix, view_->textRange(query.offset, view_->lineEnd(line)),
                       nextLineBelow(*view_, line)),
      view_->lineEndBytes());
}

bool SuggestionController::endsBeforeWord(qint64 at) const {
  const QByteArray next = view_->textRange(at, std::min(at + 1, view_->lineEnd(view_->lineAt(at))));
  return next.isEmpty() || !isWordByte(next.front());
}

// As a request here would have it read. Behind a request there is no need: it reads itself.
void SuggestionController::readAhead() {
  const bool isAsked = current_ != nullptr && (!current_->isFinished() || current_->isAwaiting());
  if (document_.isEmpty() || isAsked || older_ != nullptr || ahead_ != nullptr ||
      choice_ != nullptr || !off_.isEmpty() || !view_->silence().isEmpty() || !view_->isSeen() ||
      !view_->hasPlainCaret())
    return;
  view_->flushEdits();
  provider_->readAhead(document_, view_->version(), view_->caret());
}

// -- What follows once it is accepted

void SuggestionController::askAhead() {
  view_->flushEdits();
  if (!heldBack_.isEmpty() || choicesMayCome()) return;
  if (current_ == nullptr || !current_->isFinished() || !isShowing(*current_)) return;
  if (ahead_ != nullptr && aheadOf_ == current_->id()) return;
  drop(&ahead_);  // of another alternative
  if (!provider_->mayAskAhead()) return;
  const qint64 caret = current_->position();
  if (caret != view_->caret() || !endsBeforeWord(caret)) return;
  const QByteArray accepted = current_->ahead();
  const QByteArray before =
      view_->textRange(view_->lineStart(view_->lineAt(caret)), caret) + accepted;
  const QByteArray linePrefix =
      before.mid(std::max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
  const double least = gate_.leastProbability(caretPlace(linePrefix), false);
  ahead_ =
      ask({.offset = caret, .leastProbability = least, .inserted = accepted}, linePrefix, false);
  aheadOf_ = current_->id();
}

// Goes on with what was asked for ahead, where all of the suggestion that it follows is in the text
// by now.
bool SuggestionController::takeAhead() {
  if (ahead_ == nullptr || current_ == nullptr || current_->id() != aheadOf_ ||
      current_->isAhead() || current_->position() != view_->caret())
    return false;
  const qint64 caret = view_->caret();
  ahead_->placeAt(TypedSince(caret, view_->lineStart(view_->lineAt(caret))));
  drop(&current_);
  current_ = std::move(ahead_);
  forgetChoices();
  awaitingPaint_ = true;
  showFrame();
  return true;
}

// -- What else could stand there

bool SuggestionController::choicesMayCome() const {
  return choice_ != nullptr ||
         (choicesAsked_ > 0 && choicesAsked_ < SuggestionChoices::kMost - 1) || wantedStep_ != 0;
}

void SuggestionController::showAlternative(int by) {
  view_->flushEdits();
  if (current_ == nullptr || !isShowing(*current_)) return;
  wantedStep_ = by;
  if (current_->isFinished()) goOnWithChoices();
}

// Takes the step that the user waits for as soon as it can be: on, where there is one further on;
// back or round the end, where all are there.
void SuggestionController::goOnWithChoices() {
  if (current_ == nullptr || !current_->isFinished()) return;
  if (choice_ == nullptr && choicesAsked_ < SuggestionChoices::kMost - 1) askForChoice();
  const bool all = choice_ == nullptr;
  const bool further = wantedStep_ > 0 && choices_.place() + 1 < choices_.count();
  if (wantedStep_ != 0 && (all || further)) {
    choices_.step(&current_, std::exchange(wantedStep_, 0));
    present();
  }
  noteChoice();
  if (all) askAhead();
}

void SuggestionController::noteChoice() {
  if (view_->isGhostShown())
    view_->noteChoice({choices_.place(), choices_.count(), choice_ != nullptr});
}

void SuggestionController::askForChoice() {
  drop(&ahead_);
  // Where only the beginning of the winner was sure enough to be shown, the whole of it comes
  // first.
  if (choicesAsked_ == 0) firstChoice_ = current_->isCut() ? 0 : 1;
  const int rank = firstChoice_ + choicesAsked_++;
  const qint64 caret = current_->position();
  const QByteArray linePrefix = view_->textRange(view_->lineStart(view_->lineAt(caret)), caret);
  const KnownNames known = namesFor(linePrefix, caret);
  choice_ =
      ask({.offset = caret, .alternative = rank, .names = known.names, .namesAreAll = known.areAll},
          linePrefix, true);
  if (choice_ == nullptr) choicesAsked_ = SuggestionChoices::kMost - 1;
}

void SuggestionController::choiceEnded() {
  Stream ended = std::move(choice_);
  if (ended != nullptr && current_ != nullptr) choices_.add(std::move(ended), *current_);
  goOnWithChoices();
}

void SuggestionController::forgetChoices() {
  drop(&choice_);
  choices_.clear();
  choicesAsked_ = 0;
  wantedStep_ = 0;
}

// -- Answers

void SuggestionController::textArrived(quint64 id, const QByteArray& utf8) {
  // The document may have changed within this very event.
  view_->flushEdits();
  if (older_ != nullptr && older_->id() == id) {
    if (!older_->append(utf8)) {
      drop(&older_);  // typed something else: too late
    } else if (older_->isAhead()) {
      drop(&current_);
      current_ = std::move(older_);
      frameWanted();
    }
    return;
  }
  for (Stream* beside : {&ahead_, &choice_}) {
    if (*beside == nullptr || (*beside)->id() != id) continue;
    if ((*beside)->append(utf8)) {
      endWhatIsCut(beside->get());
    } else {
      drop(beside);
    }
    if (beside == &choice_ && (choice_ == nullptr || choice_->isFinished())) choiceEnded();
    return;
  }
  if (current_ == nullptr || current_->id() != id) return;
  drop(&older_);
  if (current_->append(utf8)) {
    frameWanted();
    return;
  }
  // It contradicts what was typed meanwhile, for which nothing was asked: ask now.
  drop(&current_);
  view_->clearGhost();
  requestSoon_.start();
  settleState();
}

void SuggestionController::streamFinished(quint64 id, CompletionEnd end) {
  if (older_ != nullptr && older_->id() == id) {
    older_->finish(end == CompletionEnd::kComplete);
    older_->awaitTakeover(provider_->mayBeTakenOver(id));
    if (!older_->isAwaiting()) older_.reset();
    return;
  }
  view_->flushEdits();
  for (Stream* beside : {&ahead_, &choice_}) {
    if (*beside == nullptr || (*beside)->id() != id || (*beside)->isFinished()) continue;
    // A piece of one that failed is no use: the whole can be asked for again.
    const bool whole = end == CompletionEnd::kComplete || end == CompletionEnd::kUnsure;
    whole ? (*beside)->finish(end == CompletionEnd::kComplete) : beside->reset();
    if (beside == &choice_) choiceEnded();
    return;
  }
  if (current_ == nullptr || current_->id() != id) return;
  current_->finish(end == CompletionEnd::kComplete);
  current_->awaitTakeover(provider_->mayBeTakenOver(id));
  if (end == CompletionEnd::kStale || end == CompletionEnd::kFailed) {
    // A suggestion that is shown stays useful; one that was held back does not.
    if (!view_->isGhostShown() && !current_->isAwaiting()) current_.reset();
  } else {
    showFrame();
  }
  if (wantedStep_ != 0) goOnWithChoices();
  settleState();
  rest_.start();
}

// Alternatives that the user looks at stand still.
void SuggestionController::takenOver(quint64 id, quint64 by, const QByteArray& utf8,
                                     CompletionEnd end) {
  view_->flushEdits();
  const bool isOlder = older_ != nullptr && older_->id() == id;
  if (!isOlder && (current_ == nullptr || current_->id() != id)) return;
  Stream& stream = isOlder ? older_ : current_;
  stream->awaitTakeover(false);
  auto larger = std::make_unique<SuggestionStream>(*stream);
  const bool isTaken = by != 0 && choicesAsked_ == 0 &&
                       larger->takeOver(by, utf8, end == CompletionEnd::kComplete) &&
                       mayShow(*larger);
  if (isTaken) {
    stream.reset();
    drop(&older_);
    drop(&current_);
    drop(&ahead_);
    forgetChoices();
    current_ = std::move(larger);
    showFrame();
  } else if (isOlder) {
    older_.reset();
  } else if (!view_->isGhostShown()) {
    showFrame();
  }
  settleState();
  rest_.start();
}

// The first piece is shown at once, later ones once a frame.
void SuggestionController::frameWanted() {
  dirty_ = true;
  if (frame_.isActive()) return;
  frame_.start();
  showFrame();
}

void SuggestionController::frameTick() {
  if (!dirty_) {
    frame_.stop();
    return;
  }
  showFrame();
}

void SuggestionController::showFrame() {
  dirty_ = false;
  if (current_ == nullptr) return;
  endWhatIsCut(current_.get());
  const QByteArray shown = current_->shown();
  const bool goesOn = ghostOf_ == current_->id() && view_->hasGhost();
  if (current_->isAhead() && goesOn) {
    view_->appendGhost(shown.mid(ghostBytes_));
    ghostBytes_ = shown.size();
  } else if (current_->isAhead() && mayShow(*current_)) {
    present();
    Q_EMIT this->shown();
  } else if (current_->isFinished() && !current_->isAwaiting()) {
    current_.reset();  // nothing to show, or too little
  }
  askAhead();
  settleState();
}

// Beyond what can be shown the model only keeps the machine busy.
void SuggestionController::endWhatIsCut(SuggestionStream* stream) {
  if (!stream->isEnded() || stream->isFinished() || provider_->mayBeTakenOver(stream->id())) return;
  provider_->cancelCompletion(stream->id());
  stream->finish(true);
}

void SuggestionController::present() {
  const QByteArray shown = current_->shown();
  view_->showGhost(current_->origin(), shown);
  ghostOf_ = current_->id();
  ghostBytes_ = shown.size();
}

SuggestionController::Source SuggestionController::shownSource() const {
  if (current_ == nullptr || current_->id() != ghostOf_) return {};
  return {current_->id(), current_->origin()};
}

bool SuggestionController::isShowing(const SuggestionStream& stream) const {
  return ghostOf_ == stream.id() && stream.isAhead();
}

// A text that is too short now may be long enough when more of it has come.
bool SuggestionController::mayShow(const SuggestionStream& stream) const {
  if (stream.isWanted()) return true;
  const qint64 lineStart = view_->lineStart(view_->lineAt(stream.position()));
  return gate_.isWorthShowing(stream.ahead(), view_->textRange(lineStart, stream.position()),
                              stream.endsLine());
}

// -- Letting go

void SuggestionController::drop(Stream* stream) {
  if (*stream == nullptr) return;
  if (!(*stream)->isFinished() || (*stream)->isAwaiting())
    provider_->cancelCompletion((*stream)->id());
  stream->reset();
}

void SuggestionController::dropAll() {
  requestSoon_.stop();
  namesAwaited_.stop();
  lacksNames_ = false;
  drop(&current_);
  drop(&older_);
  drop(&ahead_);
  forgetChoices();
  view_->clearGhost();
}

// -- State

void SuggestionController::settleState() {
  if (document_.isEmpty()) return setState(State::kIdle);
  if (const QString silence = view_->silence(); !silence.isEmpty())
    return setState(State::kSilent, silence);
  if (!off_.isEmpty()) return setState(State::kSilent, off_);
  if (view_->isGhostShown()) {
    const bool isComplete = current_ == nullptr || (current_->isEnded() && !current_->isAwaiting());
    return setState(isComplete ? State::kShowing : State::kGrowing);
  }
  if (current_ != nullptr || older_ != nullptr) return setState(State::kWaiting);
  const QString silence = provider_->silenceReason(document_);
  const QString reason = silence.isEmpty() ? heldBack_ : silence;
  setState(reason.isEmpty() ? State::kIdle : State::kSilent, reason);
}

void SuggestionController::setState(State state, const QString& reason) {
  if (state == state_ && reason == reason_) return;
  state_ = state;
  reason_ = reason;
  Q_EMIT stateChanged(state_, reason_);
}

}  // namespace waferpair::editor
