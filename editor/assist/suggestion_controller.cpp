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

  connect(view, &SuggestionView::wasReset, this, &SuggestionController::documentReset);
  connect(view, &SuggestionView::edited, this, &SuggestionController::documentEdited);
  connect(view, &SuggestionView::typed, this, &SuggestionController::userTyped);
  connect(view, &SuggestionView::caretMoved, this, &SuggestionController::caretMoved);
  connect(view, &SuggestionView::suggestionWanted, this, &SuggestionController::requestNow);
  connect(view, &SuggestionView::ghostAccepted, this, [this](qint64 characters) {
    contradicted_ = false;
    Q_EMIT accepted(characters);
    if (!view_->isGhostShown()) userTyped();
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
  connect(provider, &CompletionProvider::availabilityChanged, this, [this] { settleState(); });
}

SuggestionController::~SuggestionController() { closeDocument(); }

// -- The document

void SuggestionController::openDocument(const DocumentId& id) {
  document_ = id;
  documentReset();
}

void SuggestionController::closeDocument() {
  document_.clear();
  documentReset();
}

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
  }
  settleState();
}

void SuggestionController::setEnabled(bool enabled) {
  if (enabled_ == enabled) return;
  enabled_ = enabled;
  if (!enabled_) dropAll();
  settleState();
}

// -- Asking

void SuggestionController::userTyped() {
  // The suggestion at hand goes on: no request. One that has brought nothing yet may be about to
  // say something for the text as it was; ask for the text as it is now too.
  if (current_ != nullptr && current_->hasText() && (current_->isAhead() || !current_->isEnded()))
    return;
  requestSoon_.start();
}

void SuggestionController::caretMoved() {
  const qint64 caret = view_->caret();
  const bool plain = view_->hasPlainCaret();
  if (current_ != nullptr && (!plain || current_->position() != caret)) drop(&current_);
  if (older_ != nullptr && (!plain || older_->position() != caret)) drop(&older_);
  settleState();
}

void SuggestionController::requestNow() {
  dropAll();
  request(true);
}

void SuggestionController::request(bool manual) {
  requestSoon_.stop();
  view_->flushEdits();
  if (document_.isEmpty() || !view_->silence().isEmpty() || !enabled_) {
    settleState();
    return;
  }
  const qint64 caret = view_->caret();
  if (!view_->hasPlainCaret()) return;
  const int line = view_->lineAt(caret);
  const qint64 lineStart = view_->lineStart(line);
  const QByteArray rest = view_->textRange(caret, view_->lineEnd(line));
  // In the middle of a word nobody waits for a suggestion, unless asked for.
  if (!manual && !rest.isEmpty() && isWordByte(rest.front())) {
    drop(&current_);
    settleState();
    return;
  }
  const QByteArray linePrefix = view_->textRange(lineStart, caret);
  const CaretPlace place = caretPlace(linePrefix);
  const double least = manual ? 0 : gate_.leastProbability(place, contradicted_);
  if (place != CaretPlace::kWord) contradicted_ = false;  // the next word is another matter
  const RequestId id = provider_->requestCompletion(document_, view_->version(), caret, least);
  if (id == 0) {
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
  current_ = std::make_unique<SuggestionStream>(
      id, manual, TypedSince(caret, lineStart),
      SuggestionFilter(linePrefix, rest, nextLineBelow(*view_, line)), view_->lineEndBytes());
  awaitingPaint_ = true;
  Q_EMIT requested();
  settleState();
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
    older_.reset();
    return;
  }
  if (current_ == nullptr || current_->id() != id) return;
  current_->finish(end == CompletionEnd::kComplete);
  if (end == CompletionEnd::kStale || end == CompletionEnd::kFailed) {
    // A suggestion that is shown stays useful; one that was held back does not.
    if (!view_->isGhostShown()) current_.reset();
  } else {
    showFrame();
  }
  settleState();
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
  // Beyond what can be shown the model only keeps the machine busy.
  if (current_->isEnded() && !current_->isFinished()) {
    provider_->cancelCompletion(current_->id());
    current_->finish(true);
  }
  const QByteArray shown = current_->shown();
  const bool goesOn = ghostOf_ == current_->id() && view_->hasGhost();
  if (current_->isAhead() && goesOn) {
    view_->appendGhost(shown.mid(ghostBytes_));
    ghostBytes_ = shown.size();
  } else if (current_->isAhead() && mayShow(*current_)) {
    view_->showGhost(current_->origin(), shown);
    ghostOf_ = current_->id();
    ghostBytes_ = shown.size();
  } else if (current_->isFinished()) {
    current_.reset();  // nothing to show, or too little
  }
  settleState();
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

void SuggestionController::drop(std::unique_ptr<SuggestionStream>* stream) {
  if (*stream == nullptr) return;
  if (!(*stream)->isFinished()) provider_->cancelCompletion((*stream)->id());
  stream->reset();
}

void SuggestionController::dropAll() {
  requestSoon_.stop();
  drop(&current_);
  drop(&older_);
  view_->clearGhost();
}

// -- State

void SuggestionController::settleState() {
  if (document_.isEmpty()) return setState(State::kIdle);
  if (const QString silence = view_->silence(); !silence.isEmpty())
    return setState(State::kSilent, silence);
  if (!enabled_) return setState(State::kSilent, tr("suggestions are off"));
  if (view_->isGhostShown()) return setState(State::kShowing);
  if (current_ != nullptr || older_ != nullptr) return setState(State::kWaiting);
  const QString silence = provider_->silenceReason(document_);
  setState(silence.isEmpty() ? State::kIdle : State::kSilent, silence);
}

void SuggestionController::setState(State state, const QString& reason) {
  if (state == state_ && reason == reason_) return;
  state_ = state;
  reason_ = reason;
  Q_EMIT stateChanged(state_, reason_);
}

}  // namespace waferpair::editor
