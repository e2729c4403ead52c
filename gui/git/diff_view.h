// SPDX-License-Identifier: GPL-3.0-or-later
// The changes of one file of the repository, staged or not, of which lines are chosen to be staged
// or unstaged: Space does it for what is selected, or for the whole change at a heading. UI thread
// only.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "gui/git/file_actions.h"
#include "gui/git/typed_words.h"
#include "workbench/git/diff_rows.h"
#include "workbench/git/git_file.h"

class QLabel;
class QPushButton;

namespace waferpair::editor {
class ChangeMarks;
class CodeEditor;
}  // namespace waferpair::editor

namespace waferpair::gui {

class ElidedLabel;

class DiffView : public QWidget {
  Q_OBJECT
 public:
  // All outlive this.
  DiffView(const GitParts& parts, FileActions* actions, workbench::GitJobs* jobs, QWidget* parent);

  // Shows what differs, read anew on a thread; an open file as it is in its editor.
  void showFile(const QString& workFolder, const workbench::GitChange& change, bool isStaged);
  void clear();
  void refresh();
  editor::CodeEditor* text() const { return text_; }

 Q_SIGNALS:
  // The keyboard is wanted elsewhere: at the list.
  void left();
  // The file at this line, from 0.
  void placeWanted(const QString& path, int line);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Shown {
    QString folder;
    workbench::GitChange change;
    bool isStaged = false;
    editor::Encoding encoding = editor::Encoding::kUtf8;
    workbench::GitFile file;
    editor::Snapshot before, after;  // as git stores them
    QVector<editor::ChangedLines> changes;
    workbench::DiffRows rows;
    QString problem;  // why there is nothing to show
  };
  static void read(Shown& shown, std::optional<editor::Snapshot> open);

  void take(const std::shared_ptr<const Shown>& shown);
  void apply();
  void goTo();

  GitParts p_;
  FileActions* actions_;
  workbench::GitJobs* jobs_;
  std::shared_ptr<const Shown> shown_;
  std::shared_ptr<Shown> wanted_;
  QThreadPool thread_{this};
  TypedWords words_;
  ElidedLabel* title_;
  QPushButton* apply_;
  QLabel* note_;
  editor::CodeEditor* text_;
  editor::ChangeMarks* marks_;
};

}  // namespace waferpair::gui
