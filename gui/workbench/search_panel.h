// SPDX-License-Identifier: GPL-3.0-or-later
// Search in all files of the project as one types, and replace with a look at each change before it
// is made. UI thread only.
#pragma once

#include <QJsonObject>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "gui/pairing/open_texts.h"
#include "gui/store/text_history.h"
#include "gui/workbench/found_model.h"
#include "pairing/changes/change_review.h"
#include "pairing/changes/change_store.h"
#include "workbench/search/project_finder.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QTreeView;

namespace waferpair::gui {

class EditorTabs;
class FileIndex;
class FoundDelegate;
class ReviewList;
class Settings;

class SearchPanel : public QWidget {
  Q_OBJECT
 public:
  // All three outlive this. What was searched for, and what replacing is about to change, is kept
  // below `stateDirectory`.
  SearchPanel(EditorTabs* tabs, FileIndex* files, Settings* settings, const QString& stateDirectory,
              QWidget* parent);
  ~SearchPanel() override;

  // -- What commands do

  // Gives the field the keyboard, with this text to search for; empty: what is there stays.
  void enter(const QString& text);
  void enterReplace(const QString& text);
  // Goes to the next match (+1) or the one before (-1), round the ends.
  void step(int direction);
  // Shows changes of several files of one folder, to be decided about, taken back and made again;
  // `problems`: of files that are not among them.
  void review(const QString& folder, const pairing::ChangeSet& changes,
              const QStringList& problems) {
    reviewIn(folder, {}, changes, problems);
  }
  bool hasMatches() const { return model_->rowCount() > 0; }
  // What is in the fields, and how it is searched for; and that again.
  QJsonObject query() const;
  void restore(const QJsonObject& query);

  // -- What is so, for tests and automation

  FoundModel* model() const { return model_; }
  QTreeView* tree() const { return tree_; }
  ReviewList* reviewList() const { return reviewList_; }
  QString stateText() const;

 Q_SIGNALS:
  void changed();  // hasMatches() may be another
  void queryChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QLineEdit* addField(const char* name, const QString& placeholder, const QString& help);
  QToolButton* addToggle(const char* name, const QString& symbol, const QString& help);
  void layOut();
  void connectParts();
  void searchSoon();
  void search();
  void forget();
  void take(const QVector<workbench::FoundFile>& files);
  void finish(const workbench::FindSummary& summary);
  // A file that is not kept is only previewed, and its text does not get the keyboard.
  void openCurrent(bool keep);
  void recall(int direction);
  void showReplace(bool isShown);
  void preview();
  // Of the files of several folders, whose paths begin at `root`; none: those of the root.
  void reviewIn(const QString& root, const QStringList& folders, const pairing::ChangeSet& changes,
                const QStringList& problems);
  void endPreview();
  void decide(const std::function<QVector<pairing::FileProblem>()>& decide);
  void showState(const QString& text, bool isProblem = false);

  EditorTabs* tabs_;
  FileIndex* files_;
  TextHistory history_;
  int recalled_ = -1;  // entry of the history that is in the field; -1: none
  workbench::ProjectFinder finder_;
  std::optional<workbench::TextSearch> search_;  // whose matches are shown
  QString root_;                                 // what their paths begin at
  QStringList folders_;                          // that were searched, where these are several
  bool isAll_ = false;                           // all matches are
  QTimer soon_{this};
  OpenTexts texts_;
  pairing::ChangeStore store_;
  std::unique_ptr<pairing::ChangeReview> review_;

  QLineEdit* find_;
  QLineEdit* replace_;
  QLineEdit* include_;
  QLineEdit* exclude_;
  QToolButton* caseSensitive_;
  QToolButton* wholeWord_;
  QToolButton* regex_;
  QToolButton* expand_;
  QPushButton* preview_;
  QPushButton* undo_;
  QPushButton* back_;
  QLabel* state_;
  FoundModel* model_;
  QTreeView* tree_;
  FoundDelegate* delegate_;
  ReviewList* reviewList_;
  QStackedWidget* pages_;  // what was found, what replacing would change
  bool isDue_ = false;     // a search, once the panel is shown
};

}  // namespace waferpair::gui
