// SPDX-License-Identifier: GPL-3.0-or-later
// The folder tree's rows: the file system below one folder, folders first, without what is hidden
// or ignored unless asked for. The file system is read by Qt's own thread, the .gitignore files by
// another: until a folder's are known its rows do not show. UI thread only.
#pragma once

#include <QCollator>
#include <QFileSystemModel>
#include <QHash>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QTimer>
#include <functional>

#include "gui/project/file_mark.h"
#include "runtime/exclusions/git_rules.h"

namespace waferpair::gui {

class FolderModel : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit FolderModel(QObject* parent = nullptr);

  // The letter of a row's mark.
  static constexpr int kMarkRole = Qt::UserRole + 32;

  // Returns the index of the folder, to be the view's root.
  QModelIndex setFolder(const QString& folder);
  const QString& folder() const { return folder_; }
  void setShown(bool hidden, bool ignored);
  // Reads the .gitignore files again.
  void reloadRules();
  // Says what stands beside a path's name. The view has to repaint itself.
  void setMarker(FileMarker marker) { marker_ = std::move(marker); }
  // Rows may be missing until their folders' rules are known.
  bool isReading() const { return !wanted_.isEmpty(); }

  QString path(const QModelIndex& index) const;
  bool isFolder(const QModelIndex& index) const;
  // Invalid if it is not below the folder, filtered out, or not read yet.
  QModelIndex indexOf(const QString& path) const;

  QVariant data(const QModelIndex& index, int role) const override;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  FileMark markOf(const QString& path) const;
  bool isHidden(const QString& path) const;
  bool isIgnored(const QString& path, bool isFolder) const;
  const exclusions::RuleChain* rulesIn(const QString& folder) const;
  void forgetRules();
  void readWanted();

  QFileSystemModel* files_;
  QString folder_;
  QString prefix_;  // the same with a slash at the end
  bool showHidden_ = false;
  bool showIgnored_ = false;
  FileMarker marker_;
  QCollator order_;
  mutable QHash<QString, exclusions::RuleChain> rules_;  // by folder, absolute
  mutable QSet<QString> wanted_;  // folders whose rules are being read, or to be
  mutable QTimer readSoon_{this};
  int generation_ = 0;  // what is read for an older one is of no use
};

}  // namespace waferpair::gui
