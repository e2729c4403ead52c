// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/folder_model.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/quoted.h"
#include "gui/kit/theme.h"
#include "gui/project/file_icons.h"
#include "gui/project/folder_names.h"

namespace waferpair::gui {
namespace {

// A checkout or a build changes many files one after the other.
constexpr std::chrono::milliseconds kFolderSettle(100);
// More separate changes of one folder come as all rows at once: each takes a view its while.
constexpr qsizetype kMostRanges = 100;

}  // namespace

FolderModel::FolderModel(QObject* parent)
    : QAbstractItemModel(parent), top_(std::make_shared<Node>()) {
  thread_.setMaxThreadCount(1);
  againSoon_.setSingleShot(true);
  connect(&againSoon_, &QTimer::timeout, this, &FolderModel::readAgain);
  connect(&watch_, &editor::PathWatch::folderChanged, this, [this](const QString& folder) {
    again_.insert(folder);
    if (!againSoon_.isActive()) againSoon_.start(kFolderSettle);
  });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(0, 0));  // colors
  });
}

FolderModel::~FolderModel() { thread_.waitForDone(); }

void FolderModel::setFolders(const QStringList& folders) {
  QStringList clean;
  for (const QString& folder : folders)
    clean.append(folder.size() > 1 && folder.endsWith(u'/') ? folder.chopped(1) : folder);
  const auto isIn = [](const QStringList& all) {
    return [all](const QString& folder) { return all.contains(folder); };
  };
  // In another order, or with none that stays, all is new.
  QStringList stay;
  std::copy_if(folders_.cbegin(), folders_.cend(), std::back_inserter(stay), isIn(clean));
  if (stay.isEmpty() || clean.first(stay.size()) != stay) {
    beginResetModel();
    top_ = std::make_shared<Node>();
    top_->state = Node::State::kRead;
    now_ = std::make_shared<Reading>();
    reading_ = 0;
    again_.clear();
    watch_.clear();
    folders_.clear();
    labels_.clear();
    endResetModel();
    stay.clear();
  }
  for (int row = static_cast<int>(folders_.size()) - 1; row >= 0; --row) {
    if (stay.contains(folders_[row])) continue;
    beginRemoveRows({}, row, row);
    top_->folders.remove(folders_[row]);
    top_->rows.removeAt(row);
    folders_.removeAt(row);
    placeFolders(top_.get());
    endRemoveRows();
  }
  const auto first = static_cast<int>(stay.size());
  labels_ = folderLabels(clean);
  if (clean.size() > first) {
    beginInsertRows({}, first, static_cast<int>(clean.size()) - 1);
    for (const QString& folder : clean.mid(first)) top_->rows.append({folder, true});
    folders_ = clean;
    endInsertRows();
    thread_.start([now = now_, added = clean.mid(first)] {
      for (const QString& folder : added) now->rules.insert_or_assign(folder, FolderRules(folder));
    });
  }
  if (first > 0) Q_EMIT dataChanged(index(0, 0), index(first - 1, 0));  // their labels
  for (int row = first; row < clean.size(); ++row) read(folderIn(top_.get(), row));
}

bool FolderModel::isTop(const QModelIndex& index) const {
  return index.isValid() && nodeOf(index) == top_.get();
}

void FolderModel::setShown(bool hidden, bool ignored) {
  if (hidden == shown_.hidden && ignored == shown_.ignored) return;
  shown_ = {hidden, ignored};
  readAllAgain(false);
}

void FolderModel::reloadRules() { readAllAgain(true); }

void FolderModel::refresh() { readAllAgain(false); }

QString FolderModel::path(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const Node* node = nodeOf(index);
  const QString& name = node->rows[index.row()].name;
  if (node == top_.get()) return name;
  return node->path.endsWith(u'/') ? node->path + name : node->path + u'/' + name;
}

bool FolderModel::isFolder(const QModelIndex& index) const {
  return index.isValid() && rowOf(index).isFolder;
}

QModelIndex FolderModel::indexOf(const QString& path) {
  int of = 0;
  while (of < folders_.size() && path != folders_[of] && !isBelowFolder(path, folders_[of])) ++of;
  if (of == folders_.size()) return {};
  if (path == folders_[of]) return index(of, 0);
  Node* node = folderIn(top_.get(), of);
  const QStringList names = path.mid(folders_[of].size()).split(u'/', Qt::SkipEmptyParts);
  for (qsizetype i = 0; i < names.size(); ++i) {
    if (node->state == Node::State::kUnread) read(node);
    const auto isNamed = [&](const FolderRow& row) { return row.name == names[i]; };
    const auto found = std::find_if(node->rows.cbegin(), node->rows.cend(), isNamed);
    if (found == node->rows.cend()) return {};
    const int row = static_cast<int>(found - node->rows.cbegin());
    if (i + 1 == names.size()) return createIndex(row, 0, node);
    if (!found->isFolder) return {};
    node = folderIn(node, row);
  }
  return {};
}

