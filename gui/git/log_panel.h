// SPDX-License-Identifier: GPL-3.0-or-later
// The commits of the project, or of one file, the newest first, searched as one types; beside them
// what the chosen one changed. UI thread only.
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "gui/git/file_actions.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QListView;
class QMenu;
class QSplitter;

namespace waferpair::editor {
class CodeEditor;
}

namespace waferpair::gui {

class BranchActions;
class GitComparisons;
class LogModel;

class LogPanel : public QWidget {
  Q_OBJECT
 public:
  // All outlive this.
  LogPanel(const GitParts& parts, FileActions* actions, BranchActions* branches,
           GitComparisons* comparisons, workbench::GitWatch* watch, QWidget* parent);
  ~LogPanel() override;

  // Shows the commits that changed this file, absolute; empty: those of the project.
  void showLog(const QString& path);
  // Gives the list the keyboard.
  void enter();
  // Shows this commit, in hex, and chooses its row as soon as it is there.
  void choose(const QString& commit);
  LogModel* model() const { return model_; }
  editor::CodeEditor* text() const { return text_; }

 Q_SIGNALS:
  // This commit, in hex, is to be reviewed by a model.
  void reviewWanted(const QString& commit);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void layOut();
  void readAgain();
  void showState();
  void showCommit();
  QMenu* menuOf(const QString& commit);

  GitParts p_;
  FileActions* actions_;
  BranchActions* branches_;
  GitComparisons* comparisons_;
  workbench::GitWatch* watch_;
  QString path_;       // below the work folder
  QString shownHead_;  // what was read was of these commits
  QString commit_;     // that is shown beside
  QString wanted_;     // that was chosen before it was read anew
  QString awaited_;    // to be chosen when its row comes
  QTimer soon_{this};
  std::shared_ptr<std::atomic<bool>> showing_;  // true: another commit is wanted by now
  QThreadPool thread_{this};
  LogModel* model_;
  QLineEdit* filter_;
  QCheckBox* all_;
  QLabel* state_;
  QListView* list_;
  editor::CodeEditor* text_;
  QSplitter* splitter_;
};

}  // namespace waferpair::gui
