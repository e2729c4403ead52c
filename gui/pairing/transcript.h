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
  // Messages that are there keep their widgets. What comes is followed to its end while the end is
  // in view; an answer that comes as a whole, from the project, is shown from its question on.
  // `summarizingUpTo`: the last message of those that are being summarized; empty: none are.
  void show(const pairing::Thread& thread, const QString& summarizingUpTo);
  // More of an answer has come. It is shown soon, as often as that costs little.
  void grow(const pairing::Message& message);
  const QVector<MessageView*>& views() const { return views_; }
  SummaryCard* summary() const { return summary_; }

 Q_SIGNALS:
  // A message has its view, whose signals are for whoever shows the transcript.
  void viewMade(waferpair::gui::MessageView* view);

 private:
  MessageView* makeView();
  void showGrown();

  QFont codeFont_;
  QVBoxLayout* column_;
  QVector<MessageView*> views_;
  SummaryCard* summary_;  // hidden where there is nothing to say
  QString threadId_;
  pairing::Message grown_;  // what showGrown() is to show
  QTimer growSoon_;
  bool atEnd_ = true;
  QPointer<MessageView> first_;  // to be at the top once it is laid out; null: none
};

}  // namespace waferpair::gui