// -- As views ask

FolderModel::Node* FolderModel::nodeOf(const QModelIndex& index) const {
  return static_cast<Node*>(index.internalPointer());
}

FolderModel::Node* FolderModel::folderIn(Node* above, int row) const {
  const QString& name = above->rows[row].name;
  std::shared_ptr<Node>& folder = above->folders[name];
  if (!folder) {
    folder = std::make_shared<Node>();
    folder->above = above;
    folder->path = above == top_.get()          ? name
                   : above->path.endsWith(u'/') ? above->path + name
                                                : above->path + u'/' + name;
    folder->top = above == top_.get() ? name : above->top;
  }
  folder->row = row;
  return folder.get();
}

// Null: it is no folder.
FolderModel::Node* FolderModel::folderOf(const QModelIndex& index) const {
  if (!index.isValid()) return top_.get();
  return rowOf(index).isFolder ? folderIn(nodeOf(index), index.row()) : nullptr;
}

QModelIndex FolderModel::indexOfFolder(const Node* node) const {
  return node->above ? createIndex(node->row, 0, node->above) : QModelIndex();
}

const FolderRow& FolderModel::rowOf(const QModelIndex& index) const {
  return nodeOf(index)->rows[index.row()];
}

QModelIndex FolderModel::index(int row, int column, const QModelIndex& parent) const {
  Node* node = folderOf(parent);
  if (!node || column != 0 || row < 0 || row >= node->rows.size()) return {};
  return createIndex(row, 0, node);
}

QModelIndex FolderModel::parent(const QModelIndex& index) const {
  return index.isValid() ? indexOfFolder(nodeOf(index)) : QModelIndex();
}

int FolderModel::rowCount(const QModelIndex& parent) const {
  const Node* node = folderOf(parent);
  return node ? static_cast<int>(node->rows.size()) : 0;
}

int FolderModel::columnCount(const QModelIndex&) const { return 1; }

// Until a folder was read it may have something in it.
bool FolderModel::hasChildren(const QModelIndex& parent) const {
  if (!parent.isValid()) return !top_->rows.isEmpty();
  if (!rowOf(parent).isFolder) return false;
  const Node* above = nodeOf(parent);
  const auto known = above->folders.constFind(rowOf(parent).name);
  return known == above->folders.cend() || (*known)->state != Node::State::kRead ||
         !(*known)->rows.isEmpty();
}

bool FolderModel::canFetchMore(const QModelIndex& parent) const {
  const Node* node = folderOf(parent);
  return node && node->state == Node::State::kUnread;
}

void FolderModel::fetchMore(const QModelIndex& parent) {
  if (Node* node = folderOf(parent); node && node->state == Node::State::kUnread) read(node);
}

QVariant FolderModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  switch (role) {
    case Qt::DisplayRole:
      return nameOf(index);
    case Qt::DecorationRole:
      return isFolder(index) ? folderIcon() : fileIcon(path(index));
    case Qt::ForegroundRole: {
      const FileMark mark = markOf(path(index));
      if (mark.tone != FileMark::Tone::kNone) return mark.color();
      return rowOf(index).isFaint ? QVariant(Theme::instance().colors().muted) : QVariant();
    }
    case kMarkRole:
      return markOf(path(index)).letter;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
      const QString here = path(index);
      const QString text = role == Qt::ToolTipRole ? editor::describedPath(here)
                           : isTop(index)          ? nameOf(index)
                                                   : editor::describedPath(rowOf(index).name);
      const QString word = isTop(index) && rowOf(index).isFaint && role == Qt::ToolTipRole
                               ? tr("not there")
                               : markOf(here).word;
      return word.isEmpty() ? text : tr("%1, %2").arg(text, word);
    }
    default:
      return {};
  }
}

QString FolderModel::nameOf(const QModelIndex& index) const {
  if (!isTop(index)) return editor::shownPath(rowOf(index).name);
  const QString label = editor::shownPath(labels_.value(index.row()));
  return rowOf(index).isFaint ? tr("%1 (not there)").arg(label) : label;
}

FileMark FolderModel::markOf(const QString& path) const {
  return marker_ ? marker_(path) : FileMark();
}

// -- Reading

