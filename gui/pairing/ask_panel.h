// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about the project and their answers: the thread in front, what a question is typed
// into, who would answer it and with how much context. UI thread only.
#pragma once

#include <QTimer>
#include <QUrl>
#include <QWidget>
#include <functional>

#include "editor/text/result.h"
#include "gui/pairing/message_view.h"
#include "pairing/ask/ask_session.h"

class QAction;
class QLabel;
class QToolButton;

namespace waferpair::gui {

class AgentQuestionCard;
class AskInput;
class BannerStack;
class ContextChips;
class ContextMeter;
class ElidedLabel;
class NoModelNote;
class Picker;
class InputPrompt;
class Transcript;

class AskPanel : public QWidget {
  Q_OBJECT
 public:
  // The services that the panel asks of the window.
  struct Window {
    Picker* picker;
    InputPrompt* prompt;
    std::function<void(const QString& path, int line)> open;  // a file, at a line from 1
    std::function<bool(const QString& code)> insert;          // at the caret; false: there is none
    std::function<QStringList(const AnswerBlock& block)> apply;  // as hunks; what has no place
    std::function<void(const QString& title, const QString& markdown)> show;  // as a new text
    MessageView::Reviews review;           // of what an agent has changed
    std::function<QStringList()> unsaved;  // open texts of the project, by their paths
    std::function<bool(const QStringList& paths)> save;  // false: not all of them
    // What else can be mentioned: files of other open folders. Null: nothing.
    std::function<QStringList()> otherNames = nullptr;
  };
  // `session`, `search` and what `window` leads to outlive this.
  AskPanel(pairing::AskSession* session, pairing::ProjectSearch* search, const Window& window,
           QWidget* parent);

  void setCodeFont(const QFont& font);
  // Sets what the buttons run that are shown while there is no model: one to choose a model that is
  // here, one to get another; null: there is no such button.
  void setModelActions(QAction* choose, QAction* get);

  // -- What commands do

  // Gives the input the keyboard; `mention` is put in where nothing is typed yet.
  void enter(const QString& mention);
  // Asks this; what is being typed stays.
  void ask(const QString& question);
  void newThread();
  void chooseThread();
  void searchThreads();
  void renameThread();
  void deleteThread();
  void exportThread();
  // Earlier messages go to the model as a summary, or again as they are.
  void summarize();
  void sendWhole();
  // False when there is nothing to stop.
  bool stop();
  // The keyboard goes to what an agent asks; false: none does.
  bool answerAgent();
  // The question that waits longest is sent at once.
  void sendQueuedNow();

  // -- What is so, for contexts and automation

  const pairing::Thread* thread() const { return session_->find(threadId_); }
  bool isRunning() const { return session_->isRunning(threadId_); }
  bool hasQueued() const;
  AskInput* input() const { return input_; }
  Transcript* transcript() const { return transcript_; }
  const ContextMeter* meter() const { return meter_; }
  const ContextChips* chips() const { return chips_; }
  AgentQuestionCard* agentQuestion() const { return agentQuestion_; }
  QString modelText() const;
  QString noteText() const;

  // Hands the text that is being typed to the session, which keeps it.
  void keepDraft();

 Q_SIGNALS:
  // The project is to be searched from now on.
  void firstShown();
  // isRunning(), hasQueued() or thread() may be others.
  void changed();
  // An agent's plan is wanted as one of the user's.
  void planWanted(const QString& title, const waferpair::pairing::Message& answer);

 protected:
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  void connectParts();
  void connectView(MessageView* view);
  void send(const QString& text);
  void deliver(const QString& text);
  void askAboutUnsaved(const QStringList& paths);
  void showAgentQuestion();
  void openThread(const QString& threadId);
  QString latestThread() const;
  void bringToFront(const QString& threadId);
  void showThreads();
  void showThread();
  void showModel();
  void showNames();
  void previewSoon();
  void openInProject(const QString& path, int line);
  void openLink(const QUrl& address);
  void complain(const editor::Error& problem);

  pairing::AskSession* session_;
  pairing::ProjectSearch* search_;
  Window window_;
  QString threadId_;
  bool isChosen_ = false;  // it is in front because the user wants it to be
  QString reworded_;       // the queued question that is in the input; empty: none
  bool wasShown_ = false;
  bool namesKnown_ = false;
  QTimer previewTimer_{this};
  QTimer draftTimer_{this};

  ElidedLabel* title_;
  BannerStack* banners_;
  Transcript* transcript_;
  QLabel* empty_;
  AgentQuestionCard* agentQuestion_;
  NoModelNote* noModel_;
  QLabel* note_;
  ContextChips* chips_;
  AskInput* input_;
  ElidedLabel* model_;
  ContextMeter* meter_;
  QToolButton* send_;
  QToolButton* stop_;
};

}  // namespace waferpair::gui
