// SPDX-License-Identifier: GPL-3.0-or-later
// The folder tree's rows: the file system below the open folders, each a row at the top; in it
// folders first, without what is hidden or ignored unless asked for. A folder is read when it is
// asked for, by a thread (folder_rows.h), and again when the system says that it changed. UI thread
// only.
#pragma once

#include <QAbstractItemModel>
#include <QSet>
#include <QThreadPool>
#include <QTimer>
#include <map>
#include <memory>

#include "editor/text/busy.h"
#include "editor/text/path_watch.h"
#include "gui/project/file_mark.h"
#include "gui/project/folder_rows.h"

namespace waferpair::gui {

class FolderModel : public QAbstractItemModel, public editor::Busy {
  Q_OBJECT
 public:
  explicit FolderModel(QObject* parent = nullptr);
  ~FolderModel() override;

  // The letter of a row's mark.
  static constexpr int kMarkRole = Qt::UserRole + 32;

  // Rows of those that stay stay. One that is not there is shown faint, and says so.
  void setFolders(const QStringList& folders);
  const QStringList& folders() const { return folders_; }
  // The row of one of these folders itself.
  bool isTop(const QModelIndex& index) const;
  void setShown(bool hidden, bool ignored);
  // Reads the .gitignore files again.
  void reloadRules();
  // Reads again what is shown, for when the system watches no more folders.
  void refresh();
  // Says what stands beside a path's name. The view has to repaint itself.
  void setMarker(FileMarker marker) { marker_ = std::move(marker); }
  // Rows may be missing until their folders are read.
  bool isReading() const { return reading_ > 0 || !again_.isEmpty(); }
  QString busyWith() const override;

  QString path(const QModelIndex& index) const;
  bool isFolder(const QModelIndex& index) const;
  // Invalid if it is in none of the folders, filtered out, or not read yet: then the folders on the
  // way are read.
  QModelIndex indexOf(const QString& path);

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  bool hasChildren(const QModelIndex& parent = {}) const override;
  bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  // A folder that was asked for.
  struct Node : std::enable_shared_from_this<Node> {
    Node* above = nullptr;  // null: the one around the open folders
    QString top;            // the open folder that it is, or lies in
    QString path;
    int row = 0;  // in `above`
    QVector<FolderRow> rows;
    QHash<QString, std::shared_ptr<Node>> folders;  // of those in `rows`, by name
    enum class State { kUnread, kReading, kRead } state = State::kUnread;
  };
  // What is read, and with what; a new one makes what is under way of no use.
  struct Reading {
    std::map<QString, FolderRules> rules;  // by open folder; for the thread
  };

  Node* nodeOf(const QModelIndex& index) const;  // the folder in whose row it is
  Node* folderOf(const QModelIndex& index) const;
  Node* folderIn(Node* above, int row) const;
  QModelIndex indexOfFolder(const Node* node) const;
  const FolderRow& rowOf(const QModelIndex& index) const;
  FileMark markOf(const QString& path) const;
  void read(Node* node);
  void take(Node* node, const QVector<FolderRow>& rows, const RowChanges& changes);
  static void placeFolders(Node* node);  // their rows, after rows have moved
  void readAgain();
  void readAllAgain(bool withRules);
  void showWhetherThere(const Node* top, bool isThere);
  QString nameOf(const QModelIndex& index) const;

  std::shared_ptr<Node> top_;  // its rows are the open folders
  std::shared_ptr<Reading> now_;
  QStringList folders_;
  QStringList labels_;  // of them
  ShownRows shown_;
  FileMarker marker_;
  int reading_ = 0;      // folders, on the thread
  QSet<QString> again_;  // folders that changed meanwhile
  editor::PathWatch watch_;
  QTimer againSoon_{this};
  QThreadPool thread_{this};
};

}  // namespace waferpair::gui
