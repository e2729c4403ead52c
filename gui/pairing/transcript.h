// SPDX-License-Identifier: GPL-3.0-or-later
// A thread's messages one below the other. At its end it follows what is written; scrolled away
// from it, it stays.
#pragma once

#include <QElapsedTimer>
#include <QFont>
#include <QPointer>
#include <QScrollArea>
#include <QTimer>
#include <QVector>
#include <functional>

#include "pairing/threads/thread.h"

class QVBoxLayout;

namespace waferpair::gui {

class MessageView;
class SummaryCard;

class Transcript : public QScrollArea {
  Q_OBJECT
 public:
  explicit Transcript(QWidget* parent);

  void setCodeFont(const QFont& font) { codeFont_ = font; }
  // Of a long thread the end is shown, and what is before it as one comes near: each message takes
  // its while to be laid out. Messages that are there keep their widgets. What comes is followed to
  // its end while the end is in view; an answer that comes as a whole, from the project, is shown
  // from its question on. `summarizingUpTo`: the last message of those that are being summarized;
  // empty: none are.
  void show(const pairing::Thread& thread, const QString& summarizingUpTo);
  // More of an answer has come. It is shown soon, as often as that costs little: it is asked for
  // then, null where it is gone. A copy that was kept until then would have each piece that is put
  // behind it copy all of the text.
  using Grown = std::function<const pairing::Message*()>;
  void grow(const Grown& message);
  // Of the messages that are shown, in order.
  const QVector<MessageView*>& views() const { return views_; }
  // Messages before those that will be shown when one comes near.
  qsizetype earlier() const { return earlier_.size(); }
  SummaryCard* summary() const { return summary_; }

 Q_SIGNALS:
  // A message has its view, whose signals are for whoever shows the transcript.
  void viewMade(waferpair::gui::MessageView* view);

 private:
  MessageView* makeView(const pairing::Message& message);
  void letGo(MessageView* view);
  void showGrown();
  qsizetype firstShown(const QVector<pairing::Message>& messages) const;
  void order(const QString& summaryBehind);
  bool wantsEarlier() const;
  void showEarlier();
  void findAnchor();
  void keepInPlace();

  QFont codeFont_;
  QVBoxLayout* column_;
  QVector<MessageView*> views_;
  SummaryCard* summary_;  // hidden where there is nothing to say
  QString threadId_;
  QVector<pairing::Message> earlier_;
  QString summaryBehind_;     // the id of the message that it stands behind; empty: it is hidden
  QTimer earlierSoon_{this};  // for earlier_
  bool wantsStart_ = false;   // the user wants to be where the thread begins
  Grown grown_;               // what showGrown() is to show
  QTimer growSoon_{this};
  QVector<MessageView*> leaving_;  // hidden; one ends a turn
  QTimer leaveSoon_{this};
  bool atEnd_ = true;
  QPointer<MessageView> first_;  // to be at the top once it is laid out; null: none
  // The first in sight, which stays where it is while others come before it, and how many pixels of
  // it are above.
  QPointer<MessageView> anchor_;
  int aboveAnchor_ = 0;
  bool isKeeping_ = false;  // the anchor in its place
};

}  // namespace waferpair::gui
