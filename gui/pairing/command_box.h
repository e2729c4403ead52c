// SPDX-License-Identifier: GPL-3.0-or-later
// A command that waits for the user's word, shown in full and to be edited, with the folder that it
// would run in; then its output as it comes. It cannot be run before its end was in sight, nor with
// characters that one does not see, which are told by their codes. UI thread only.
#pragma once

#include <QWidget>

#include "pairing/plans/plan.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace waferpair::gui {

class SeenToEnd;
class UnseenNote;

class CommandBox : public QWidget {
  Q_OBJECT
 public:
  explicit CommandBox(QWidget* parent);

  void setCodeFont(const QFont& font);
  // The step's command, and what its last run said. `running`: the run that goes on, if any.
  void show(const pairing::PlanStep& step, const QString& folder,
            const std::optional<pairing::CommandRecord>& running);
  // More of the run that goes on.
  void grow(const pairing::CommandRecord& running);
  // Says how many open texts are not saved, which the command would see as they are on disk.
  void setUnsaved(qsizetype texts);
  QPlainTextEdit* field() const { return command_; }

 Q_SIGNALS:
  void runWanted(const QString& command);
  void declineWanted();
  void stopWanted();
  void saveAllWanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showOutput(const QString& text);
  void commandChanged();
  void fitCommand();

  QString stepId_;
  QString proposed_;  // the command, as it was put into the field
  QLabel* head_;
  QPlainTextEdit* command_;
  SeenToEnd* seen_;
  UnseenNote* unseen_;
  QWidget* unsaved_;
  QLabel* unsavedText_;
  QPushButton* run_;
  QPushButton* decline_;
  QPushButton* stop_;
  QLabel* status_;
  QPlainTextEdit* output_;
};

}  // namespace waferpair::gui
