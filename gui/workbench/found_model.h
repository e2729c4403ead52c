// SPDX-License-Identifier: GPL-3.0-or-later
// What a search in all files has found, as a tree: files sorted by path, below each its lines. UI
// thread only.
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <optional>
#include <vector>

#include "workbench/search/project_finder.h"

namespace waferpair::gui {

class FoundModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Role {
    kFoundLineRole = Qt::UserRole,  // number of the line, from 1; of a file's row 0
    kFoundTextRole,                 // the line, or what is around the match
    kFoundStartRole,                // of the match in that text, in UTF-16 units
    kFoundLengthRole,
    kFoundFolderRole,  // of a file's row
    kFoundCountRole,   // lines below a file's row
  };

  using QAbstractItemModel::QAbstractItemModel;

  void clear();
  // Each file comes once.
  void add(const QVector<workbench::FoundFile>& files);

  struct Place {
    QString path;  // relative to the project
    workbench::FoundLine line;
  };
  // Of a file's row the first of its lines.
  std::optional<Place> place(const QModelIndex& index) const;
  // The files, sorted.
  QStringList paths() const;
  // The row of a line that comes next (+1) or before (-1), round the ends; invalid: there are none.
  QModelIndex step(const QModelIndex& from, int direction) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& = {}) const override { return 1; }
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  using File = std::unique_ptr<workbench::FoundFile>;
  // Lines' indexes point to their file, which stays where it is; files' indexes to nothing.
  const workbench::FoundFile* fileOf(const QModelIndex& line) const;
  std::vector<File>::const_iterator find(const QString& path) const;

  std::vector<File> files_;
};

}  // namespace waferpair::gui
