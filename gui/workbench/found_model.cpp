// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/found_model.h"

#include <algorithm>
#include <utility>

#include "editor/text/quoted.h"
#include "editor/text/text_codec.h"
#include "editor/text/unseen.h"

namespace waferpair::gui {

using workbench::FoundFile;
using workbench::FoundLine;

namespace {

// Bytes of a line, as they are shown.
QString shownPart(const QByteArray& line, qsizetype at, qsizetype length) {
  return editor::shownForm(editor::exactUtf8(QByteArrayView(line).sliced(at, length)));
}

}  // namespace

std::vector<FoundModel::File>::const_iterator FoundModel::find(const QString& path) const {
  return std::lower_bound(
      files_.begin(), files_.end(), path,
      [](const File& file, const QString& wanted) { return file->path < wanted; });
}

void FoundModel::clear() {
  beginResetModel();
  files_.clear();
  endResetModel();
}

void FoundModel::add(const QVector<FoundFile>& files) {
  for (const FoundFile& file : files) {
    const auto at = find(file.path);
    const int row = static_cast<int>(at - files_.begin());
    beginInsertRows({}, row, row);
    files_.insert(at, std::make_unique<FoundFile>(file));
    endInsertRows();
  }
}

const FoundFile* FoundModel::fileOf(const QModelIndex& line) const {
  return static_cast<const FoundFile*>(line.constInternalPointer());
}

QModelIndex FoundModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? files_[parent.row()].get() : nullptr);
}

QModelIndex FoundModel::parent(const QModelIndex& index) const {
  const FoundFile* file = index.isValid() ? fileOf(index) : nullptr;
  if (file == nullptr) return {};
  return createIndex(static_cast<int>(find(file->path) - files_.begin()), 0);
}

int FoundModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(files_.size());
  return fileOf(parent) ? 0 : static_cast<int>(files_[parent.row()]->lines.size());
}

std::optional<FoundModel::Place> FoundModel::place(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const FoundFile* file = fileOf(index);
  if (file) return Place{file->path, file->lines[index.row()]};
  return Place{files_[index.row()]->path, files_[index.row()]->lines.first()};
}

QStringList FoundModel::paths() const {
  QStringList paths;
  for (const File& file : files_) paths.append(file->path);
  return paths;
}

QModelIndex FoundModel::step(const QModelIndex& from, int direction) const {
  if (files_.empty()) return {};
  const int count = static_cast<int>(files_.size());
  const QModelIndex parent = from.parent();
  int file = parent.isValid() ? parent.row() : std::max(from.row(), 0);
  int line = parent.isValid() ? from.row() + direction : direction > 0 ? 0 : -1;
  if (line < 0) {
    file = (file + count - 1) % count;
    line = static_cast<int>(files_[file]->lines.size()) - 1;
  } else if (line >= files_[file]->lines.size()) {
    file = (file + 1) % count;
    line = 0;
  }
  return index(line, 0, index(file, 0));
}

QVariant FoundModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const FoundFile* file = fileOf(index);
  if (!file) {
    const FoundFile& row = *files_[index.row()];
    switch (role) {
      case Qt::DisplayRole:
        return editor::shownForm(row.path.section(u'/', -1));
      case Qt::ToolTipRole:
        return editor::describedPath(row.path);
      case Qt::AccessibleTextRole:
        return tr("%1, %2 matches").arg(editor::describedPath(row.path)).arg(row.lines.size());
      case kFoundFolderRole:
        return editor::shownForm(row.path.section(u'/', 0, -2));
      case kFoundCountRole:
        return row.lines.size();
      case kFoundLineRole:
        return 0;
      default:
        return {};
    }
  }
  const FoundLine& line = file->lines[index.row()];
  const qsizetype length = std::min<qsizetype>(line.length, line.text.size() - line.at);
  switch (role) {
    case Qt::DisplayRole:
    case kFoundTextRole:
      return shownPart(line.text, 0, line.text.size());
    case Qt::AccessibleTextRole:
      return tr("Line %1: %2").arg(line.line + 1).arg(QString::fromUtf8(line.text));
    case kFoundLineRole:
      return line.line + 1;
    case kFoundStartRole:
      return shownPart(line.text, 0, line.at).size();
    case kFoundLengthRole:
      return shownPart(line.text, line.at, length).size();
    default:
      return {};
  }
}

}  // namespace waferpair::gui
