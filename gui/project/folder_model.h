// SPDX-License-Identifier: GPL-3.0-or-later
// The folder tree's rows: the file system below one folder, folders first, without what is hidden
// or ignored unless asked for. A folder is read when it is asked for, by a thread (folder_rows.h),
// and again when the system says that it changed. UI thread only.
#pragma once

#include <QAbstractItemModel>
#include <QSet>
#include <QThreadPool>
#include <QTimer>
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

  // Returns the index of the folder, to be the view's root.
  QModelIndex setFolder(const QString& folder);
  const QString& folder() const { return folder_; }
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
  // Invalid if it is not below the folder, filtered out, or not read yet: then the folders on the
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
    Node* above = nullptr;  // null: the one around the open folder
    QString path;
    int row = 0;  // in `above`
    QVector<FolderRow> rows;
    QHash<QString, std::shared_ptr<Node>> folders;  // of those in `rows`, by name
    enum class State { kUnread, kReading, kRead } state = State::kUnread;
  };
  // What is read, and with what; a new one makes what is under way of no use.
  struct Reading {
    explicit Reading(const QString& root) : rules(root) {}
    FolderRules rules;  // for the thread
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

  std::shared_ptr<Node> top_;  // has one row, the open folder
  std::shared_ptr<Reading> now_;
  QString folder_;
  ShownRows shown_;
  FileMarker marker_;
  int reading_ = 0;      // folders, on the thread
  QSet<QString> again_;  // folders that changed meanwhile
  editor::PathWatch watch_;
  QTimer againSoon_{this};
  QThreadPool thread_{this};
};

}  // namespace waferpair::gui
