// SPDX-License-Identifier: GPL-3.0-or-later
// One message of a thread: who wrote it, what, what went along with it or was left out, what became
// of it, and what can be done about that.
#pragma once

#include <QFont>
#include <QTimer>
#include <QVector>
#include <QWidget>
#include <functional>
#include <optional>

#include "gui/pairing/answer_blocks.h"
#include "pairing/threads/thread.h"

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace waferpair::pairing {
class ChangeReview;
}

namespace waferpair::gui {

class AgentChanges;
class AgentWork;

class MessageView : public QWidget {
  Q_OBJECT
 public:
  // The rest of a longer answer is not shown; exported it is whole. UTF-16 units.
  static constexpr qsizetype kMostShown = 200'000;
  // UTF-16 units that are laid out in one turn of the events, or one block where that is longer.
  static constexpr qsizetype kAtOnce = 2000;

  MessageView(const QFont& codeFont, QWidget* parent);

  // Finds the review of an agent's changes by its id; to be set before the first show().
  using Reviews = std::function<pairing::ChangeReview*(const QString& id)>;
  void setReviews(const Reviews& reviews) { reviews_ = reviews; }
  // Sets what becomes of prose before it is shown, such as links at the places that it names.
  void setLinks(std::function<QString(const QString& markdown)> links) {
    links_ = std::move(links);
  }
  void show(const pairing::Message& message);
  // Shows or hides the buttons for what can be done about a message; they are there at first.
  void setActionsShown(bool shown) { hasActions_ = shown; }
  const QString& id() const { return message_.id; }
  // All that can be read in it, for automation.
  const pairing::Message& message() const { return message_; }

 Q_SIGNALS:
  void insertWanted(const QString& code);
  void applyWanted(const waferpair::gui::AnswerBlock& block);
  void linkClicked(const QUrl& address);
  void openWanted(const QString& relativePath, int line);
  // A file of a step's, which may lie outside of the project.
  void placeWanted(const QString& path, int line);
  void rewordWanted(const QString& messageId);
  void withdrawWanted(const QString& messageId);
  void sendNowWanted(const QString& messageId);
  void askAgainWanted(const QString& messageId);
  // The plan in this message of an agent is wanted as one of the user's.
  void planWanted(const QString& messageId);

 private:
  static constexpr qsizetype kBlocksAtOnce = 4;

  void showText();
  void showMore();
  void showBlock(qsizetype at, const AnswerBlock& block);
  void showPassages();
  void showAgentWork();
  void showNotes();
  void showActions();
  void addAction(const char* name, const QString& text,
                 void (MessageView::*signal)(const QString&));

  QFont codeFont_;
  pairing::Message message_;
  QLabel* author_;
  QLabel* state_;
  AgentWork* work_ = nullptr;        // made when an agent has done something
  AgentChanges* changes_ = nullptr;  // or has changed something
  Reviews reviews_;
  std::function<QString(const QString& markdown)> links_;
  QVBoxLayout* body_;
  QVector<QWidget*> blocks_;  // in body_: prose and code in turn
  QVector<AnswerBlock> wanted_;
  QVector<AnswerBlock> shown_;  // what the first of blocks_ show: the beginning of wanted_
  QTimer showSoon_{this};       // for the rest of wanted_
  QLabel* notes_;               // what went along, figures, the problem
  QHBoxLayout* actions_;
  bool hasActions_ = true;
  std::optional<pairing::MessageState> shownState_;  // for which actions_ were made
};

}  // namespace waferpair::gui
