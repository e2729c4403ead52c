// SPDX-License-Identifier: GPL-3.0-or-later
// Remarks on what changed since the last commit, or in commits, each with a place to go to, and
// changes of several files to decide about, of those remarks or of tests that were asked for. UI
// thread only.
#pragma once

#include <QWidget>
#include <functional>

#include "pairing/review/review_session.h"

class QAction;
class QLabel;
class QListWidget;
class QPushButton;
class QSplitter;

namespace waferpair::gui {

class ElidedLabel;
class NoModelNote;
class RemarkHints;
class ReviewList;
class ReviewMarks;

class ReviewPanel : public QWidget {
  Q_OBJECT
 public:
  // The services that the panel asks of the window; all outlive it.
  struct Window {
    ReviewMarks* marks;
    RemarkHints* hints;
    // A file by its absolute path, at a line from 1.
    std::function<void(const QString& path, int line)> open;
    std::function<qsizetype()> unsaved;  // open texts of the project that are not saved
  };
  ReviewPanel(pairing::ReviewSession* session, const Window& window, QWidget* parent);

  void setCodeFont(const QFont& font);
  // Sets what the buttons run that are shown while there is no model: one to choose a model that is
  // here, one to get another; null: there is no such button.
  void setModelActions(QAction* choose, QAction* get);

  // -- What commands do

  void askForRemarks();
  void askForRemarksOn(const pairing::ReviewedCommits& commits);
  void askForTests(const pairing::TestTask& task, const QStringList& files);
  // Gives the keyboard to the remarks, else to the changes, else to the button that asks.
  void enter();
  // Goes to the next remark (+1) or the one before (-1) that has a place, round the ends.
  void step(int direction);
  bool stop();

  // -- What is so, for contexts and tests

  bool isRunning() const { return session_->isRunning(); }
  bool hasPlaces() const;
  QListWidget* remarks() const { return remarks_; }
  ReviewList* changes() const { return changes_; }
  QString stateText() const;

 Q_SIGNALS:
  // isRunning() or hasPlaces() may be others.
  void changed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  void connectParts();
  void take(const editor::Result<void>& begun);
  void showAll();
  void showRemarks();
  void showState();
  void goTo(int row);
  QString stateNow() const;
  QString leftOut() const;
  void complain(const QVector<pairing::FileProblem>& problems);

  pairing::ReviewSession* session_;
  Window window_;
  QString problem_;  // of what was done last
  QVector<pairing::Remark> shown_;
  ElidedLabel* title_;
  ElidedLabel* model_;
  QLabel* state_;
  QLabel* empty_;
  NoModelNote* noModel_;
  QPushButton* ask_;
  QPushButton* stop_;
  QPushButton* copy_;
  QSplitter* lists_;
  QListWidget* remarks_;
  ReviewList* changes_;
};

}  // namespace waferpair::gui
