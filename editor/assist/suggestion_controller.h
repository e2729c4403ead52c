// SPDX-License-Identifier: GPL-3.0-or-later
// Drives a view's ghost text from a CompletionProvider: asks after typing, hands streamed text to
// the ghost once a frame, drops what came too late. UI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

#include "editor/assist/completion_provider.h"
#include "editor/assist/suggestion_gate.h"

namespace waferpair::editor {

class SuggestionStream;
class SuggestionView;

class SuggestionController : public QObject {
  Q_OBJECT
 public:
  enum class State {
    kIdle,     // nothing asked for
    kWaiting,  // asked, nothing to show yet
    kShowing,  // a ghost is on screen
    kSilent,   // no suggestions here and now: reason() says why
  };
  Q_ENUM(State)

  // Both must outlive this.
  SuggestionController(SuggestionView* view, CompletionProvider* provider,
                       QObject* parent = nullptr);
  ~SuggestionController() override;

  // The view's text is the document `id` from now on, which the provider is told of by others
  // (document_sync.h), before this; again after "save as".
  void openDocument(const DocumentId& id);
  void closeDocument();

  // The user's switch. Off: nothing is asked for.
  void setEnabled(bool enabled);
  bool isEnabled() const { return enabled_; }

  // Sets the least probability, 0 to 1, of suggestions that come unasked. The default of 0 lets all
  // pass. Some places ask for more: suggestion_gate.h.
  void setLeastProbability(double probability) { gate_ = SuggestionGate(probability); }

  // Asks here and now, whatever was typed before, and shows what comes however unsure it is.
  void requestNow();

  State state() const { return state_; }
  QString reason() const { return reason_; }

 Q_SIGNALS:
  void stateChanged(waferpair::editor::SuggestionController::State state, const QString& reason);
  void requested();
  // Sent with the milliseconds of host time from the last key press to the first picture with the
  // ghost.
  void firstGhostShown(double milliseconds);
  void accepted(qint64 characters);
  void dismissed();

 private:
  void documentReset();
  void documentEdited(const QVector<TextEdit>& edits);
  void userTyped();
  void caretMoved();
  void request(bool manual);
  void textArrived(quint64 id, const QByteArray& utf8);
  void streamFinished(quint64 id, waferpair::editor::CompletionEnd end);
  bool isShowing(const SuggestionStream& stream) const;
  bool mayShow(const SuggestionStream& stream) const;
  void frameWanted();
  void frameTick();
  void showFrame();
  void drop(std::unique_ptr<SuggestionStream>* stream);
  void dropAll();
  void settleState();
  void setState(State state, const QString& reason = {});

  SuggestionView* view_;
  CompletionProvider* provider_;
  DocumentId document_;
  bool enabled_ = true;
  SuggestionGate gate_;
  // A suggestion that was shown is not what was typed, and the word is not over yet.
  bool contradicted_ = false;

  // The newest request, and the oldest that has brought no text yet: its answer may still fit.
  std::unique_ptr<SuggestionStream> current_;
  std::unique_ptr<SuggestionStream> older_;
  // The stream that the ghost shows, and how many of its bytes it has been given.
  RequestId ghostOf_ = 0;
  qsizetype ghostBytes_ = 0;

  QTimer frame_{this};        // 16 ms, only while text is streaming
  bool dirty_ = false;        // text came since the last frame
  QTimer requestSoon_{this};  // 0 ms: the end of a burst of key events
  bool awaitingPaint_ = false;
  State state_ = State::kIdle;
  QString reason_;
};

}  // namespace waferpair::editor