void FolderModel::read(Node* node) {
  // Watched before it is read, so that nothing is missed between.
  watch_.addFolder(node->path);
  if (node->state == Node::State::kReading) {
    again_.insert(node->path);
    return;
  }
  node->state = Node::State::kReading;
  ++reading_;
  // The thread ends before this object does. A folder that is gone by then is told of nothing.
  thread_.start([this, path = node->path, top = node->top, before = node->rows, shown = shown_,
                 now = now_, weak = node->weak_from_this()] {
    const bool isThere = path != top || editor::isFolderAt(path);
    const QVector<FolderRow> rows = readFolderRows(path, shown, &now->rules.at(top));
    RowChanges changes = rowChanges(before, rows);
    QMetaObject::invokeMethod(
        this,
        [this, weak, now, rows, isThere, changes = std::move(changes)] {
          // Another folder was opened.
          if (now.get() != now_.get()) return;
          --reading_;
          if (const auto still = weak.lock()) {
            showWhetherThere(still.get(), isThere);
            take(still.get(), rows, changes);
          }
          if (!again_.isEmpty() && !againSoon_.isActive()) againSoon_.start(0);
        },
        Qt::QueuedConnection);
  });
}

void FolderModel::showWhetherThere(const Node* node, bool isThere) {
  if (node->above != top_.get() || top_->rows[node->row].isFaint == !isThere) return;
  top_->rows[node->row].isFaint = !isThere;
  Q_EMIT dataChanged(index(node->row, 0), index(node->row, 0));
}

void FolderModel::take(Node* node, const QVector<FolderRow>& rows, const RowChanges& changes) {
  node->state = Node::State::kRead;
  const QModelIndex parent = indexOfFolder(node);
  using Ranges = QVector<RowChanges::Range>;
  const bool isWhole = changes.removed.size() + changes.inserted.size() > kMostRanges;
  const Ranges removed =
      isWhole && !node->rows.isEmpty() ? Ranges{{0, node->rows.size()}} : changes.removed;
  const Ranges inserted = isWhole && !rows.isEmpty() ? Ranges{{0, rows.size()}} : changes.inserted;
  for (const RowChanges::Range& range : removed) {
    if (range.count == 0) continue;
    beginRemoveRows(parent, static_cast<int>(range.first),
                    static_cast<int>(range.first + range.count - 1));
    for (qsizetype row = range.first; row < range.first + range.count; ++row)
      if (node->rows[row].isFolder) node->folders.remove(node->rows[row].name);
    node->rows.remove(range.first, range.count);
    placeFolders(node);
    endRemoveRows();
  }
  for (const RowChanges::Range& range : inserted) {
    beginInsertRows(parent, static_cast<int>(range.first),
                    static_cast<int>(range.first + range.count - 1));
    if (&range == &inserted.last()) {
      node->rows = rows;  // without a copy of them all
    } else {
      node->rows.insert(range.first, range.count, FolderRow());
      std::copy_n(rows.begin() + range.first, range.count, node->rows.begin() + range.first);
    }
    placeFolders(node);
    endInsertRows();
  }
  Q_ASSERT(node->rows.size() == rows.size());
  if (changes.looksOther) {
    node->rows = rows;
    Q_EMIT dataChanged(index(0, 0, parent), index(static_cast<int>(rows.size()) - 1, 0, parent));
  }
}

void FolderModel::placeFolders(Node* node) {
  if (node->folders.isEmpty()) return;
  for (int row = 0; row < node->rows.size() && node->rows[row].isFolder; ++row)
    if (const auto known = node->folders.constFind(node->rows[row].name);
        known != node->folders.cend())
      (*known)->row = row;
}

void FolderModel::readAgain() {
  const QSet<QString> paths = std::exchange(again_, {});
  for (const QString& path : paths) {
    Node* node = folderOf(indexOf(path));
    if (node && node != top_.get() && node->state != Node::State::kUnread) read(node);
  }
}

void FolderModel::readAllAgain(bool withRules) {
  if (folders_.isEmpty()) return;
  // There is one thread: what is read from here on is read with other rules.
  if (withRules)
    thread_.start([now = now_] {
      for (auto& [folder, rules] : now->rules) rules = FolderRules(folder);
    });
  QVector<Node*> all;
  for (int row = 0; row < folders_.size(); ++row) all.append(folderIn(top_.get(), row));
  for (qsizetype i = 0; i < all.size(); ++i) {
    for (const auto& folder : std::as_const(all[i]->folders)) all.append(folder.get());
    if (all[i]->state != Node::State::kUnread) read(all[i]);
  }
}

QString FolderModel::busyWith() const {
  return isReading() ? QStringLiteral("reading ignore rules") : QString();
}

}  // namespace waferpair::gui
