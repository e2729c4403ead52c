// SPDX-License-Identifier: GPL-3.0-or-later
// The box below a terminal in which a command is asked for in words: a model answers with one,
// which is shown to be read and edited, put at the prompt, or run on the user's word. Nothing of it
// runs by itself. UI thread only.
#pragma once

#include <QPointer>
#include <QWidget>
#include <memory>
#include <optional>

#include "gui/store/text_history.h"
#include "pairing/commands/command_words.h"
#include "pairing/context/gather_context.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace waferpair::pairing {
class ModelReply;
class ModelRoster;
}  // namespace waferpair::pairing

namespace waferpair::gui {

class SeenToEnd;
class StartGate;
class TerminalView;

class TerminalWords : public QWidget {
  Q_OBJECT
 public:
  // All outlive this.
  struct Parts {
    pairing::ModelRoster* roster;
    StartGate* gate;
    QString history;  // the file
  };
  TerminalWords(const Parts& parts, QWidget* parent);
  ~TerminalWords() override;

  // The open folder; empty: none.
  void setProject(const QString& folder) { project_ = folder; }
  void setCodeFont(const QFont& font);
  // Opens for this terminal, at whose prompt something can be put. `output`: what goes along with
  // the words, if the gate lets it: what is selected, or the last command and what it printed.
  void open(TerminalView* view, const std::optional<pairing::TerminalText>& output);
  // The terminal's prompt stays as it is, and the keyboard goes back there.
  void dismiss();
  // Null: the box is closed.
  TerminalView* terminal() const;
  bool isAsking() const { return isAsking_; }
  QString stateText() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void layOut();
  QToolButton* addTool(const char* name, const char* symbol, const QString& text);
  void submit();
  void send(const QVector<pairing::ContextItem>& context);
  void take();
  void stop();
  void forget();
  void showCommand(const pairing::ReadCommand& command);
  void say(const QString& text, bool isWrong = false);
  void showParts();
  void fitCommand();
  void recall(int direction);
  bool keyInWords(int key);
  bool keyInCommand(int key, Qt::KeyboardModifiers modifiers);
  // The command as it may be put at the prompt; none: it may not, which is said.
  std::optional<QString> readyCommand();
  void insert();
  void run();
  // The user has agreed; runs it unless it, or the prompt, is another one by now.
  void runAgreed(const QString& command);

  Parts parts_;
  TextHistory history_;
  QString project_;
  QPointer<TerminalView> view_;
  std::optional<pairing::TerminalText> output_;
  pairing::CommandPlace place_;
  QString asked_;         // the words that were sent
  QString along_;         // what went along with them, for the user
  bool isSmall_ = false;  // the model that was asked
  bool isAsking_ = false;
  int round_ = 0;      // which question it is: what comes for another one is dropped
  int recalled_ = -1;  // the entry of the history that is shown
  std::unique_ptr<pairing::ModelReply> reply_;
  QLineEdit* words_;
  QToolButton* send_;
  QToolButton* close_;
  QPlainTextEdit* command_;
  SeenToEnd* seen_;
  QLabel* state_;
  QPushButton* insert_;
  QPushButton* run_;
};

}  // namespace waferpair::gui
