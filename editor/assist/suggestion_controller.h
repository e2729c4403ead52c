// SPDX-License-Identifier: GPL-3.0-or-later
// Drives a view's ghost text from a CompletionProvider: asks after typing, hands streamed text to
// the ghost once a frame, drops what came too late. UI thread only.
//
// Beyond the one that is shown two kinds of suggestion are asked for, and never while its own text
// still comes, for a newer request ends an older one:
//   - what else could stand there, once the user wants to see it;
//   - what would follow once it is accepted, where asking costs nothing: it is there without a wait
//     then. Typing something else cancels it.
// Where the caret rests the model reads what stands around it, in the background: a model that
// reads for seconds has read it by the time that the user types.
// A larger model may be at the same request. What it says comes later, all at once, and takes the
// place of what is shown where the user has not typed beyond it; it changes no other than that.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "editor/assist/completion_provider.h"
#include "editor/assist/name_source.h"
#include "editor/assist/suggestion_choices.h"
#include "editor/assist/suggestion_gate.h"

namespace waferpair::editor {

class SuggestionView;

class SuggestionController : public QObject {
  Q_OBJECT
 public:
  enum class State {
    kIdle,     // nothing asked for
    kWaiting,  // asked, nothing to show yet: the model reads
    kGrowing,  // a ghost is on screen, and more of it may come
    kShowing,  // a ghost is on screen, and all of it
    kSilent,   // no suggestions here and now: reason() says why
  };
  Q_ENUM(State)

  // Both must outlive this.
  SuggestionController(SuggestionView* view, CompletionProvider* provider,
                       QObject* parent = nullptr);
  ~SuggestionController() override;

  // Where it learns the names that can stand behind "value."; outlives this, may be null. What is
  // known at once goes along with a request. What is near is waited for; what comes later is asked
  // with only as long as nothing is shown.
  void setNames(NameSource* names);

  // The view's text is the document `id` from now on, which the provider is told of by others
  // (document_sync.h), before this; again after "save as".
  void openDocument(const DocumentId& id);
  void closeDocument();

  // Sets why nothing is asked for, in words for the status bar, the user's key included; empty:
  // something may be.
  void setOff(const QString& reason);
  // Sets why nothing is asked for by itself, so that only the key does; empty: it is.
  void setHeldBack(const QString& reason);

  // Sets the least probability, 0 to 1, of suggestions that come unasked. The default of 0 lets all
  // pass. Some places ask for more: suggestion_gate.h.
  void setLeastProbability(double probability) { gate_ = SuggestionGate(probability); }

  // The document is in front of the user: what stands around the caret is read ahead.
  void cameToFront();

  // Asks here and now, whatever was typed before, and shows what comes however unsure it is.
  void requestNow();
  // Shows the next (1) or previous (-1) of the suggestions that could stand where one is shown,
  // once it is there; what is shown stands still until then.
  void showAlternative(int by);

  // The request whose text the ghost shows, or of which some was just accepted, and where in the
  // document it begins; 0: none.
  struct Source {
    RequestId request = 0;
    qint64 origin = 0;
  };
  Source shownSource() const;

  State state() const { return state_; }
  bool isSuggesting() const { return state_ == State::kGrowing || state_ == State::kShowing; }
  QString reason() const { return reason_; }

 Q_SIGNALS:
  void stateChanged(waferpair::editor::SuggestionController::State state, const QString& reason);
  void requested();
  // Sent with the milliseconds of host time from the last key press to the first picture with the
  // ghost.
  void firstGhostShown(double milliseconds);
  // Sent when some of a suggestion has become text, which begins at `start`.
  void accepted(qint64 start, const QByteArray& text);
  void dismissed();
  // Another suggestion is shown than before, and it is no alternative to that one.
  void shown();

 private:
  using Stream = std::unique_ptr<SuggestionStream>;
  void documentReset();
  void documentEdited(const QVector<TextEdit>& edits);
  void userTyped();
  void caretMoved();
  void request(bool manual, bool mayWait = true);
  KnownNames namesFor(const QByteArray& linePrefix, qint64 caret);
  void namesCame(const DocumentId& document);
  Stream ask(CompletionQuery query, const QByteArray& linePrefix, bool wanted);
  bool endsBeforeWord(qint64 at) const;
  void readAhead();
  void askAhead();
  bool takeAhead();
  void goOnWithChoices();
  void askForChoice();
  void choiceEnded();
  void noteChoice();
  bool choicesMayCome() const;
  void forgetChoices();
  void textArrived(quint64 id, const QByteArray& utf8);
  void streamFinished(quint64 id, waferpair::editor::CompletionEnd end);
  void takenOver(quint64 id, quint64 by, const QByteArray& utf8,
                 waferpair::editor::CompletionEnd end);
  bool isShowing(const SuggestionStream& stream) const;
  bool mayShow(const SuggestionStream& stream) const;
  void frameWanted();
  void frameTick();
  void showFrame();
  void present();
  void endWhatIsCut(SuggestionStream* stream);
  void drop(Stream* stream);
  void dropAll();
  void settleState();
  void setState(State state, const QString& reason = {});

  SuggestionView* view_;
  CompletionProvider* provider_;
  DocumentId document_;
  QString off_;
  QString heldBack_;
  SuggestionGate gate_;
  // A suggestion that was shown is not what was typed, and the word is not over yet.
  bool contradicted_ = false;

  // The newest request, and the oldest that has brought no text yet: its answer may still fit.
  Stream current_;
  Stream older_;
  // The stream that the ghost shows, and how many of its bytes it has been given.
  RequestId ghostOf_ = 0;
  qsizetype ghostBytes_ = 0;

  // The suggestion that would follow current_, all of it accepted.
  Stream ahead_;
  RequestId aheadOf_ = 0;
  // The alternatives to current_, and the one of these that is being asked for.
  SuggestionChoices choices_;
  Stream choice_;
  int choicesAsked_ = 0;
  int firstChoice_ = 1;  // the rank of the first that is asked for
  int wantedStep_ = 0;   // where the user wants to go in them as soon as it is there

  QTimer frame_{this};        // 16 ms, only while text is streaming
  bool dirty_ = false;        // text came since the last frame
  QTimer requestSoon_{this};  // 0 ms: the end of a burst of key events
  QTimer rest_{this};         // the caret has rested, and nothing is asked for: the model may read
  NameSource* names_ = nullptr;
  QTimer namesAwaited_{this};  // a request is held back for them
  bool lacksNames_ = false;    // the last request was made without names that may come
  bool awaitingPaint_ = false;
  State state_ = State::kIdle;
  QString reason_;
};

}  // namespace waferpair::editor
