// SPDX-License-Identifier: GPL-3.0-or-later
// What a commit would take and what it would not: files staged and not, the lines of one of them,
// and the message. Space stages or unstages what is chosen, Delete discards it, Return shows its
// lines. UI thread only.
#pragma once

#include <QTimer>
#include <QWidget>

#include "gui/git/file_actions.h"
#include "gui/git/kept_message.h"
#include "gui/git/typed_words.h"

class QAction;
class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QStandardItem;
class QStandardItemModel;
class QTreeView;

namespace waferpair::gui {

class DiffView;
class OperationBar;

class ChangesPanel : public QWidget {
  Q_OBJECT
 public:
  // Of so many files each has a row.
  static constexpr qsizetype kMostRows = 5000;

  // All outlive this.
  ChangesPanel(const GitParts& parts, FileActions* actions, workbench::GitWatch* watch,
               workbench::GitJobs* jobs, QWidget* parent);
  // Keeps the message that is being written.
  ~ChangesPanel() override;

  // Gives the list the keyboard, and the message.
  void enter();
  void enterMessage();
  // All that the repository has, whether the panel was ever shown or not.
  void stageAll();
  void unstageAll();
  void commit();
  QString message() const;
  void setMessage(const QString& message);
  // Shown in the message's place while that is empty; empty: what is usual.
  void showWaiting(const QString& text);
  DiffView* diff() const { return diff_; }
  OperationBar* operation() const { return operation_; }
  // A button beside the commit's does it.
  void setDraftAction(QAction* action);

 Q_SIGNALS:
  // The file at this line, from 0; negative: wherever it was.
  void fileWanted(const QString& path, int line);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  enum class Section { kConflicts, kStaged, kUnstaged };

  void layOut();
  void rebuild();
  void addSection(Section section, const QVector<workbench::GitChange>& changes);
  // The files of a section that are chosen; of its heading all are.
  QVector<workbench::GitChange> chosen(Section section) const;
  const QVector<workbench::GitChange>& changesOf(Section section) const;
  void showCurrent();
  void applyChosen();
  void whenKnown(const std::function<void()>& then);
  void discardChosen();
  void readLastMessage();
  void showButtons();
  // The message that is being written is that of the repository that is open.
  void followRepository();
  void keepMessage();

  GitParts p_;
  FileActions* actions_;
  workbench::GitWatch* watch_;
  workbench::GitJobs* jobs_;
  QVector<workbench::GitChange> conflicts_, staged_, unstaged_;
  TypedWords words_;    // in the list
  QString ownMessage_;  // what was typed before the last commit's took its place
  KeptMessages kept_;
  QString keptFor_;  // the work folder whose message is shown
  QTimer keepSoon_{this};
  QTimer soon_{this};
  OperationBar* operation_;
  QPlainTextEdit* message_;
  QCheckBox* amend_;
  QPushButton* commit_;
  QPushButton* draft_;
  QPushButton* stage_;
  QPushButton* discard_;
  QLabel* note_;
  QStandardItemModel* model_;
  QTreeView* tree_;
  DiffView* diff_;
  QSplitter* splitter_;
};

}  // namespace waferpair::gui
