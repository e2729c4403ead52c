// SPDX-License-Identifier: GPL-3.0-or-later
// The project's files as a tree: open, make, rename, delete. Every step works from the keyboard.
#pragma once

#include <QWidget>

#include "gui/project/file_mark.h"

class QModelIndex;
class QPushButton;
class QTreeView;

namespace waferpair::gui {

class FolderModel;
class InputPrompt;

class FolderTree : public QWidget {
  Q_OBJECT
 public:
  // `prompt` asks for names; it outlives this.
  explicit FolderTree(InputPrompt* prompt, QWidget* parent = nullptr);

  // Shows the folders: of one what is in it, of several each with a row of its own. None: no folder
  // is open, which is said in place of the tree, with a button for it.
  void setFolders(const QStringList& folders);
  void setShown(bool hidden, bool ignored);
  // Says what stands beside the names, from now on.
  void setMarker(FileMarker marker);
  QTreeView* view() const { return view_; }
  FolderModel* model() const { return model_; }

  // Selects the file, unfolding the way to it as the file system is read.
  void reveal(const QString& path);
  // The same, unless the tree has the keyboard: who goes through it is not led elsewhere.
  void follow(const QString& path);
  // The selected path; the first open folder when nothing is selected.
  QString selectedPath() const;
  // The open folder that is selected, or in which what is selected lies.
  QString selectedFolder() const;

 public Q_SLOTS:
  // Make an entry in the selected folder, or beside the selected file.
  void newFile();
  void newFolder();
  void rename();
  // Asks first.
  void remove();
  void collapseAll();

 Q_SIGNALS:
  // Return or a double click gives the text the keyboard; after a single click the tree keeps it.
  void openRequested(const QString& path, bool takeFocus);
  void created(const QString& path);
  void renamed(const QString& from, const QString& to);
  void menuRequested(const QPoint& global);
  void problem(const QString& text);
  void openFolderWanted();

 private:
  QString targetFolder() const;
  void create(const QString& title, bool folder);
  void tryReveal();
  // Of an open folder's own row: says why it is neither renamed nor deleted here.
  bool refusesTop(const QModelIndex& index);

  InputPrompt* prompt_;
  FolderModel* model_;
  QTreeView* view_;
  QWidget* nothing_;  // in place of the view
  QPushButton* openFolder_;
  QString revealing_;         // asked for, not found yet
  bool isFollowing_ = false;  // the user has not asked for that one
};

}  // namespace waferpair::gui
