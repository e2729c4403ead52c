// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in a thread behind the messages for which models get a summary: how many they are, who
// wrote it, what it says; and the way back. UI thread only.
#pragma once

#include <QFrame>

#include "pairing/threads/thread.h"

class QLabel;
class QPushButton;

namespace waferpair::gui {

class RichText;

class SummaryCard : public QFrame {
  Q_OBJECT
 public:
  explicit SummaryCard(QWidget* parent);

  // `isRunning`: another summary, or the first one, is being written.
  void show(const pairing::Thread& thread, bool isRunning);
  // All that can be read, for automation.
  QString text() const;

 Q_SIGNALS:
  // All messages are to be sent again as they are.
  void sendWholeWanted();
  void stopWanted();

 private:
  void showText(bool isShown);

  QLabel* title_;
  RichText* body_;
  QPushButton* toggle_;
  QPushButton* whole_;
  QPushButton* stop_;
};

}  // namespace waferpair::gui
